// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// A submitted form about which the user is asked. What was typed into it is sealed while Latchkey is locked.
@DaemonActor final class WaitingForm {
    private enum Contents {
        case open(SaveBook.Candidate)
        case sealed(password: SealedForLater, old: SealedForLater?, names: SealedForLater)
        /// The passwords could not be sealed at a lock, or the user is not asked any more.
        case lost
    }

    /// The form without what was typed into it.
    let form: SaveBook.Candidate
    private var contents: Contents
    /// Asks the user, once. A lock ends it, and another one begins.
    private(set) var attempt: Task<Void, any Error>?
    /// Whether the user is asked for the first time, so not again because of a lock.
    private(set) var isFirstAttempt = true
    /// Whether the user is not to be asked about it again.
    private(set) var isOver = false
    /// Whether the user has said yes, so that it is being saved. Only a lock ends that.
    var isAgreed = false

    init(_ candidate: SaveBook.Candidate) {
        form = candidate.with(user: "", otherUsers: [], password: SecretBytes(count: 0), oldPassword: nil)
        contents = .open(candidate)
    }

    func begin(_ body: @escaping @DaemonActor @Sendable () async throws -> Void) -> Task<Void, any Error> {
        isAgreed = false
        isFirstAttempt = attempt == nil
        let task = Task { try await body() }
        attempt = task
        return task
    }

    func agree() {
        isAgreed = true
    }

    /// Asks no more, now or later.
    func end() {
        guard !isAgreed else { return }
        isOver = true
        contents = .lost
        attempt?.cancel()
    }

    /// Whether another form says the same.
    func isSame(as other: SaveBook.Candidate) -> Bool {
        guard case .open(let own) = contents else { return false }
        return own.user == other.user && own.password == other.password
    }

    /// - Parameter publicKey: Of the audit log; without one nothing can be kept over a lock.
    func seal(to publicKey: Data?) {
        guard case .open(let candidate) = contents else { return }
        contents = .lost
        let names = SecretBytes(utf8: ([candidate.user] + candidate.otherUsers).joined(separator: "\0"))
        guard let publicKey, let password = try? SealedForLater(candidate.password, to: publicKey),
            let sealedNames = try? SealedForLater(names, to: publicKey)
        else { return }
        let old = candidate.oldPassword.flatMap { try? SealedForLater($0, to: publicKey) }
        contents = .sealed(password: password, old: old, names: sealedNames)
    }

    /// The form with what was typed into it, or `nil` if that was lost.
    func opened(_ keys: AuditKeys) -> SaveBook.Candidate? {
        switch contents {
        case .lost: return nil
        case .open(let candidate): return candidate
        case .sealed(let password, let old, let names):
            guard let password = password.opened(keys), let names = names.opened(keys) else { return nil }
            let texts = names.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                .split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
            let candidate = form.with(
                user: texts.first ?? "", otherUsers: Array(texts.dropFirst()), password: password,
                oldPassword: old.flatMap { $0.opened(keys) })
            contents = .open(candidate)
            return candidate
        }
    }
}
