// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import ShownText

/// The first half of a suggestion's life: focus and look-up. `Broker+Release.swift` has the second.
extension Broker {
    // MARK: Focus

    /// Whether the bar is to be shown. It depends on the fields, the switch and the one bit whether anything is saved at all, and
    /// on nothing else. It is not isolated: while a look-up keeps this actor busy the page has its answer all the same.
    /// By itself it is no activity: a script moves the focus, too. Only what the browser knows of the user's own acts counts.
    nonisolated func focused(
        _ params: Browser.Focused.Params, on client: ClientConnection
    ) async -> Browser.Focused.Answer {
        front.answer(params, connection: client.number, at: time.now())
    }

    func left(_ params: Browser.Left.Params, on client: ClientConnection) {
        for run in runs.values where run.isFor(client.number, params.tab, params.document) { run.cancel() }
        book.end { session in
            session.connection == client.number && session.tab == params.tab
                && (params.document == nil || params.document == session.document)
        }
        if params.document == nil {
            tabAccounts.forget(tab: params.tab, of: client.number)
            tellObservers { $0.tabWasLeft(params.tab, of: client) }
        }
    }

    // MARK: Look-up

    func suggestions(session name: String, on client: ClientConnection) async throws -> Browser.Suggestions.Answer {
        let session = try session(name, client)
        guard isInitialized else { return .init(state: "uninitialized", suggestions: []) }
        guard unlocked != nil else { return .init(state: "locked", suggestions: []) }
        switch session.origin {
        case .failure(let refusal):
            return .init(state: "ready", suggestions: [], refusal: "Nothing is offered here: \(refusal.rawValue).")
        case .success(let verified) where session.newPassword != nil:
            return .init(
                state: "ready", site: verified.origin.host, suggestions: [],
                strong: try strongOffer(at: verified.origin, in: name))
        case .success(let verified) where session.asksForCode:
            return try await codeSuggestions(for: session, named: name, at: verified)
        case .success(let verified):
            let found = try await matches(limit: 100, verified.origin) {
                [policy = rules.policy] in policy.match($0, for: verified.chain)
            }
            let imitated = found.isEmpty ? try await lookalike(verified.origin)?.savedFor : nil
            // The form may be gone by now, and then nobody gets a handle.
            let session = try self.session(name, client)
            let (first, others) = continued(found, in: session)
            let rows =
                (first + others).enumerated().map { index, found in
                    var row = row(found, in: name, at: verified)
                    if index < first.count { row.continues = true }
                    if isConverted(found.identity, of: found.provider) {
                        row.title = "old password for \(verified.origin.written), which signs in with Apple now"
                    }
                    return row
                }
                + unsettled(at: verified).map { found in
                    var row = row(found, in: name, at: verified)
                    row.title = "new password for \(verified.origin.written), not confirmed yet"
                    return row
                }
            return .init(
                state: "ready", site: verified.origin.host, suggestions: rows,
                lookalike: rows.isEmpty ? imitated : nil)
        }
    }

    /// Where a form asks for a password alone, what was filled in this tab before: the page before it may have asked for the name.
    private func continued(_ found: [Found], in session: SuggestionBook.Session) -> (first: [Found], others: [Found]) {
        guard !session.fields.contains(where: { $0.role == FieldRole.username.rawValue }),
            let account = tabAccounts.account(in: session.tab, of: session.connection, at: time.now())
        else { return ([], found) }
        let isMeant = { (found: Found) in TabAccounts.Account(found.identity, of: found.provider) == account }
        return (found.filter(isMeant), found.filter { !isMeant($0) })
    }

    /// "All Passwords…": everything, with the reason where it may not go to this page.
    func list(_ params: Browser.List.Params, on client: ClientConnection) async throws -> Browser.List.Answer {
        _ = try session(params.session, client)
        _ = try requireUnlocked()
        try await requireUser(toListFor: params.session, on: client)
        let size = 100
        var found: [(provider: BundleIdentifier, identities: [CredentialIdentity])] = []
        var count = 0
        var next = ListCursor(rawValue: params.cursor ?? 0)
        let order = try requireUnlocked().order
        let late = time.now() + StoreWork.patience
        while next.provider < order.count, count < size {
            let (provider, place, wanted) = (order[next.provider], next.place, size - count)
            let page = try await reading(of: [provider]) {
                try $0.page(search: params.search, from: place, limit: wanted)
            }.first?.value
            if let page, !page.identities.isEmpty {
                found.append((provider, page.identities))
                count += page.identities.count
            }
            next = page?.next.map { next.at($0) } ?? next.nextProvider
            // A search through very much goes on with the next page.
            guard time.now() < late else { break }
        }
        // The form may be gone by now, and then nobody gets a handle.
        let session = try session(params.session, client)
        let keys = try requireUnlocked()
        let rows = found.flatMap { provider, identities in
            identities.map { listed($0, of: provider, session, named: params.session) }
        }
        return .init(
            rows: rows, cursor: next.provider < order.count ? next.rawValue : nil,
            providers: order.filter { hasList($0, ofCodes: session.asksForCode) }.map { provider in
                ProviderName(
                    identifier: provider.rawValue,
                    name: DisplayText(keys.registry.provider(provider)?.enabled?.name ?? provider.rawValue))
            })
    }

    /// All sites and user names stand in the list. So where the preference asks who the user is, that comes before it opens: once for each
    /// form, however often it is searched.
    private func requireUser(toListFor name: String, on client: ClientConnection) async throws {
        guard !authentication.isAuthenticated(at: time.now()), !book.isListed(name) else { return }
        let locks = lockCount
        var question = PromptDesk.Question(kind: .passwords, requester: client.requester)
        question.thing = "list"
        try await askUser(question, as: "list", over: client)
        guard lockCount == locks else { throw Self.lockedMeanwhile }
        book.noteListed(name)
    }

    /// Whether a provider of other people has a list of its own: of passwords or of codes, or of any of the two.
    func hasList(_ provider: BundleIdentifier, ofCodes wantsCode: Bool? = nil) -> Bool {
        let words = [false: "passwords", true: "one-time-codes"].filter { wantsCode == nil || $0.key == wantsCode }
        return words.values.contains { provided[provider]?.contains($0) == true }
    }

    /// A row of "All Passwords…".
    private func listed(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, _ session: SuggestionBook.Session,
        named name: String
    ) -> Row {
        if (identity.type == .oneTimeCode) != session.asksForCode {
            return unfillable(identity, of: provider, because: session.asksForCode ? Self.wantsCode : Self.isCode)
        }
        switch session.origin {
        case .failure(let refusal):
            return unfillable(identity, of: provider, because: refusal.rawValue)
        case .success where session.newPassword != nil:
            return unfillable(identity, of: provider, because: "the field takes a new password")
        case .success(let verified):
            let saved = SavedService(identity)
            let match = rules.policy.match(saved, for: verified.chain)
            guard let refusal = match.refusal else {
                return row(Found(provider: provider, identity: identity, match: match), in: name, at: verified)
            }
            var row = unfillable(identity, of: provider, because: refusal.rawValue)
            if rules.policy.mayBeUsedAnyway(saved, in: verified.chain) {
                row.handle = book.offer(identity, of: provider, in: name)
                row.anyway = true
            }
            return row
        }
    }

    /// Where a page of the list begins: a provider's place in the order, and a place in its store. A number that JavaScript has whole.
    private struct ListCursor {
        private static let bits = 44
        let rawValue: Int

        var provider: Int { rawValue >> Self.bits }
        var place: Int64 { Int64(rawValue & (1 << Self.bits - 1)) }

        init(rawValue: Int) {
            self.rawValue = max(0, rawValue)
        }

        func at(_ place: Int64) -> ListCursor {
            .init(rawValue: provider << Self.bits | Int(place) & (1 << Self.bits - 1))
        }

        var nextProvider: ListCursor { .init(rawValue: (provider + 1) << Self.bits) }
    }

    /// What would be offered for a URL, for people and scripts.
    func suggestions(url: String) async throws -> [Suggestion] {
        _ = try requireUnlocked()
        guard let origin = Origin(written: url) else {
            throw WireError(.invalidParams, "\(url) is no http or https URL.")
        }
        return try await matches(limit: .max, origin) {
            [policy = rules.policy] in policy.match($0, supposing: origin)
        }.map { found in
            let identity = found.identity
            return Suggestion(
                provider: found.provider.rawValue, service: identity.service.value, user: identity.user,
                recordIdentifier: identity.recordIdentifier, type: identity.type.rawValue, rank: identity.rank)
        }
    }

    /// An identity that may be offered, and why.
    struct Found: Sendable {
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        let match: Match
    }

    /// How many of other hosts are offered below those of the exact one: a site may have hosts without number.
    nonisolated private static let relatedLimit = 100

    /// Identities that match: those of the very host first, then those of others; among equals by provider order, rank, then
    /// recency (the order in which a store returns them).
    ///
    /// - Parameter limit: for each provider: what one advertises must not crowd out the others.
    func matches(
        limit: Int, type: CredentialType = .password, _ origin: Origin,
        _ decide: @escaping @Sendable (SavedService) -> Match
    ) async throws -> [Found] {
        _ = try requireUnlocked()
        let words = rules.terms.terms(for: origin)
        let found = try await lookup(words) { provider, identities in
            let offered =
                identities
                .filter { $0.type == type }
                .map { Found(provider: provider, identity: $0, match: decide(SavedService($0))) }
                .filter(\.match.isOffered)
            let sorted = Self.withoutRepetition(offered.sorted(by: Self.isBefore))
            let exact = sorted.prefix { $0.match.decision == .exact }
            return Array((exact + sorted[exact.endIndex...].prefix(Self.relatedLimit)).prefix(limit))
        }
        return found.flatMap(\.value).sorted { $0.match.rank < $1.match.rank }
    }

    /// Sorting is stable, so that recency stays behind rank.
    nonisolated private static func isBefore(_ one: Found, _ other: Found) -> Bool {
        (one.match.rank, other.identity.rank) < (other.match.rank, one.identity.rank)
    }

    /// One credential that was saved for several hosts of a site is one row: the best.
    nonisolated private static func withoutRepetition(_ found: [Found]) -> [Found] {
        var seen: Set<String> = []
        return found.filter { found in
            guard let record = found.identity.recordIdentifier else { return true }
            return seen.insert(record + "\u{0}" + found.identity.user).inserted
        }
    }

    /// What a page without matches imitates.
    private func lookalike(_ origin: Origin) async throws -> Lookalike? {
        let words = rules.lookalikes.terms(for: origin)
        guard !words.isEmpty else { return nil }
        let candidates = try await lookup(words) { $1 }.flatMap(\.value)
        return rules.lookalikes.warning(for: origin, among: candidates.map(SavedService.init))
    }

    func session(_ name: String, _ client: ClientConnection) throws -> SuggestionBook.Session {
        guard let session = book.session(name, of: client.number, at: time.now()) else {
            throw WireError(.expired, "The form that asked is gone.")
        }
        return session
    }

    func row(_ found: Found, in session: String, at place: VerifiedOrigin) -> Row {
        let (identity, provider, match) = (found.identity, found.provider, found.match)
        return Row(
            handle: book.offer(identity, of: provider, in: session), title: title(identity),
            user: DisplayText(identity.user, placeholder: ""), provider: provider.rawValue,
            providerName: shownName(of: provider), fills: true,
            relation: match.needsLabel ? match.decision.word : nil,
            savedFor: match.needsLabel ? DisplayText(match.savedFor) : nil,
            top: open(match, for: identity, of: provider, in: place.chain).lazy.compactMap { consent in
                if case .frame(let top, _) = consent { DisplayText(top.description) } else { nil }
            }.first)
    }

    private func unfillable(_ identity: CredentialIdentity, of provider: BundleIdentifier, because reason: String)
        -> Row
    {
        Row(
            title: title(identity), user: DisplayText(identity.user, placeholder: ""), provider: provider.rawValue,
            providerName: shownName(of: provider), fills: false, refusal: DisplayText(reason))
    }

    /// Whose account it is; nobody asks where there is one provider.
    private func shownName(of provider: BundleIdentifier) -> DisplayText? {
        (unlocked?.stores.count ?? 0) > 1 ? DisplayText(name(of: provider)) : nil
    }

    private func title(_ identity: CredentialIdentity) -> DisplayText {
        let service = Origin(written: identity.service.value)?.written ?? identity.service.value
        return identity.type == .oneTimeCode ? "code for \(service)" : "password for \(service)"
    }
}
