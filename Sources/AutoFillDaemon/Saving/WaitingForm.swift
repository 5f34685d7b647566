// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// A submitted form about which the user is asked. Its passwords are sealed while Latchkey is locked.
@DaemonActor final class WaitingForm {
    private enum Passwords {
        case open(SecretBytes, old: SecretBytes?)
        case sealed(SealedForLater, old: SealedForLater?)
        /// They could not be kept over a lock.
        case lost
    }

    /// The form without its passwords.
    let form: SaveBook.Candidate
    private var passwords: Passwords
    /// Asks the user, once. A lock ends it, and another one begins.
    private(set) var attempt: Task<Void, any Error>?
    /// Whether nothing is to be asked any more.
    private(set) var isOver = false

    init(_ candidate: SaveBook.Candidate) {
        form = candidate.with(password: SecretBytes(count: 0), oldPassword: nil)
        passwords = .open(candidate.password, old: candidate.oldPassword)
    }

    func begin(_ body: @escaping @DaemonActor @Sendable () async throws -> Void) -> Task<Void, any Error> {
        let task = Task { try await body() }
        attempt = task
        return task
    }

    /// Asks no more, now or later.
    func end() {
        isOver = true
        passwords = .lost
        attempt?.cancel()
    }

    /// - Parameter publicKey: Of the audit log; without one nothing can be kept over a lock.
    func seal(to publicKey: Data?) {
        guard case .open(let password, let old) = passwords else { return }
        guard let publicKey, let sealed = try? SealedForLater(password, to: publicKey) else {
            passwords = .lost
            return
        }
        passwords = .sealed(sealed, old: old.flatMap { try? SealedForLater($0, to: publicKey) })
    }

    /// The form with its passwords, or `nil` if they were lost.
    func opened(_ keys: AuditKeys) -> SaveBook.Candidate? {
        switch passwords {
        case .lost: return nil
        case .open: break
        case .sealed(let password, let old):
            guard let password = password.opened(keys) else { return nil }
            passwords = .open(password, old: old.flatMap { $0.opened(keys) })
        }
        guard case .open(let password, let old) = passwords else { return nil }
        return form.with(password: password, oldPassword: old)
    }
}
