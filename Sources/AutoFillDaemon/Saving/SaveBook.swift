// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Crypto
internal import Foundation

/// Submitted forms that may be saved, from the submission to the question: in locked memory, few at a time, for a short time.
///
/// It also remembers which user name was given in a tab, because many sites ask for it on a page of its own. And it remembers which
/// generated passwords were filled, by fingerprints whose key ends with the process. Neither reveals a password.
struct SaveBook: Sendable {
    /// A submitted form.
    struct Candidate: Sendable {
        let connection: Int
        let tab: Int
        let document: String
        let origin: VerifiedOrigin
        /// The user name; empty if none was given.
        let user: String
        /// Other user names that were given on the way, the latest first.
        var otherUsers: [String] = []
        /// Whether the page names the field as one for a user name.
        var isUserSure = true
        /// Whether the form itself names the account, and not a page before it.
        var isNamedByForm = false
        let password: SecretBytes
        let kind: SubmittedForm.Kind
        let oldPassword: SecretBytes?
        let began: ContinuousClock.Instant

        /// The same for another user name, which the user has chosen.
        func renamed(_ user: String) -> Candidate {
            Candidate(
                connection: connection, tab: tab, document: document, origin: origin, user: user, password: password,
                kind: kind, oldPassword: oldPassword, began: began)
        }

        /// The same with other contents.
        func with(user: String, otherUsers: [String], password: SecretBytes, oldPassword: SecretBytes?) -> Candidate {
            Candidate(
                connection: connection, tab: tab, document: document, origin: origin, user: user,
                otherUsers: otherUsers, isUserSure: isUserSure, isNamedByForm: isNamedByForm, password: password,
                kind: kind,
                oldPassword: oldPassword, began: began)
        }
    }

    /// A user name that was given in a tab.
    fileprivate struct Name: Sendable {
        let connection: Int
        let tab: Int
        let host: String
        /// Its registrable domain.
        let site: String
        /// The field that it was given in; empty where Latchkey filled it.
        let field: String
        let user: String
        let began: ContinuousClock.Instant
        /// Whether a password was submitted after it. The next name then belongs to another sign-in.
        var isUsed = false
    }

    /// A generated password that was filled, by its fingerprint.
    struct Filled: Sendable, Equatable {
        /// The origin of the page that it was filled into.
        let origin: Origin
        let session: String
        let kind: String
        let keeper: BundleIdentifier
        fileprivate let fingerprint: Data
        fileprivate let began: ContinuousClock.Instant
    }

    /// How long a submitted form may stay on the page before it is forgotten.
    static let patience = Duration.seconds(180)
    /// How long a user name is remembered for the next page of the same tab.
    static let memory = Duration.seconds(1_800)
    static let candidateLimit = 8
    static let nameLimit = 64
    /// Maximum number of user names remembered for one sign-in.
    static let stepLimit = 4
    static let filledLimit = 64

    private var candidates: [Candidate] = []
    private var names: [Name] = []
    private var filled: [Filled] = []
    /// The key of the fingerprints: nobody else can make them, and they reveal nothing.
    let key = SecretBytes.random(count: 32)
    /// The sites that the user never wants to be asked for, by fingerprint, so that they are known while locked too.
    private var never: Set<Data> = []

    // MARK: Forms

    /// Keeps a form that was sent off; an earlier one of the same document is forgotten.
    mutating func keep(_ candidate: Candidate) {
        expire(at: candidate.began)
        candidates.removeAll { $0.isOf(candidate.connection, candidate.tab, candidate.document) }
        candidates.append(candidate)
        if candidates.count > Self.candidateLimit { candidates.remove(at: leastWanted) }
    }

    /// The candidate to forget when there are too many: the oldest of the tab that has most of them, so that no page puts out what was typed in
    /// another tab.
    private var leastWanted: Int {
        struct Tab: Hashable {
            let connection: Int
            let tab: Int
        }
        let tabs = candidates.map { Tab(connection: $0.connection, tab: $0.tab) }
        let counts = Dictionary(grouping: tabs) { $0 }.mapValues(\.count)
        let most = counts.values.max() ?? 0
        return tabs.firstIndex { counts[$0] == most } ?? 0
    }

    /// Removes and returns the form of a document.
    mutating func take(_ connection: Int, _ tab: Int, _ document: String, at now: ContinuousClock.Instant) -> Candidate?
    {
        expire(at: now)
        guard let index = candidates.firstIndex(where: { $0.isOf(connection, tab, document) }) else { return nil }
        return candidates.remove(at: index)
    }

    var isEmpty: Bool { candidates.isEmpty }

    /// Forgets expired forms, and returns when the next one expires.
    @discardableResult mutating func expire(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        candidates.removeAll { now - $0.began > Self.patience }
        names.removeAll { now - $0.began > Self.memory }
        filled.removeAll { now - $0.began > Self.memory }
        return candidates.map { $0.began + Self.patience }.min()
    }

    /// Forgets what belongs to a connection that is gone.
    mutating func forget(connection: Int) {
        candidates.removeAll { $0.connection == connection }
        names.removeAll { $0.connection == connection }
    }

    /// Forgets forms of an account, or without a user name, that were submitted with a password that is no longer valid.
    mutating func forget(at origin: Origin, user: String, where isMeant: (SecretBytes) -> Bool) {
        candidates.removeAll { candidate in
            candidate.origin.origin == origin && (candidate.user.isEmpty || candidate.user == user)
                && isMeant(candidate.password)
        }
    }

    /// Forgets everything except the sites that the user never wants to be asked for.
    mutating func forgetAll() {
        candidates = []
        names = []
        filled = []
    }

    // MARK: User names

    /// Remembers a user name, besides those given in other fields since the last password. A name that Latchkey fills replaces all earlier
    /// ones.
    ///
    /// - Parameters:
    ///   - field: the field that it was given in; empty if Latchkey filled it.
    ///   - host: of the document that it was given in.
    ///   - site: the registrable domain of the host; `nil` where it has none.
    mutating func note(
        user: String, in field: String = "", connection: Int, tab: Int, host: String, site: String? = nil,
        at now: ContinuousClock.Instant
    ) {
        guard !user.isEmpty else { return }
        let site = site ?? host
        names.removeAll { name in
            name.isOf(connection, tab, site)
                && (name.isUsed || field.isEmpty || name.field.isEmpty || name.field == field || name.user == user)
        }
        names.append(
            Name(connection: connection, tab: tab, host: host, site: site, field: field, user: user, began: now))
        let steps = names.indices.filter { names[$0].isOf(connection, tab, site) }
        if steps.count > Self.stepLimit { names.remove(at: steps[0]) }
        if names.count > Self.nameLimit { names.removeFirst() }
    }

    /// The names that were given in a tab since the last password, the latest first: those of this very host, or of the site where there
    /// are none. Some sites ask for the name on one host and for the password on another.
    func users(
        connection: Int, tab: Int, host: String, site: String? = nil, at now: ContinuousClock.Instant
    ) -> [String] {
        let all = names.reversed().filter {
            $0.isOf(connection, tab, site ?? host) && now - $0.began <= Self.memory
        }
        let own = all.filter { $0.host == host }
        return (own.isEmpty ? all : own).map(\.user)
    }

    func user(
        connection: Int, tab: Int, host: String, site: String? = nil, at now: ContinuousClock.Instant
    ) -> String? {
        users(connection: connection, tab: tab, host: host, site: site, at: now).first
    }

    /// A password was sent off: names that are given from now on are those of another sign-in.
    mutating func useNames(connection: Int, tab: Int, site: String) {
        for index in names.indices where names[index].isOf(connection, tab, site) { names[index].isUsed = true }
    }

    // MARK: Generated passwords

    mutating func noteFilled(
        _ fingerprint: Data, at origin: Origin, session: String, kind: String, keeper: BundleIdentifier,
        at now: ContinuousClock.Instant
    ) {
        filled.removeAll { $0.fingerprint == fingerprint }
        filled.append(
            Filled(origin: origin, session: session, kind: kind, keeper: keeper, fingerprint: fingerprint, began: now))
        if filled.count > Self.filledLimit { filled.removeFirst() }
    }

    /// How a submitted password was generated; `nil` if it was not generated here.
    func filled(_ password: SecretBytes) -> Filled? {
        let fingerprint = HeldSecret.fingerprint(password, key)
        return filled.last { $0.fingerprint == fingerprint }
    }

    // MARK: Never

    private func fingerprint(of site: String) -> Data {
        let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
        return Data(HMAC<SHA256>.authenticationCode(for: Data(site.utf8), using: key))
    }

    mutating func setNever(_ sites: [String]) {
        never = Set(sites.map(fingerprint))
    }

    func isNever(_ site: String) -> Bool {
        !never.isEmpty && never.contains(fingerprint(of: site))
    }
}

extension SaveBook.Name {
    fileprivate func isOf(_ connection: Int, _ tab: Int, _ site: String) -> Bool {
        self.connection == connection && self.tab == tab && self.site == site
    }
}

extension SaveBook.Candidate {
    fileprivate func isOf(_ connection: Int, _ tab: Int, _ document: String) -> Bool {
        self.connection == connection && self.tab == tab && self.document == document
    }
}
