// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Keyrings with a new recovery code that is being shown. Each is written once its client says that it has shown the code, so that no code
/// ends before another one is in the user's hands.
struct PreparedKeyrings: Sendable {
    /// How long one waits. The client answers as soon as the code is on the screen, without waiting for a person.
    static let lifetime = Duration.seconds(60)

    /// A keyring that is not written yet.
    struct Prepared: Sendable {
        /// What the keyring is for.
        enum Purpose: Sendable {
            case initialization, recovery, renewal
        }

        let purpose: Purpose
        let keyring: Keyring
        /// The keyring that it replaces; `nil` for an initialization.
        let old: Keyring?
        let deviceKey: DeviceKey
    }

    private var prepared: [Int: (keyring: Prepared, end: ContinuousClock.Instant)] = [:]

    /// Keeps a keyring for a connection, in place of an earlier one.
    mutating func keep(_ keyring: Prepared, for client: Int, at now: ContinuousClock.Instant) {
        prepared[client] = (keyring, now + Self.lifetime)
    }

    /// Takes a connection's keyring; `nil` if there is none, or it has waited for too long.
    mutating func take(_ client: Int, at now: ContinuousClock.Instant) -> Prepared? {
        guard let found = prepared.removeValue(forKey: client), now < found.end else { return nil }
        return found.keyring
    }

    mutating func forget(_ client: Int) {
        prepared[client] = nil
    }

    mutating func forgetAll() {
        prepared = [:]
    }

    /// Forgets, and so wipes, the keys of those that have waited for too long.
    mutating func forgetOld(at now: ContinuousClock.Instant) {
        prepared = prepared.filter { now < $0.value.end }
    }
}
