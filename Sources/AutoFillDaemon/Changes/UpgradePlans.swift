// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking

/// The changes that the user has agreed to by one act. An agreement is valid once for each account, for the connection that asked, and for
/// `span`.
struct UpgradePlans: Sendable {
    private struct Key: Hashable {
        let connection: Int
        let service: String
        let user: String
        let kind: UpgradeKind
    }

    private struct Agreed {
        let proof: UserProof
        let until: ContinuousClock.Instant
    }

    /// How long an agreement is valid; enough for some dozens of accounts, of which a few ask for a code.
    static let span = Duration.seconds(3_600)

    private var agreed: [Key: Agreed] = [:]

    /// Stores an agreement in place of an earlier one of the same connection.
    ///
    /// - Parameter accounts: services as `Origin.written` has them, and users.
    mutating func keep(
        _ accounts: [(service: String, user: String)], _ kind: UpgradeKind, _ proof: UserProof,
        for connection: Int, at now: ContinuousClock.Instant
    ) {
        forget(connection: connection)
        for account in accounts {
            let key = Key(connection: connection, service: account.service, user: account.user, kind: kind)
            agreed[key] = Agreed(proof: proof, until: now + Self.span)
        }
    }

    /// Whether the user has already agreed to the change of an account.
    func holds(
        _ service: String, _ user: String, _ kind: UpgradeKind = .strongPassword, for connection: Int,
        at now: ContinuousClock.Instant
    ) -> Bool {
        agreed[Key(connection: connection, service: service, user: user, kind: kind)].map { now < $0.until } ?? false
    }

    /// Uses up the agreement to change an account, and returns its proof; `nil` if there is none or it has expired.
    mutating func take(
        _ service: String, _ user: String, _ kind: UpgradeKind = .strongPassword, for connection: Int,
        at now: ContinuousClock.Instant
    ) -> UserProof? {
        let key = Key(connection: connection, service: service, user: user, kind: kind)
        guard let found = agreed.removeValue(forKey: key), now < found.until else { return nil }
        return found.proof
    }

    mutating func forget(connection: Int) {
        agreed = agreed.filter { $0.key.connection != connection }
    }

    mutating func forgetAll() {
        agreed = [:]
    }
}
