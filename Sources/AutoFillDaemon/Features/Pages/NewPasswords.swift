// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillQuirks
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import Logging
internal import ShownText

/// Generates passwords for pages. A provider keeps each one before it is filled; it is shown on request.
@DaemonActor final class NewPasswords {
    let broker: Broker
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let pending: PendingPasswords
    let submittedForms: SubmittedForms
    let pageSessions: PageSessions
    let consents: UserConsents

    init(
        _ broker: Broker, providers: InstalledProviders, questions: UserQuestions, abilities: ProviderAbilities,
        providerInterfaces: ProviderInterfaces, pending: PendingPasswords,
        submittedForms: SubmittedForms, pageSessions: PageSessions, consents: UserConsents
    ) {
        self.broker = broker
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.pending = pending
        self.submittedForms = submittedForms
        self.pageSessions = pageSessions
        self.consents = consents
    }

    /// The offer of a new password for a page; `nil` if no provider would keep it, or if the user wants none saved there.
    func strongOffer(at origin: Origin, in session: String) throws -> StrongOffer? {
        let savers = abilities.savers()
        // As for saving: a password sent without encryption is not worth keeping, except on the local network.
        guard let keeper = savers.first, savers.contains(where: abilities.generates),
            !submittedForms.saves.isNever(origin.written),
            origin.isPotentiallyTrustworthy || origin.isLocal
        else { return nil }
        let identity = pending.newIdentity(at: origin, user: "")
        return StrongOffer(
            handle: pageSessions.book.offer(identity, of: keeper, in: session, isNew: true),
            providerName: broker.name(of: keeper))
    }

    /// Generates a password, has it kept, and releases it into the fields of a session. This order makes sure that none is lost.
    ///
    /// The password is new, so a forged tap gains only a password that opens nothing. The user is still asked outside the page if something was
    /// found to be wrong with the tap, and for a frame inside a page of another site. A browser that states less than others is no reason to ask.
    func fillStrongPassword(
        into session: SuggestionBook.Session, _ origin: VerifiedOrigin, surface: AuthenticationPolicy.Surface,
        sight given: PlainSight, isShown: Bool, client: ClientConnection
    ) async throws -> Renderer.Choose.Answer {
        _ = try broker.requireUnlocked()
        let epoch = broker.epoch
        let savers = abilities.savers()
        guard let form = session.newPassword, let keeper = savers.first,
            let maker = abilities.generates(keeper) ? keeper : savers.first(where: abilities.generates)
        else { throw WireError(.refused, "No provider that is enabled keeps new passwords.") }
        let user = submittedForms.saves.user(
            connection: client.number, tab: session.tab, host: origin.origin.host,
            site: broker.rules.site(of: origin.origin.host), at: broker.time.now())
        let identity = pending.newIdentity(at: origin.origin, user: user ?? "")
        let match = broker.rules.policy.match(SavedService(identity), for: origin.chain)
        if let refusal = match.refusal {
            throw try broker.gate.refuse(
                identity, of: keeper, requester: origin.origin.description, client: client.program,
                surface: surface.rawValue,
                reason: refusal.rawValue)
        }
        let context = RequestContext(origin)
        let params = Saving.Generate.Params(
            request: 0, service: ServiceStatement(identity.service), fieldRules: form.fieldRules,
            confirmRules: form.confirmationRules, quirkRules: broker.siteQuirks.passwordRules(for: origin.origin.host),
            context: context)
        // The provider's interface is used only if the user wants it, and never after a request without it.
        let credential: HeldCredential
        let kind: String
        var wasSeen = false
        if isShown, abilities.showingMakers.contains(maker),
            let choice = try await chosen(params, for: identity, by: maker, keeper: keeper, client: client)
        {
            (credential, kind, wasSeen) = choice
        } else {
            (credential, kind) = try await providers.supervisor(of: maker).generate(
                params, for: identity, kept: keeper, launch: providers.launch(of: maker))
        }
        let consents = consents.open(match, for: identity, of: keeper, in: origin.chain)
        let subject = ActSubject(
            identity: credential.identity, provider: credential.provider, destination: .document(origin),
            epoch: epoch)
        // A choice in a window is its own confirmation.
        let weakness = await WeakPassword.warning(of: credential, params, maker: broker.name(of: maker))
        // A page around it could cover it.
        let isUnstatedAlone = given.isUnstatedAlone && origin.chain.ancestors.isEmpty
        let sight = isUnstatedAlone ? PlainSight.certain : given
        let isUnsure = !consents.isEmpty || !sight.doubts.isEmpty || weakness != nil
        let act: UserAct
        if (isShown && !wasSeen) || isUnsure || (surface == .bar && !sight.report.held && !wasSeen) {
            act = try await show(
                credential, weakness, on: subject, consents, sight.doubts, match, at: origin, keeper, client)
        } else if let unasked = questions.newPasswordAct(
            on: subject, surface: wasSeen ? .window : surface,
            agreements: Set(match.consent.map(UserAct.Agreement.to)))
        {
            act = unasked
        } else {
            throw WireError(.providerUnavailable, "\(broker.name(of: maker)) made no new password.")
        }
        let confirmed = await pageSessions.confirm(session, on: client)
        let purpose = GeneratedFill(chosen: origin, confirmed: confirmed)
        // Check with the gate before a provider is told to keep the password.
        try broker.gate.require(
            credential, for: purpose, act: act, at: broker.moment(of: keeper), client: client.program)
        guard confirmed == origin else {
            throw try broker.gate.refuse(
                identity, of: keeper, requester: origin.origin.description, client: client.program,
                surface: surface.rawValue,
                reason: "the page has changed since")
        }
        let name = RandomName.make()
        let kept = try await deposit(credential, session: name, kind: kind, context: context, keeper: keeper)
        let password = try broker.release(credential, for: purpose, act: act, client: client.program)
        submittedForms.saves.noteFilled(
            credential.fingerprint(submittedForms.saves.key), at: origin.origin, session: name, kind: kind,
            keeper: kept,
            at: broker.time.now())
        return .init(
            tab: session.tab, frame: session.frame, document: session.document,
            fills: session.fields.filter { $0.role == FieldRole.newPassword.rawValue }.map {
                Fill(ref: $0.ref, role: $0.role, value: password)
            })
    }

    /// Lets the user choose in the maker's interface, and returns whether the user acted there. `nil` if the provider turns out to have no
    /// interface.
    private func chosen(
        _ params: Saving.Generate.Params, for identity: CredentialIdentity, by maker: BundleIdentifier,
        keeper: BundleIdentifier, client: ClientConnection
    ) async throws -> (HeldCredential, kind: String, didAsk: Bool)? {
        let kind = ProviderSupervisor.ChosenKind()
        do {
            let (credential, interaction) = try await providerInterfaces.presented(
                .generate(params, for: identity, kept: keeper, kind), of: maker,
                .init(
                    requester: client.requester, provider: broker.name(of: maker), site: params.context?.origin,
                    user: identity.user),
                context: params.context, client: client)
            guard let credential, let word = kind.word else { return nil }
            return (credential, word, interaction == .acted)
        } catch let error as WireError where error.code == .methodNotFound || error.code == .providerExtension(0) {
            return nil
        }
    }

    /// Shows a new password outside of the page, and returns the act of the user who wants it filled.
    private func show(
        _ credential: HeldCredential, _ weakness: DisplayText?, on subject: ActSubject, _ consents: [Consent],
        _ doubts: FieldDoubts, _ match: Match, at origin: VerifiedOrigin, _ keeper: BundleIdentifier,
        _ client: ClientConnection
    ) async throws -> UserAct {
        let agreements = Set(match.consent.map(UserAct.Agreement.to))
        let shown = GeneratedShown(origin)
        let looking = questions.newPasswordAct(
            on: .init(
                identity: subject.identity, provider: subject.provider, destination: shown.destination,
                epoch: subject.epoch),
            surface: .window, agreements: agreements)
        guard let looking else {
            throw WireError(.providerUnavailable, "\(broker.name(of: keeper)) made no new password.")
        }
        var question = PromptDesk.Question(
            kind: .generated, requester: client.requester, site: origin.origin.description,
            provider: broker.name(of: keeper), thing: weakness == nil ? "password" : "weak password")
        question.top = origin.chain.top != origin.origin ? DisplayText(origin.chain.top.description) : nil
        question.reasons = [weakness].compactMap(\.self) + doubts.sentences.map { DisplayText($0, .sentence) }
        question.reasons += consents.map { DisplayText($0.sentence(site: origin.origin.written), .sentence) }
        question.password = try broker.release(credential, for: shown, act: looking, client: client.program)
        return try await questions.askedAct(
            on: subject, by: question, as: origin.origin.description, over: client, surface: .window,
            requirement: .confirmation, otherwise: .new
        ) { _ in agreements }
    }

    /// Has a new password kept as pending by its keeper, or by the built-in provider if the keeper cannot.
    ///
    /// - Throws: an error when neither keeps it; a password that could be lost is not filled.
    private func deposit(
        _ credential: HeldCredential, session: String, kind: String, context: RequestContext, keeper: BundleIdentifier
    ) async throws -> BundleIdentifier {
        let params = credential.depositRequest(session: session, kind: kind, context: context)
        do {
            try await providers.supervisor(of: keeper).save(params, launch: providers.launch(of: keeper))
            return keeper
        } catch let error as WireError where keeper != .builtIn && broker.unlocked?.stores[.builtIn] != nil {
            broker.logger.notice(
                "a provider does not keep a new password; the built-in one does",
                metadata: ["provider": "\(keeper)", "error": "\(error.message)"])
            try await providers.supervisor.save(params, launch: providers.launch())
            return .builtIn
        }
    }
}
