// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Synchronization

/// The one end of one request: who comes first decides it, later ones are told that they are late.
final class RequestEnding: Sendable {
    /// How a request ends.
    enum Outcome: Sendable {
        case credential(user: String, password: SecretBytes)
        case oneTimeCode(SecretBytes)
        case text(SecretBytes)
        case configured
        case saved
        /// A service has a new password; `userInfo` is base64 of a property list.
        case passwordChanged(user: String, password: SecretBytes, userInfo: SecretBytes?)
        /// An account signs in with Apple; `userInfo` is base64 of a property list.
        case converted(userInfo: SecretBytes?)
        case generated([(kind: String, password: SecretBytes)])
        case failure(WireError)
    }

    private struct State {
        var outcome: Outcome?
        var waiting: [CheckedContinuation<Outcome, Never>] = []
    }

    private let state = Mutex(State())

    /// False when the request had ended before.
    @discardableResult
    func finish(_ outcome: Outcome) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>]? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        for continuation in waiting { continuation.resume(returning: outcome) }
        return true
    }

    /// How it ended, if it has.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Waits for the end.
    func wait() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiting.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
