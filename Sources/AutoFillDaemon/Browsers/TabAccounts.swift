// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

/// Remembers the account that was last filled in each tab, so that it comes first on the next page.
///
/// Many sites ask for the user name on one page, for the password on the next, and for the code on the one after that.
///
/// An entry ends with its tab, with the browser's connection, and after `lifetime`; a lock removes all entries. It decides the order of
/// suggestions, and never whether there is one.
struct TabAccounts: Sendable {
    /// The account of a password.
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

    /// How closely a suggestion matches the account that was filled.
    enum Nearness: Int, Sendable, Comparable {
        /// The same record of the same provider.
        case record
        /// The same user name.
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

    /// Time after a password was filled in which its account's code is filled without another question.
    static let codeLifetime = Duration.seconds(60)

    /// How long an entry lasts; longer than the way from one page to the next takes.
    static let lifetime = Duration.seconds(600)
    /// Maximum number of tabs; beyond it the oldest is forgotten.
    static let limit = 256

    private var tabs: [Tab: Filled] = [:]

    /// Remembers the account that was filled in a tab on a host's page, in place of an earlier one.
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

    /// The account that was filled in a tab; `nil` if there is none or it has expired.
    func account(in tab: Int, of connection: Int, at now: ContinuousClock.Instant) -> Account? {
        filled(in: tab, of: connection, at: now)?.account
    }

    /// How closely an identity matches the account that was filled in a tab; `none` unless the page is of the same site as that fill.
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

    /// Whether a code goes into the same document as its account's password, less than a minute later.
    ///
    /// - Parameter identity: The code's identity; `nil` for a code from a message, which belongs to no account.
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

    /// The browser was closed.
    mutating func forget(connection: Int) {
        tabs = tabs.filter { $0.key.connection != connection }
    }
}
