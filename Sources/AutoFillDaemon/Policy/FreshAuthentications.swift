// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

/// Passphrases and PINs that were given for one request each, and were not used yet.
///
/// A passphrase given a moment ago shows that the user was there. It does not show that the user wants the current request: any program of
/// the user can start the command line. So a request that weakens a setting, and every release if the user always wants to be asked, takes
/// a passphrase that was given on the same connection, for the same method, and has not been used.
struct FreshAuthentications: Sendable {
    /// How long a passphrase is valid. The client repeats its request at once, without waiting for a person.
    static let lifetime = Duration.seconds(60)

    private struct Given {
        /// The passphrase or the PIN.
        let means: UserAct.Authentication
        /// The method; `nil` if any method may use it.
        let method: String?
        let end: ContinuousClock.Instant
    }

    private var given: [Int: Given] = [:]

    init() {}

    /// Records a passphrase or a PIN for a connection, in place of an earlier one.
    mutating func give(
        _ means: UserAct.Authentication, to client: Int, for method: String?,
        at now: ContinuousClock.Instant
    ) {
        given[client] = Given(means: means, method: method, end: now + Self.lifetime)
    }

    /// Uses up what a request's connection gave, and returns it if it was valid for the request; `nil` otherwise. What was given for another
    /// method is used up too.
    mutating func spend(for request: WireRequest, at now: ContinuousClock.Instant) -> UserAct.Authentication? {
        guard let found = given.removeValue(forKey: request.client), now < found.end,
            (found.method ?? request.method) == request.method
        else { return nil }
        return found.means
    }

    mutating func forget(_ client: Int) {
        given[client] = nil
    }

    mutating func forgetPINs() {
        given = given.filter { $0.value.means != .pin }
    }

    mutating func forgetAll() {
        given = [:]
    }
}
