// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Passphrases that were given for one request each, and were not used yet.
///
/// A passphrase that was right a moment ago says that the user was there. It does not say that the user wants what somebody
/// asks now: any program of the user can start the command line. So what weakens a setting, and every release where the user wants to
/// be asked always, takes a passphrase that was given on that very connection, for that very method, and was not spent.
struct FreshAuthentications: Sendable {
    /// The client asks again at once; a person is not waited for.
    static let lifetime = Duration.seconds(60)

    private struct Given {
        /// `nil`: for the first method that spends it.
        let method: String?
        let end: ContinuousClock.Instant
    }

    private var given: [Int: Given] = [:]

    init() {}

    /// Keeps one for a connection; an older one of the same connection is gone.
    mutating func give(to client: Int, for method: String?, at now: ContinuousClock.Instant) {
        given[client] = Given(method: method, end: now + Self.lifetime)
    }

    /// Spends what was given for a request. One that was given for another method is gone after this, too.
    mutating func spend(for request: WireRequest, at now: ContinuousClock.Instant) -> Bool {
        guard let found = given.removeValue(forKey: request.client) else { return false }
        return now < found.end && (found.method ?? request.method) == request.method
    }

    mutating func forget(_ client: Int) {
        given[client] = nil
    }

    mutating func forgetAll() {
        given = [:]
    }
}
