// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

/// The account that was last filled in each tab: many sites ask for the user name on one page, for its password on the next, and
/// for its code on the one after that. There that account comes first.
///
/// Nothing is kept beyond the life of the tab, of the browser's connection, and a while; a lock forgets everything. It decides
/// in which order suggestions stand, and never whether there is one.
struct TabAccounts: Sendable {
    /// Whose password it is.
    struct Account: Sendable, Hashable {
        let provider: BundleIdentifier
        let recordIdentifier: String?
        let user: String

        init(_ identity: CredentialIdentity, of provider: BundleIdentifier) {
            self.provider = provider
            recordIdentifier = identity.recordIdentifier
            user = identity.user
        }
    }

    /// How near what is offered is to the account that was filled.
    enum Nearness: Int, Sendable, Comparable {
        /// The same record of the same provider.
        case record
        /// The same user's.
        case user
        case none

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Tab: Hashable {
        let connection: Int
        let number: Int
    }

    private struct Filled {
        let account: Account
        let host: String
        let document: String?
        let at: ContinuousClock.Instant
    }

    /// For so long a code goes to where its account's password went without another question.
    static let codeLifetime = Duration.seconds(60)

    /// Longer than anybody takes from the one page to the next.
    static let lifetime = Duration.seconds(600)
    /// Tabs that are remembered; the oldest is forgotten.
    static let limit = 256

    private var tabs: [Tab: Filled] = [:]

    /// What was filled in a tab, on a page of a host, takes the place of what was before.
    mutating func remember(
        _ account: Account, at host: String, document: String? = nil, in tab: Int, of connection: Int,
        now: ContinuousClock.Instant
    ) {
        tabs = tabs.filter { now - $0.value.at < Self.lifetime }
        tabs[Tab(connection: connection, number: tab)] = Filled(
            account: account, host: host, document: document, at: now)
        if tabs.count > Self.limit, let oldest = tabs.min(by: { $0.value.at < $1.value.at }) {
            tabs[oldest.key] = nil
        }
    }

    /// The account of a tab, unless that was too long ago.
    func account(in tab: Int, of connection: Int, at now: ContinuousClock.Instant) -> Account? {
        filled(in: tab, of: connection, at: now)?.account
    }

    /// How likely an identity is the one of the account that was filled in a tab. The page has to be of the same site as the one
    /// before.
    func nearness(
        of identity: CredentialIdentity, _ provider: BundleIdentifier, at origin: Origin, in tab: Int,
        of connection: Int, suffixes: PublicSuffixes, now: ContinuousClock.Instant
    ) -> Nearness {
        guard let filled = filled(in: tab, of: connection, at: now),
            filled.host == origin.host || suffixes.areSameSite(filled.host, origin.host)
        else { return .none }
        let account = filled.account
        if account.provider == provider, account.recordIdentifier != nil,
            account.recordIdentifier == identity.recordIdentifier
        {
            return .record
        }
        return account.user == identity.user && !account.user.isEmpty ? .user : .none
    }

    /// Whether a code follows the password of its account: into the very document that was given it, within a minute.
    ///
    /// - Parameter identity: The code's; `nil` for one that came in a message, which is no account's.
    func codeFollows(
        _ identity: CredentialIdentity?, _ provider: BundleIdentifier, document: String, in tab: Int,
        of connection: Int, at now: ContinuousClock.Instant
    ) -> Bool {
        guard let filled = filled(in: tab, of: connection, at: now), filled.document == document,
            now - filled.at < Self.codeLifetime
        else { return false }
        guard let identity else { return true }
        let account = filled.account
        guard account.provider == provider else { return false }
        if let record = account.recordIdentifier, record == identity.recordIdentifier { return true }
        return account.user == identity.user && !account.user.isEmpty
    }

    private func filled(in tab: Int, of connection: Int, at now: ContinuousClock.Instant) -> Filled? {
        guard let known = tabs[Tab(connection: connection, number: tab)], now - known.at < Self.lifetime else {
            return nil
        }
        return known
    }

    /// The tab was closed.
    mutating func forget(tab: Int, of connection: Int) {
        tabs[Tab(connection: connection, number: tab)] = nil
    }

    /// The browser is gone.
    mutating func forget(connection: Int) {
        tabs = tabs.filter { $0.key.connection != connection }
    }
}
