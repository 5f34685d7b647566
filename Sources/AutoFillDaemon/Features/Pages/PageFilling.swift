// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis

/// Fills a chosen suggestion: choice, consent, release. `PageSuggestions` has the first half.
@DaemonActor final class PageFilling {
    let broker: Broker
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let submittedForms: SubmittedForms
    let runs: Runs
    let pageSessions: PageSessions
    let consents: UserConsents
    let pageCodes: PageCodes
    let newPasswords: NewPasswords

    init(
        _ broker: Broker, abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces,
        submittedForms: SubmittedForms, runs: Runs,
        pageSessions: PageSessions, consents: UserConsents, pageCodes: PageCodes,
        newPasswords: NewPasswords
    ) {
        self.broker = broker
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.submittedForms = submittedForms
        self.runs = runs
        self.pageSessions = pageSessions
        self.consents = consents
        self.pageCodes = pageCodes
        self.newPasswords = newPasswords
    }

    // MARK: Choice

    /// Fills the user's choice, by the steps of section 8 of `docs/protocol.md`.
    func choose(_ params: Renderer.Choose.Params, on client: ClientConnection) async throws -> Renderer.Choose.Answer {
        // 1. The handle.
        guard let surface = AuthenticationPolicy.Surface(rawValue: params.surface), surface != .terminal else {
            throw WireError(.invalidParams, "There is no surface \(params.surface).")
        }
        guard let (session, choice) = pageSessions.book.take(params.handle, of: client.number, at: broker.time.now())
        else {
            throw WireError(.expired, "The suggestion was used or is too old.")
        }
        if choice.provider == .receivedCodes {
            return try await pageCodes.chooseReceived(choice, in: session, params, surface, client)
        }
        let identity = choice.identity
        guard (identity.type == .oneTimeCode) == session.asksForCode else {
            throw try broker.gate.refuse(
                identity, of: choice.provider, requester: "a page", client: client.program, surface: params.surface,
                reason: session.asksForCode ? PageCodes.wantsCode : PageCodes.isCode)
        }
        // 2. The match.
        let origin: VerifiedOrigin
        switch session.origin {
        case .success(let verified): origin = verified
        case .failure(let refusal):
            throw try broker.gate.refuse(
                identity, of: choice.provider, requester: "a page", client: client.program,
                surface: params.surface, reason: refusal.rawValue)
        }
        if choice.isNew {
            return try await runs.running(for: session, on: client) { [self] in
                try await self.newPasswords.fillStrongPassword(
                    into: session, origin, surface: surface, sight: broker.sight(of: params, in: session),
                    isShown: params.show == true, client: client)
            }
        }
        let saved = SavedService(identity)
        let refusal = broker.rules.policy.match(saved, for: origin.chain).refusal
        if let refusal {
            // A credential saved for another place is used here only if the user says so outside every page.
            guard params.anyway == true, surface == .window,
                broker.rules.policy.mayBeUsedAnyway(saved, in: origin.chain)
            else {
                throw try broker.gate.refuse(
                    identity, of: choice.provider, requester: origin.origin.description, client: client.program,
                    surface: params.surface, reason: refusal.rawValue)
            }
        }
        let epoch = broker.epoch
        return try await runs.running(for: session, on: client) { [self] in
            // 3. The provider.
            let (credential, interaction) = try await self.credential(
                for: identity, of: choice.provider, at: origin, surface: params.surface,
                mayPresent: params.unasked != true, client: client)
            return try await self.fill(
                credential, of: epoch, interaction, into: session, origin, surface: surface,
                sight: broker.sight(of: params, in: session), foreign: refusal, isUnasked: params.unasked == true,
                client: client)
        }
    }

    /// Asks the user to unlock. Where the one account that fits is to be filled afterwards, the question names the site.
    ///
    /// - Throws: `expired` where the session is gone, so that the renderer describes the page anew.
    func unlock(_ params: Renderer.Unlock.Params, on client: ClientConnection) async throws -> Renderer.Unlock.Answer {
        var site: String?
        if params.fills == true, let name = params.session {
            site = fillableSite(of: try pageSessions.session(name, client))
        }
        let didUnlock = try await consents.questions.unlockByPrompt(over: client, toFill: site)
        return .init(fills: didUnlock && site != nil ? true : nil)
    }

    /// The site of a session that may be filled right after an unlock; `nil` where the fill would be asked about once more, by which a page
    /// would learn that there is an account, or where there is nothing to fill.
    private func fillableSite(of session: SuggestionBook.Session) -> String? {
        guard case .success(let origin) = session.origin, session.newPassword == nil, origin.chain.isOfOneOrigin,
            origin.origin.isPotentiallyTrustworthy, broker.preferences.fillPreference != .always
        else { return nil }
        return origin.origin.description
    }

    /// Shows a provider's own list for the page, and fills the user's choice.
    func openList(_ params: Renderer.OpenList.Params, on client: ClientConnection) async throws
        -> Renderer.Choose.Answer
    {
        let session = try pageSessions.session(params.session, client)
        guard let provider = BundleIdentifier(params.provider), provider != .builtIn,
            try broker.requireUnlocked().stores[provider] != nil
        else { throw InstalledProviders.unknown(params.provider) }
        guard case .success(let origin) = session.origin else {
            throw WireError(.refused, "Nothing can be filled here.", reason: "the page's origin is not known")
        }
        // The daemon does not know what the provider's accounts were saved for: it may have been https.
        guard origin.origin.isPotentiallyTrustworthy else {
            throw WireError(
                .refused, "Nothing can be filled here from a provider's own list: this page is not encrypted.",
                reason: "the page was not delivered securely")
        }
        guard abilities.hasList(provider, ofCodes: session.asksForCode) else {
            throw InstalledProviders.unknown(params.provider)
        }
        let services = providerInterfaces.services(of: origin.origin, session.path, for: provider)
        let type: CredentialType = session.asksForCode ? .oneTimeCode : .password
        let epoch = broker.epoch
        return try await runs.running(for: session, on: client) { [self] in
            let (credential, interaction) = try await providerInterfaces.presented(
                .list(services, type: type), of: provider,
                .init(
                    requester: client.requester, provider: broker.name(of: provider), site: origin.origin.description),
                context: RequestContext(origin), client: client)
            guard let credential else { throw WireError(.userCanceled, "Nothing was chosen.") }
            let didAsk = interaction == .acted
            return try await self.fill(
                // Without an act in the provider's interface nothing was chosen: confirm it like a tap in the page.
                credential, of: epoch, interaction, into: session, origin, surface: didAsk ? .window : .bar,
                sight: PlainSight(
                    report: GuardReport(held: didAsk),
                    doubts: broker.doubts(params.unseen, params.unstated, params.sends, in: session)),
                client: client)
        }
    }

    /// The provider's credential for a choice. A refusal by the provider because of the requester is recorded as the gate's.
    private func credential(
        for identity: CredentialIdentity, of provider: BundleIdentifier, at origin: VerifiedOrigin, surface: String,
        mayPresent: Bool, client: ClientConnection
    ) async throws -> (HeldCredential, ProviderInteraction) {
        do {
            return try await providerInterfaces.credential(
                for: identity, of: provider, site: origin.origin, context: RequestContext(origin), client: client,
                mayPresent: mayPresent)
        } catch let error as WireError where error.code == .refused {
            throw try broker.gate.refuse(
                identity, of: provider, requester: origin.origin.description, client: client.program, surface: surface,
                reason: "\(broker.name(of: provider)) refuses: \((error.reason ?? error.message).prefix(200))")
        }
    }

    /// Steps 4 to 6 of section 8.
    ///
    /// - Parameters:
    ///   - epoch: the epoch in which the credential was requested.
    ///   - interaction: if the provider showed its own interface, the user is not authenticated again, except as the match demands.
    ///   - foreign: the reason why it would not be offered here, if the user wants to use it nevertheless.
    ///   - isUnasked: whether nothing may be asked.
    private func fill(
        _ credential: HeldCredential, of epoch: UserAct.Epoch, _ interaction: ProviderInteraction,
        into session: SuggestionBook.Session,
        _ origin: VerifiedOrigin,
        surface: AuthenticationPolicy.Surface, sight: PlainSight, foreign: MatchRefusal? = nil,
        isUnasked: Bool = false, client: ClientConnection
    ) async throws -> Renderer.Choose.Answer {
        let identity = credential.identity
        if session.asksForCode {
            try pageCodes.requireFit(of: credential, in: session, origin, surface: surface, client: client)
        }
        // 4. The user.
        let digest = SealedRegistry.releaseDigest(
            origin: origin.chain.place, provider: credential.provider, identity: identity)
        let match = broker.rules.policy.match(SavedService(identity), for: origin.chain)
        let wasReleased = try broker.requireUnlocked().registry.wasReleased(digest)
        // Without encryption whoever is on the way can write the page, so only a yes of the user's settles it, and in the local network alone.
        let isPrivate = origin.origin.isPotentiallyTrustworthy
        let isSettled =
            isPrivate && match.decision == .exact && origin.chain.isOfOneOrigin
            || wasReleased && (isPrivate || origin.origin.isLocal)
        let act = try await consents.agreement(
            ConsentRequest(
                identity: identity, provider: credential.provider, origin: origin, match: match, foreign: foreign,
                surface: surface, isSettled: isSettled, sight: sight, interaction: interaction, epoch: epoch,
                isUnasked: isUnasked,
                followsPassword: session.asksForCode
                    && pageSessions.tabAccounts.codeFollows(
                        identity, credential.provider, document: session.document, in: session.tab, of: client.number,
                        at: broker.time.now())
            ),
            client: client)
        // 5. The browser's evidence, again.
        let confirmed = await pageSessions.confirm(session, on: client)
        // 6. The gate.
        let password = try broker.release(
            credential, for: PageFill(chosen: origin, confirmed: confirmed), act: act, client: client.program)
        // A single use in another place is not remembered for the next time.
        if foreign == nil {
            consents.remember(digest, match.consent, of: identity, credential.provider, in: origin.chain)
        }
        // The next page of the same tab may ask for a new password and not for the name again.
        submittedForms.saves.note(
            user: identity.user, connection: client.number, tab: session.tab, host: origin.origin.host,
            site: broker.rules.site(of: origin.origin.host), at: broker.time.now())
        let notice =
            act.agreements.contains(.keeping)
            ? await consents.keep(origin.origin, in: identity, of: credential.provider) : nil
        // A code belongs to the account filled before, so it does not replace that account.
        if !session.asksForCode {
            pageSessions.tabAccounts.remember(
                .init(identity, of: credential.provider), at: origin.origin.host, document: session.document,
                in: session.tab, of: client.number, now: broker.time.now())
        }
        broker.tellObservers {
            $0.wasFilled(identity, of: credential.provider, in: session.tab, at: origin, for: client)
        }
        let fills =
            session.asksForCode
            ? CodeSpread(session.fields).fills(password)
            : session.fields.compactMap { field -> Fill? in
                switch field.role {
                // An account without a user name leaves what was typed alone.
                case FieldRole.username.rawValue where identity.user.isEmpty: nil
                case FieldRole.username.rawValue:
                    Fill(ref: field.ref, role: field.role, value: WireSecret(.init(utf8: identity.user)))
                case FieldRole.currentPassword.rawValue: Fill(ref: field.ref, role: field.role, value: password)
                default: nil
                }
            }
        return .init(
            tab: session.tab, frame: session.frame, document: session.document, fills: fills, notice: notice)
    }
}

extension Broker {
    /// The extension's report on a choice.
    func sight(of params: Renderer.Choose.Params, in session: SuggestionBook.Session) -> PlainSight {
        PlainSight(
            report: params.guard ?? GuardReport(held: false),
            doubts: doubts(params.unseen, params.unstated, params.sends, in: session))
    }

    /// What speaks against filling the fields of a session without a question.
    func doubts(
        _ unseen: [Int]?, _ unstated: [Int]?, _ sends: [String]?, in session: SuggestionBook.Session
    ) -> FieldDoubts {
        FieldDoubts(
            unseen: unseen, unstated: unstated, sends: sends, in: session.fields,
            at: (try? session.origin.get())?.origin, by: rules.policy)
    }
}
