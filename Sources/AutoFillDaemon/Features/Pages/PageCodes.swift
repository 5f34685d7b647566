// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import SecurityCodes
internal import ShownText

/// Offers and fills one-time codes: those received in messages, and those that providers make.
@DaemonActor final class PageCodes {
    let broker: Broker
    let questions: UserQuestions
    let auditTrail: AuditTrail
    let runs: Runs
    let codeMessages: CodeMessages
    let pageSessions: PageSessions
    let pageRows: PageRows

    init(
        _ broker: Broker, questions: UserQuestions, auditTrail: AuditTrail, runs: Runs, codeMessages: CodeMessages,
        pageSessions: PageSessions,
        pageRows: PageRows
    ) {
        self.broker = broker
        self.questions = questions
        self.auditTrail = auditTrail
        self.runs = runs
        self.codeMessages = codeMessages
        self.pageSessions = pageSessions
        self.pageRows = pageRows
    }

    static let wantsCode = "the field asks for a code"
    static let isCode = "it holds one-time codes only"

    // MARK: The bar

    /// The rows for fields that ask for a code. They do not contain the codes: a code passes the gate after the user's choice.
    func codeSuggestions(
        for session: SuggestionBook.Session, named name: String, at place: VerifiedOrigin
    ) async throws -> Renderer.Suggestions.Answer {
        _ = try broker.requireUnlocked()
        let made = try await pageRows.matches(limit: 100, type: .oneTimeCode, place.origin) {
            [policy = broker.rules.policy] in policy.match($0, for: place.chain)
        }
        _ = try broker.requireUnlocked()
        let now = broker.time.now()
        let (offered, withheld) = CodeOffers(broker.rules.policy.suffixes).offers(
            of: codeMessages.codes.codes(at: now, lifetime: broker.preferences.codeSpan), in: place.chain)
        let ranked = made.map { found in
            (
                found: found,
                nearness: pageSessions.tabAccounts.nearness(
                    of: found.identity, found.provider, at: place.origin, in: session.tab, of: session.connection,
                    suffixes: broker.rules.policy.suffixes, now: now)
            )
        }
        func rows(_ isMeant: (TabAccounts.Nearness) -> Bool) -> [Row] {
            ranked.filter { isMeant($0.nearness) }.sorted { $0.nearness < $1.nearness }.map {
                madeRow($0.found, in: name, at: place)
            }
        }
        let bound = offered.filter { $0.standing != .unbound }.map { receivedRow($0, in: name, at: now) }
        let unbound = offered.filter { $0.standing == .unbound }.map { receivedRow($0, in: name, at: now) }
        // The account that was just signed in to comes first; unbound codes come last.
        var answer = Renderer.Suggestions.Answer(
            state: "ready", site: place.origin.host,
            suggestions: rows { $0 != .none } + bound + rows { $0 == .none } + unbound)
        answer.kind = CredentialType.oneTimeCode.rawValue
        answer.withheld = withheld.isEmpty ? nil : withheld
        return answer
    }

    private func madeRow(_ found: FoundIdentity, in session: String, at place: VerifiedOrigin) -> Row {
        var row = pageRows.row(found, in: session, at: place)
        row.code = CodeStatement(
            secondsLeft: found.identity.period.map { $0 - Int(broker.time.date() % Int64(max(1, $0))) })
        return row
    }

    private func receivedRow(
        _ offer: (code: ReceivedCode, standing: CodeOffers.Standing), in session: String,
        at now: ContinuousClock.Instant
    ) -> Row {
        let (code, standing) = offer
        let age = now - code.received
        var row = Row(
            handle: pageSessions.book.offer(code.identity, of: .receivedCodes, in: session),
            title: code.boundTo.map { "code for \($0)" } ?? "code", user: DisplayText(code.origin.words),
            provider: BundleIdentifier.receivedCodes.rawValue, fills: true)
        switch standing {
        case .site(let bound, _): (row.relation, row.savedFor) = ("sameSite", DisplayText(bound))
        case .unbound: row.relation = "unbound"
        case .bound, .refused: break
        }
        row.code = CodeStatement(
            id: code.id, source: code.origin.words, age: Int(age.components.seconds), boundTo: code.boundTo,
            secondsLeft: Int((broker.preferences.codeSpan - age).components.seconds))
        return row
    }

    // MARK: Filling

    /// Fills a received code that the user chose.
    func chooseReceived(
        _ choice: SuggestionBook.Choice, in session: SuggestionBook.Session, _ params: Renderer.Choose.Params,
        _ surface: AuthenticationPolicy.Surface, _ client: ClientConnection
    ) async throws -> Renderer.Choose.Answer {
        _ = try broker.requireUnlocked()
        guard case .success(let origin) = session.origin, session.asksForCode else {
            throw try broker.gate.refuse(
                choice.identity, of: choice.provider, requester: "a page", client: client.program,
                surface: params.surface, reason: "the page asks for no code")
        }
        let requester = origin.origin.description
        guard
            let code = codeMessages.codes.code(
                choice.identity.recordIdentifier ?? "", at: broker.time.now(), lifetime: broker.preferences.codeSpan)
        else { throw WireError(.expired, "The code was used or is too old.") }
        let (_, withheld) = CodeOffers(broker.rules.policy.suffixes).offers(
            of: codeMessages.codes.codes(at: broker.time.now(), lifetime: broker.preferences.codeSpan), in: origin.chain
        )
        let standing = CodeOffers(broker.rules.policy.suffixes).standing(of: code.binding, in: origin.chain)
        if case .refused = standing {
            throw try broker.gate.refuse(
                code.identity, of: choice.provider, requester: requester, client: client.program,
                surface: params.surface, reason: standing.refusedBecause)
        }
        let credential = HeldCredential(identity: code.identity, provider: choice.provider, password: code.secret)
        try requireFit(of: credential, in: session, origin, surface: surface, client: client)
        return try await runs.running(for: session, on: client) { [self] in
            try await self.fill(
                code, credential, standing, withheld: withheld, into: session, origin, surface: surface,
                sight: broker.sight(of: params, in: session), isUnasked: params.unasked == true, client: client)
        }
    }

    private func fill(
        _ code: ReceivedCode, _ credential: HeldCredential, _ standing: CodeOffers.Standing, withheld: [String],
        into session: SuggestionBook.Session, _ origin: VerifiedOrigin, surface: AuthenticationPolicy.Surface,
        sight: PlainSight, isUnasked: Bool, client: ClientConnection
    ) async throws -> Renderer.Choose.Answer {
        let digest = SealedRegistry.releaseDigest(
            origin: origin.origin.description, provider: credential.provider, identity: code.kind)
        // The user agrees outside the page once for each origin. If the message does not name this very host, the user is asked each time
        // in a frame, on a page without encryption, and while a code for another site is kept.
        let isPlain =
            origin.chain.ancestors.isEmpty && origin.origin.isPotentiallyTrustworthy && withheld.isEmpty
        // A code that names this very host is as an account that was saved for it.
        let isOwn = standing == .bound && isPlain
        let wasReleased = try broker.requireUnlocked().registry.wasReleased(digest)
        let act = try await agreement(
            toFill: code, credential, standing, origin, withheld: standing == .unbound ? withheld : [],
            surface: surface,
            isKnown: isOwn || wasReleased && (standing == .bound || isPlain), sight: sight, isUnasked: isUnasked,
            // Only a code bound to this very host; any other could come from a stranger's message.
            followsPassword: isOwn
                && pageSessions.tabAccounts.codeFollows(
                    nil, credential.provider, document: session.document, in: session.tab, of: client.number,
                    at: broker.time.now()),
            client: client)
        let confirmed = await pageSessions.confirm(session, on: client)
        let isKept =
            codeMessages.codes.code(code.id, at: broker.time.now(), lifetime: broker.preferences.codeSpan) != nil
        let secret = try broker.release(
            credential,
            for: MessageCode(code.secret, binding: code.binding, chosen: origin, confirmed: confirmed), act: act,
            client: client.program, ended: isKept ? nil : "the code was used or is too old")
        codeMessages.codes.use(code, at: broker.time.now())
        auditTrail.remember(digest)
        codeMessages.tellOfChange()
        return .init(
            tab: session.tab, frame: session.frame, document: session.document,
            fills: CodeSpread(session.fields).fills(secret))
    }

    private func agreement(
        toFill code: ReceivedCode, _ credential: HeldCredential, _ standing: CodeOffers.Standing,
        _ origin: VerifiedOrigin, withheld: [String], surface: AuthenticationPolicy.Surface, isKnown: Bool,
        sight: PlainSight, isUnasked: Bool, followsPassword: Bool, client: ClientConnection
    ) async throws -> UserAct {
        let subject = ActSubject(
            identity: credential.identity, provider: credential.provider, destination: .document(origin),
            epoch: broker.epoch)
        let choice = UserChoice(
            surface: surface, isFill: true, isSettled: isKnown, guardHeld: sight.report.held,
            demanded: sight.doubts.isEmpty ? .nothing : .confirmation, followsPassword: followsPassword)
        if let act = questions.unaskedAct(on: subject, by: choice) { return act }
        if isUnasked { throw WireError(.userCanceled, "It would have to be asked about.") }
        let requirement = broker.requirement(of: choice)
        var question = PromptDesk.Question(
            kind: requirement == .confirmation ? .confirm : .authenticate, requester: client.requester,
            site: origin.origin.description, provider: code.origin.words)
        question.thing = "code"
        question.isRoutine = true
        question.reasons = [DisplayText(standing.sentence, .sentence)]
        question.reasons += sight.doubts.sentences.map { DisplayText($0, .sentence) }
        // Codes of messages belong to no account, for which a yes could hold.
        if sight.isUnstatedAlone { question.reasons.append(UserConsents.sentence(of: sight, once: nil)) }
        question.reasons += withheld.map { "A code for \($0) has come too; it is not for this page." }
        if !origin.chain.ancestors.isEmpty { question.top = DisplayText(origin.chain.top.description) }
        if !origin.origin.isPotentiallyTrustworthy { question.reasons.append("The page comes without encryption.") }
        return try await questions.askedAct(
            on: subject, by: question, as: origin.origin.description, over: client, surface: surface,
            requirement: requirement, otherwise: broker.standingAuthentication(isFill: true))
    }

    /// Refuses a code that does not fit the fields, before the user is asked and before the code is used up.
    func requireFit(
        of credential: HeldCredential, in session: SuggestionBook.Session, _ origin: VerifiedOrigin,
        surface: AuthenticationPolicy.Surface, client: ClientConnection
    ) throws {
        guard let misfit = CodeSpread(session.fields).misfit(of: credential.password) else { return }
        throw try broker.gate.refuse(
            credential.identity, of: credential.provider, requester: origin.origin.description,
            client: client.program, surface: surface.rawValue, reason: misfit)
    }

}
