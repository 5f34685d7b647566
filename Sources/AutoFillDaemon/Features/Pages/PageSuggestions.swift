// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import FormAnalysis
internal import ShownText

/// Finds the suggestions for a focused form. `PageFilling` fills the chosen one.
@DaemonActor final class PageSuggestions {
    let broker: Broker
    let stores: IdentityStores
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let pending: PendingPasswords
    let convertedAccounts: ConvertedAccounts
    let pageSessions: PageSessions
    let pageRows: PageRows
    let pageCodes: PageCodes
    let newPasswords: NewPasswords

    init(
        _ broker: Broker, stores: IdentityStores, questions: UserQuestions, abilities: ProviderAbilities,
        pending: PendingPasswords, convertedAccounts: ConvertedAccounts, pageSessions: PageSessions,
        pageRows: PageRows, pageCodes: PageCodes,
        newPasswords: NewPasswords
    ) {
        self.broker = broker
        self.stores = stores
        self.questions = questions
        self.abilities = abilities
        self.pending = pending
        self.convertedAccounts = convertedAccounts
        self.pageSessions = pageSessions
        self.pageRows = pageRows
        self.pageCodes = pageCodes
        self.newPasswords = newPasswords
    }

    // MARK: Look-up

    func suggestions(session name: String, on client: ClientConnection) async throws -> Renderer.Suggestions.Answer {
        let session = try pageSessions.session(name, client)
        guard broker.isInitialized else { return .init(state: "uninitialized", suggestions: []) }
        guard broker.unlocked != nil else { return .init(state: "locked", suggestions: []) }
        switch session.origin {
        case .failure(let refusal):
            return .init(state: "ready", suggestions: [], refusal: "Nothing is offered here: \(refusal.rawValue).")
        case .success(let verified) where session.newPassword != nil:
            return .init(
                state: "ready", site: verified.origin.host, suggestions: [],
                strong: try newPasswords.strongOffer(at: verified.origin, in: name))
        case .success(let verified) where session.asksForCode:
            return try await pageCodes.codeSuggestions(for: session, named: name, at: verified)
        case .success(let verified):
            let found = try await pageRows.matches(limit: 100, verified.origin) {
                [policy = broker.rules.policy] in policy.match($0, for: verified.chain)
            }
            let imitated = found.isEmpty ? try await pageRows.lookalike(verified.origin)?.savedFor : nil
            // The form may be gone by now; then no handle is made.
            let session = try self.pageSessions.session(name, client)
            let (first, others) = continued(found, in: session)
            let rows =
                (first + others).enumerated().map { index, found in
                    var row = pageRows.row(found, in: name, at: verified)
                    if index < first.count { row.continues = true }
                    if convertedAccounts.isConverted(found.identity, of: found.provider) {
                        row.title = "old password for \(verified.origin.written), which signs in with Apple now"
                    }
                    return row
                }
                + pending.unsettled(at: verified).map { found in
                    var row = pageRows.row(found, in: name, at: verified)
                    row.title = "new password for \(verified.origin.written), not confirmed yet"
                    return row
                }
            return .init(
                state: "ready", site: verified.origin.host, suggestions: rows,
                lookalike: rows.isEmpty ? imitated : nil)
        }
    }

    /// For a form that asks for a password alone, puts the account last filled in this tab first. The page before may have asked for its
    /// name.
    private func continued(_ found: [FoundIdentity], in session: SuggestionBook.Session) -> (
        first: [FoundIdentity], others: [FoundIdentity]
    ) {
        guard !session.fields.contains(where: { $0.role == FieldRole.username.rawValue }),
            let account = pageSessions.tabAccounts.account(
                in: session.tab, of: session.connection, at: broker.time.now())
        else { return ([], found) }
        let isMeant = { (found: FoundIdentity) in TabAccounts.Account(found.identity, of: found.provider) == account }
        return (found.filter(isMeant), found.filter { !isMeant($0) })
    }

    /// The list "All Passwords…": every identity, with the reason if it may not go to this page.
    func list(_ params: Renderer.List.Params, on client: ClientConnection) async throws -> Renderer.List.Answer {
        _ = try pageSessions.session(params.session, client)
        _ = try broker.requireUnlocked()
        try await requireUser(toListFor: params.session, on: client)
        let size = 100
        var found: [(provider: BundleIdentifier, identities: [CredentialIdentity])] = []
        var count = 0
        var next = ListCursor(rawValue: params.cursor ?? 0)
        let order = try broker.requireUnlocked().order
        let late = broker.time.now() + StoreWork.patience
        while next.provider < order.count, count < size {
            let (provider, place, wanted) = (order[next.provider], next.place, size - count)
            let page = try await stores.reading(of: [provider]) {
                try $0.page(search: params.search, from: place, limit: wanted)
            }.first?.value
            let identities = (page?.identities ?? []).filter { $0.type != .passkey }
            if !identities.isEmpty {
                found.append((provider, identities))
                count += identities.count
            }
            next = page?.next.map { next.at($0) } ?? next.nextProvider
            // A search that takes too long continues with the next page of the list.
            guard broker.time.now() < late else { break }
        }
        // The form may be gone by now; then no handle is made.
        let session = try pageSessions.session(params.session, client)
        _ = try broker.requireUnlocked()
        let rows = found.flatMap { provider, identities in
            identities.map { listed($0, of: provider, session, named: params.session) }
        }
        return .init(
            rows: rows, cursor: next.provider < order.count ? next.rawValue : nil,
            providers: order.filter { abilities.hasList($0, ofCodes: session.asksForCode) }.map { provider in
                ProviderName(identifier: provider.rawValue, name: DisplayText(broker.name(of: provider)))
            })
    }

    /// Authenticates the user before the list opens, if fills are asked about: the list shows all sites and user names. Once for each form,
    /// however often it is searched.
    private func requireUser(toListFor name: String, on client: ClientConnection) async throws {
        guard broker.requirement(of: UserChoice(surface: .popup, isFill: true)) != .nothing,
            !pageSessions.book.isListed(name)
        else { return }
        let unlocked = try broker.unlockedSession()
        var question = PromptDesk.Question(kind: .passwords, requester: client.requester)
        question.thing = "list"
        question.isRoutine = true
        try await questions.askUser(question, as: "list", over: client)
        try unlocked.check()
        pageSessions.book.noteListed(name)
    }

    /// A row of "All Passwords…".
    private func listed(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, _ session: SuggestionBook.Session,
        named name: String
    ) -> Row {
        if (identity.type == .oneTimeCode) != session.asksForCode {
            return pageRows.unfillable(
                identity, of: provider, because: session.asksForCode ? PageCodes.wantsCode : PageCodes.isCode)
        }
        switch session.origin {
        case .failure(let refusal):
            return pageRows.unfillable(identity, of: provider, because: refusal.rawValue)
        case .success where session.newPassword != nil:
            return pageRows.unfillable(identity, of: provider, because: "the field takes a new password")
        case .success(let verified):
            let saved = SavedService(identity)
            let match = broker.rules.policy.match(saved, for: verified.chain)
            guard let refusal = match.refusal else {
                return pageRows.row(
                    FoundIdentity(provider: provider, identity: identity, match: match), in: name, at: verified)
            }
            var row = pageRows.unfillable(identity, of: provider, because: refusal.rawValue)
            if broker.rules.policy.mayBeUsedAnyway(saved, in: verified.chain) {
                row.handle = pageSessions.book.offer(identity, of: provider, in: name)
                row.anyway = true
            }
            return row
        }
    }

    /// The start of a page of the list: a provider's place in the order, and a place in its store. JavaScript represents the number
    /// exactly.
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

    /// The identities that would be offered for a URL, for the command line.
    func suggestions(url: String) async throws -> [Suggestion] {
        _ = try broker.requireUnlocked()
        guard let origin = Origin(written: url) else {
            throw WireError(.invalidParams, "\(url) is not an http or https URL.")
        }
        var bytes = 0
        return try await pageRows.matches(limit: .max, origin) {
            [policy = broker.rules.policy] in policy.match($0, supposing: origin)
        }.map { found in
            let identity = found.identity
            return Suggestion(
                provider: found.provider.rawValue, service: identity.service.value, user: identity.user,
                recordIdentifier: identity.recordIdentifier, type: identity.type.rawValue, rank: identity.rank)
        }.prefix { suggestion in
            // A provider can have more and longer names than one message holds, so the list ends early. In JSON a byte takes six at most.
            bytes +=
                6
                * (suggestion.service.utf8.count + suggestion.user.utf8.count
                    + (suggestion.recordIdentifier?.utf8.count ?? 0)) + 200
            return bytes <= Self.answerBytes
        }
    }

    /// How much one answer to the command line may hold, in bytes of JSON; a message holds 1 MiB.
    private static let answerBytes = 900 << 10
}
