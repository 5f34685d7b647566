// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import FormAnalysis
internal import Logging

/// The second half of a suggestion's life: choice, consent, release.
extension Broker {
    // MARK: Choice

    /// Section 8 of `docs/protocol.md`, step by step.
    func choose(_ params: Browser.Choose.Params, on client: ClientConnection) async throws -> Browser.Choose.Answer {
        // 1. The handle.
        guard let surface = AuthenticationPolicy.Surface(rawValue: params.surface), surface != .terminal else {
            throw WireError(.invalidParams, "There is no surface \(params.surface).")
        }
        guard let (session, choice) = book.take(params.handle, of: client.number, at: time.now()) else {
            throw WireError(.expired, "The suggestion was used or is too old.")
        }
        if choice.provider == .receivedCodes {
            return try await chooseReceived(choice, in: session, params, surface, client)
        }
        let identity = choice.identity
        guard (identity.type == .oneTimeCode) == session.asksForCode else {
            throw try gate.refuse(
                identity, of: choice.provider, requester: "a page", client: client.program, surface: params.surface,
                reason: session.asksForCode ? Self.wantsCode : Self.isCode)
        }
        // 2. The match.
        let origin: VerifiedOrigin
        switch session.origin {
        case .success(let verified): origin = verified
        case .failure(let refusal):
            throw try gate.refuse(
                identity, of: choice.provider, requester: "a page", client: client.program,
                surface: params.surface, reason: refusal.rawValue)
        }
        if choice.isNew {
            return try await running(for: session, on: client) { broker in
                try await broker.fillStrongPassword(
                    into: session, origin, surface: surface, guardHeld: params.guard?.held == true,
                    isShown: params.show == true, unseen: UnseenFields(params.unseen, in: session.fields),
                    client: client)
            }
        }
        let saved = SavedService(identity)
        let refusal = rules.policy.match(saved, for: origin.chain).refusal
        if let refusal {
            // What was saved for another place is used here only where the user says so outside of every page.
            guard params.anyway == true, surface == .window, rules.policy.mayBeUsedAnyway(saved, in: origin.chain)
            else {
                throw try gate.refuse(
                    identity, of: choice.provider, requester: origin.origin.description, client: client.program,
                    surface: params.surface, reason: refusal.rawValue)
            }
        }
        let epoch = epoch
        return try await running(for: session, on: client) { broker in
            // 3. The provider.
            let (credential, interaction) = try await broker.credential(
                for: identity, of: choice.provider, at: origin, surface: params.surface, client: client)
            return try await broker.fill(
                credential, of: epoch, interaction, into: session, origin, surface: surface,
                guardHeld: params.guard?.held == true, foreign: refusal,
                unseen: UnseenFields(params.unseen, in: session.fields), client: client)
        }
    }

    /// A provider's own list for the page: what the user chooses there is filled.
    func openList(_ params: Browser.OpenList.Params, on client: ClientConnection) async throws -> Browser.Choose.Answer
    {
        let session = try session(params.session, client)
        guard let provider = BundleIdentifier(params.provider), provider != .builtIn,
            try requireUnlocked().stores[provider] != nil
        else { throw Self.unknown(params.provider) }
        guard case .success(let origin) = session.origin else {
            throw WireError(.refused, "Nothing can be filled here.", reason: "the page's origin is not known")
        }
        // Nobody here knows what the provider's accounts were saved for: it may have been https.
        guard origin.origin.isPotentiallyTrustworthy else {
            throw WireError(
                .refused, "Nothing can be filled here from a provider's own list: this page comes without encryption.",
                reason: "the page was not delivered securely")
        }
        guard hasList(provider, ofCodes: session.asksForCode) else { throw Self.unknown(params.provider) }
        let services = services(of: origin.origin)
        let type: CredentialType = session.asksForCode ? .oneTimeCode : .password
        let epoch = epoch
        return try await running(for: session, on: client) { broker in
            let (credential, interaction) = try await broker.presented(
                .list(services, type: type), of: provider,
                .init(
                    requester: client.requester, provider: broker.name(of: provider), site: origin.origin.description),
                context: RequestContext(origin), client: client)
            guard let credential else { throw WireError(.userCanceled, "Nothing was chosen.") }
            let didAsk = interaction == .acted
            return try await broker.fill(
                // Where the user did nothing in the provider's interface, nothing was chosen: it is asked for like a first tap.
                credential, of: epoch, interaction, into: session, origin, surface: didAsk ? .window : .bar,
                guardHeld: didAsk,
                unseen: UnseenFields(params.unseen, in: session.fields), client: client)
        }
    }

    /// The provider's credential for a choice; its refusal because of who asks is one of the gate's.
    private func credential(
        for identity: CredentialIdentity, of provider: BundleIdentifier, at origin: VerifiedOrigin, surface: String,
        client: ClientConnection
    ) async throws -> (HeldCredential, ProviderInteraction) {
        do {
            return try await credential(
                for: identity, of: provider, site: origin.origin, context: RequestContext(origin), client: client)
        } catch let error as WireError where error.code == .refused {
            throw try gate.refuse(
                identity, of: provider, requester: origin.origin.description, client: client.program, surface: surface,
                reason: "\(name(of: provider)) refuses: \((error.reason ?? error.message).prefix(200))")
        }
    }

    /// Steps 4 to 6 of section 8.
    ///
    /// - Parameters:
    ///   - epoch: the one in which it was asked for.
    ///   - interaction: where the provider showed its own interface, nobody asks again who the user is, but for what the match demands.
    ///   - foreign: why it would not be offered here, where the user wants it used all the same.
    ///   - unseen: the fields that the user is not known to see.
    private func fill(
        _ credential: HeldCredential, of epoch: UserAct.Epoch, _ interaction: ProviderInteraction,
        into session: SuggestionBook.Session,
        _ origin: VerifiedOrigin,
        surface: AuthenticationPolicy.Surface, guardHeld: Bool, foreign: MatchRefusal? = nil, unseen: UnseenFields,
        client: ClientConnection
    ) async throws -> Browser.Choose.Answer {
        let identity = credential.identity
        if session.asksForCode { try requireFit(of: credential, in: session, origin, surface: surface, client: client) }
        // 4. The user.
        let digest = SealedRegistry.releaseDigest(
            origin: origin.origin.description, provider: credential.provider, identity: identity)
        let match = rules.policy.match(SavedService(identity), for: origin.chain)
        let act = try await agreement(
            ConsentRequest(
                identity: identity, provider: credential.provider, origin: origin, match: match, foreign: foreign,
                surface: surface, wasReleasedBefore: try requireUnlocked().registry.wasReleased(digest),
                guardHeld: guardHeld, interaction: interaction, epoch: epoch, unseen: unseen,
                followsPassword: session.asksForCode
                    && tabAccounts.codeFollows(
                        identity, credential.provider, document: session.document, in: session.tab, of: client.number,
                        at: time.now())
            ),
            client: client)
        // 5. The browser's evidence, again.
        let confirmed = await confirm(session, on: client)
        // 6. The gate.
        let password = try release(
            credential, for: PageFill(chosen: origin, confirmed: confirmed), act: act, client: client.program)
        // What was used in another place once is not known there the next time.
        if foreign == nil { remember(digest, match.consent, of: identity, credential.provider, in: origin.chain) }
        // The next page of the same tab may ask for a new password and not for the name again.
        saves.note(
            user: identity.user, connection: client.number, tab: session.tab, host: origin.origin.host, at: time.now())
        let notice =
            act.agreements.contains(.keeping) ? await keep(origin.origin, in: identity, of: credential.provider) : nil
        // A code is the account's that was filled before; it takes nothing's place.
        if !session.asksForCode {
            tabAccounts.remember(
                .init(identity, of: credential.provider), at: origin.origin.host, document: session.document,
                in: session.tab, of: client.number, now: time.now())
        }
        tellObservers {
            $0.wasFilled(identity, of: credential.provider, in: session.tab, at: origin, for: client)
        }
        let fills =
            session.asksForCode
            ? CodeSpread(session.fields).fills(password)
            : session.fields.compactMap { field -> Fill? in
                switch field.role {
                case FieldRole.username.rawValue:
                    Fill(ref: field.ref, role: field.role, value: WireSecret(.init(utf8: identity.user)))
                case FieldRole.currentPassword.rawValue: Fill(ref: field.ref, role: field.role, value: password)
                default: nil
                }
            }
        return .init(
            tab: session.tab, frame: session.frame, document: session.document, fills: fills, notice: notice)
    }

    // MARK: The gate

    /// Releases a credential, or refuses for the first of these reasons that holds: Latchkey was locked, the credential has ended,
    /// its provider was disabled, who asked has gone, and whatever the purpose's own check finds. Every release ends here.
    ///
    /// - Parameter ended: why the credential itself is none any more.
    func release(
        _ credential: HeldCredential, for purpose: any ReleasePurpose, act: UserAct, client: String? = nil,
        ended: String? = nil
    ) throws -> WireSecret {
        try gate.release(
            credential, for: purpose, act: act, at: moment(of: credential.provider, ended: ended), client: client)
    }

    /// How things stand now for what a provider has handed over.
    func moment(of provider: BundleIdentifier, ended: String? = nil) -> ReleaseMoment {
        ReleaseMoment(
            epoch: unlocked == nil ? nil : epoch, isProviderEnabled: unlocked?.stores[provider] != nil,
            isTakenBack: Task.isCancelled, ended: ended)
    }

    /// Asks by the desk, unless the requester was refused a moment ago.
    @discardableResult func ask(
        _ question: PromptDesk.Question, as requester: String, over client: ClientConnection,
        verify: @escaping PromptDesk.Verify
    ) async throws -> PromptDesk.Agreement {
        if let wait = promptLimiter.wait(for: requester, at: time.now()) {
            let seconds = Int(wait.components.seconds) + 1
            throw WireError(
                .tooManyAttempts, "You said no a moment ago; it may ask again in \(seconds) seconds.",
                retryAfter: seconds)
        }
        guard asking.insert(requester).inserted else {
            throw WireError(.busy, "You are being asked already.")
        }
        defer { asking.remove(requester) }
        do {
            let agreement = try await desk.ask(question, over: client, verify: verify)
            userActed()
            promptLimiter.agreed(requester)
            return agreement
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            promptLimiter.refused(requester, at: time.now())
            throw error
        }
    }

    /// What the browser says of the frame now; nothing when the document is gone or its chain is no longer believed.
    func confirm(_ session: SuggestionBook.Session, on client: ClientConnection) async -> VerifiedOrigin? {
        guard
            let evidence = try? await client.peer?.call(
                Browser.Evidence.self, .init(tab: session.tab, frame: session.frame, document: session.document),
                timeout: .seconds(5)),
            evidence.chain.first?.document == session.document
        else { return nil }
        let chain = evidence.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        return try? OriginVerifier.verify(chain).get()
    }

    /// Asks the user to unlock, outside the page.
    func unlockByPrompt(over client: ClientConnection) async throws {
        guard isInitialized else { throw WireError(.notInitialized, "There is nothing here yet.") }
        guard unlocked == nil else { return }
        try await ask(.init(kind: .unlock, requester: client.requester), as: "unlock", over: client) {
            [weak self] passphrase in try await self?.unlock(passphrase: passphrase)
        }
    }
}

extension RequestContext {
    /// What a provider is told of the document that asks.
    init(_ origin: VerifiedOrigin) {
        let chain = origin.chain
        self.init(
            origin: chain.document.description,
            ancestors: chain.ancestors.isEmpty ? nil : chain.ancestors.map(\.description),
            secureContext: ([chain.document] + chain.ancestors).allSatisfy(\.isPotentiallyTrustworthy))
    }
}
