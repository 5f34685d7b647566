// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging
internal import SecurityCodes
internal import ShownText

/// Security codes: those that come in messages, and those that providers make.
extension Broker {
    /// Other codes are kept by now: says so to every bar and to every surface on which an app asks for one.
    func codesChanged() {
        tellBrowsers()
        tellObservers { $0.codesChanged() }
    }

    static let wantsCode = "the field asks for a code"
    static let isCode = "it makes codes, which no field for a password gets"

    // MARK: Coming in

    /// What a source brings. Of the texts of a message the first that has a code is it; they are read where the source runs, however
    /// long they are, and nothing else waits for that.
    nonisolated func received(_ delivery: CodeDelivery, from origin: CodeOrigin) async {
        let texts: [SecretBytes]
        switch delivery {
        case .mail(let mail):
            await keep(ReceivedCode(mail, from: origin, at: time.now()))
            return
        case .texts(let found): texts = found
        }
        for text in texts {
            guard let code = ReceivedCode.read(text, from: origin, at: time.now()).code else { continue }
            await keep(code)
            return
        }
    }

    /// `latchkey code offer`.
    nonisolated func offerCode(_ params: Codes.Offer.Params) async throws -> Codes.Offer.Answer {
        let (code, reason) = ReceivedCode.read(params.message.bytes, from: .command, at: time.now())
        guard await isInitialized else {
            throw WireError(.notInitialized, "There is nothing here yet.", hint: "Begin with `latchkey init`.")
        }
        guard let code else { return .init(found: false, reason: reason.description) }
        guard await keep(code) != .used else {
            return .init(
                found: true, offered: false, reason: "It was used already.", boundTo: code.boundTo,
                embedded: code.embedded)
        }
        return .init(
            found: true, offered: true, reason: reason.description, boundTo: code.boundTo, embedded: code.embedded,
            seconds: Int(await preferences.codeSpan.components.seconds))
    }

    /// Keeps a code; an open bar and the open surface of an app that may have it show it at once.
    @discardableResult private func keep(_ code: ReceivedCode) -> CodeShelf.Addition {
        guard isInitialized else { return .known }
        let addition = codes.add(code, lifetime: preferences.codeSpan)
        guard addition == .new else { return addition }
        // Neither the text nor the code, nor for which site it is.
        logger.info("a code came in", metadata: ["from": "\(code.origin.rawValue)"])
        codesChanged()
        return .new
    }

    /// What a source says of itself.
    func codeSource(_ origin: CodeOrigin, is state: CodeSourceState) {
        codeSources[origin] = state
    }

    /// For `status`.
    func codeStatements() -> [CodeSourceStatement] {
        CodeOrigin.allCases.map { origin in
            guard origin != .command else {
                return .init(name: origin.rawValue, state: "ready", detail: "`latchkey code offer` reads a message")
            }
            let state = codeSources[origin] ?? .off("it has not begun")
            return .init(name: origin.rawValue, state: state.word, detail: state.detail)
        }
    }

    /// Has a maildir watched, the present one at once.
    func setMaildirWatch(_ watch: @escaping @Sendable (String?) -> Void) {
        watchMaildir = watch
        watch(preferences.codeMaildir)
    }

    // MARK: The bar

    /// The rows for fields that ask for a code. Nothing in them is a code: those pass the gate, after the choice.
    func codeSuggestions(
        for session: SuggestionBook.Session, named name: String, at place: VerifiedOrigin
    ) async throws -> Browser.Suggestions.Answer {
        _ = try requireUnlocked()
        let made = try await matches(limit: 100, type: .oneTimeCode, place.origin) {
            [policy = rules.policy] in policy.match($0, for: place.chain)
        }
        _ = try requireUnlocked()
        let now = time.now()
        let (offered, withheld) = CodeOffers(rules.policy.suffixes).offers(
            of: codes.codes(at: now, lifetime: preferences.codeSpan), in: place.chain)
        let ranked = made.map { found in
            (
                found: found,
                nearness: tabAccounts.nearness(
                    of: found.identity, found.provider, at: place.origin, in: session.tab, of: session.connection,
                    suffixes: rules.policy.suffixes, now: now)
            )
        }
        func rows(_ isMeant: (TabAccounts.Nearness) -> Bool) -> [Row] {
            ranked.filter { isMeant($0.nearness) }.sorted { $0.nearness < $1.nearness }.map {
                madeRow($0.found, in: name, at: place)
            }
        }
        let bound = offered.filter { $0.standing != .unbound }.map { receivedRow($0, in: name, at: now) }
        let unbound = offered.filter { $0.standing == .unbound }.map { receivedRow($0, in: name, at: now) }
        // The account that was just signed in to comes first; what is bound to nothing comes last.
        var answer = Browser.Suggestions.Answer(
            state: "ready", site: place.origin.host,
            suggestions: rows { $0 != .none } + bound + rows { $0 == .none } + unbound)
        answer.kind = CredentialType.oneTimeCode.rawValue
        answer.withheld = withheld.isEmpty ? nil : withheld
        return answer
    }

    private func madeRow(_ found: Found, in session: String, at place: VerifiedOrigin) -> Row {
        var row = row(found, in: session, at: place)
        row.code = CodeStatement(
            secondsLeft: found.identity.period.map { $0 - Int(time.date() % Int64(max(1, $0))) })
        return row
    }

    private func receivedRow(
        _ offer: (code: ReceivedCode, standing: CodeOffers.Standing), in session: String,
        at now: ContinuousClock.Instant
    ) -> Row {
        let (code, standing) = offer
        let age = now - code.received
        var row = Row(
            handle: book.offer(code.identity, of: .receivedCodes, in: session),
            title: code.boundTo.map { "code for \($0)" } ?? "code", user: DisplayText(code.origin.words),
            provider: BundleIdentifier.receivedCodes.rawValue, fills: true)
        switch standing {
        case .site(let bound, _): (row.relation, row.savedFor) = ("sameSite", DisplayText(bound))
        case .unbound: row.relation = "unbound"
        case .bound, .refused: break
        }
        row.code = CodeStatement(
            id: code.id, source: code.origin.words, age: Int(age.components.seconds), boundTo: code.boundTo,
            secondsLeft: Int((preferences.codeSpan - age).components.seconds))
        return row
    }

    // MARK: Filling

    /// The user chose a code that came in a message.
    func chooseReceived(
        _ choice: SuggestionBook.Choice, in session: SuggestionBook.Session, _ params: Browser.Choose.Params,
        _ surface: AuthenticationPolicy.Surface, _ client: ClientConnection
    ) async throws -> Browser.Choose.Answer {
        _ = try requireUnlocked()
        guard case .success(let origin) = session.origin, session.asksForCode else {
            throw try gate.refuse(
                choice.identity, of: choice.provider, requester: "a page", client: client.program,
                surface: params.surface, reason: "the page asks for no code")
        }
        let requester = origin.origin.description
        guard
            let code = codes.code(
                choice.identity.recordIdentifier ?? "", at: time.now(), lifetime: preferences.codeSpan)
        else { throw WireError(.expired, "The code was used or is too old.") }
        let (_, withheld) = CodeOffers(rules.policy.suffixes).offers(
            of: codes.codes(at: time.now(), lifetime: preferences.codeSpan), in: origin.chain)
        let standing = CodeOffers(rules.policy.suffixes).standing(of: code.binding, in: origin.chain)
        if case .refused = standing {
            throw try gate.refuse(
                code.identity, of: choice.provider, requester: requester, client: client.program,
                surface: params.surface, reason: standing.refusedBecause)
        }
        let credential = HeldCredential(identity: code.identity, provider: choice.provider, password: code.secret)
        try requireFit(of: credential, in: session, origin, surface: surface, client: client)
        return try await running(for: session, on: client) { broker in
            try await broker.fill(
                code, credential, standing, withheld: withheld, into: session, origin, surface: surface,
                guardHeld: params.guard?.held == true, unseen: UnseenFields(params.unseen, in: session.fields),
                client: client)
        }
    }

    private func fill(
        _ code: ReceivedCode, _ credential: HeldCredential, _ standing: CodeOffers.Standing, withheld: [String],
        into session: SuggestionBook.Session, _ origin: VerifiedOrigin, surface: AuthenticationPolicy.Surface,
        guardHeld: Bool, unseen: UnseenFields, client: ClientConnection
    ) async throws -> Browser.Choose.Answer {
        let digest = SealedRegistry.releaseDigest(
            origin: origin.origin.description, provider: credential.provider, identity: code.kind)
        // The user says so outside of the page, once for each origin. Where the message does not name this very host itself: in a
        // frame, without encryption, and while a code is kept that is bound to another site, each time.
        let isPlain =
            origin.chain.ancestors.isEmpty && origin.origin.isPotentiallyTrustworthy && withheld.isEmpty
        let wasReleased = try requireUnlocked().registry.wasReleased(digest)
        let act = try await agreement(
            toFill: code, credential, standing, origin, withheld: standing == .unbound ? withheld : [],
            surface: surface,
            isKnown: wasReleased && (standing == .bound || isPlain), guardHeld: guardHeld, unseen: unseen,
            // One that is bound to this very host; a message of a stranger could bring any other.
            followsPassword: standing == .bound && isPlain
                && tabAccounts.codeFollows(
                    nil, credential.provider, document: session.document, in: session.tab, of: client.number,
                    at: time.now()),
            client: client)
        let confirmed = await confirm(session, on: client)
        let isKept = codes.code(code.id, at: time.now(), lifetime: preferences.codeSpan) != nil
        let secret = try release(
            credential,
            for: MessageCode(code.secret, binding: code.binding, chosen: origin, confirmed: confirmed), act: act,
            client: client.program, ended: isKept ? nil : "the code was used or is too old")
        codes.use(code, at: time.now())
        remember(digest)
        codesChanged()
        return .init(
            tab: session.tab, frame: session.frame, document: session.document,
            fills: CodeSpread(session.fields).fills(secret))
    }

    private func agreement(
        toFill code: ReceivedCode, _ credential: HeldCredential, _ standing: CodeOffers.Standing,
        _ origin: VerifiedOrigin, withheld: [String], surface: AuthenticationPolicy.Surface, isKnown: Bool,
        guardHeld: Bool, unseen: UnseenFields,
        followsPassword: Bool, client: ClientConnection
    ) async throws -> UserAct {
        let subject = ActSubject(
            identity: credential.identity, provider: credential.provider, destination: .document(origin),
            epoch: epoch)
        let choice = UserChoice(
            surface: surface, wasReleasedBefore: isKnown, guardHeld: guardHeld,
            demanded: unseen.isEmpty ? .nothing : .confirmation, followsPassword: followsPassword)
        if let act = unaskedAct(on: subject, by: choice) { return act }
        let requirement = requirement(of: choice)
        var question = PromptDesk.Question(
            kind: requirement == .confirmation ? .confirm : .authenticate, requester: client.requester,
            site: origin.origin.description, provider: code.origin.words)
        question.thing = "code"
        question.reasons = [DisplayText(standing.sentence, .sentence)]
        if let sentence = unseen.sentence { question.reasons.append(DisplayText(sentence, .sentence)) }
        question.reasons += withheld.map { "A code for \($0) has come too; it is not for this page." }
        if !origin.chain.ancestors.isEmpty { question.top = DisplayText(origin.chain.top.description) }
        if !origin.origin.isPotentiallyTrustworthy { question.reasons.append("The page comes without encryption.") }
        return try await askedAct(
            on: subject, by: question, as: origin.origin.description, over: client, surface: surface,
            requirement: requirement, otherwise: standingAuthentication)
    }

    /// Refuses a code that does not fit into the fields, before anybody is asked and before it is gone.
    func requireFit(
        of credential: HeldCredential, in session: SuggestionBook.Session, _ origin: VerifiedOrigin,
        surface: AuthenticationPolicy.Surface, client: ClientConnection
    ) throws {
        guard let misfit = CodeSpread(session.fields).misfit(of: credential.password) else { return }
        throw try gate.refuse(
            credential.identity, of: credential.provider, requester: origin.origin.description,
            client: client.program, surface: surface.rawValue, reason: misfit)
    }

    // MARK: Explaining

    /// What becomes of each code that is kept, at a place.
    func explainedCodes(_ standing: (CodeOffers, SecurityCode) -> CodeOffers.Standing) -> [ExplainedCode] {
        let offers = CodeOffers(rules.policy.suffixes)
        let now = time.now()
        return codes.codes(at: now, lifetime: preferences.codeSpan).map { code in
            let verdict = standing(offers, code.binding)
            var reasons: [String] = []
            if let host = code.boundTo {
                let frame = code.embedded.map { ", for frames of \($0)" } ?? ""
                reasons.append("Its message binds it to \(host)\(frame).")
            }
            reasons.append(verdict.sentence)
            var isOffered = preferences.autoFill
            if case .refused = verdict { isOffered = false }
            if !preferences.autoFill { reasons.append("AutoFill is switched off.") }
            return ExplainedCode(
                source: code.origin.words, age: Int((now - code.received).components.seconds), boundTo: code.boundTo,
                embedded: code.embedded, offered: isOffered, reasons: reasons)
        }
    }
}
