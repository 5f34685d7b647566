// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillSecrets
internal import FormAnalysis

/// A suggestion's life: focus, look-up, choice, release.
extension Broker {
    // MARK: Focus

    /// Whether the bar is to be shown. It depends on the fields, the switch and the one bit whether anything is saved at all, and
    /// on nothing else: no look-up happens here, and being locked changes nothing.
    func focused(_ params: Browser.Focused.Params, on client: ClientConnection) -> Browser.Focused.Answer {
        idle.active(at: time.now())
        let form = FocusedForm(params.page, focused: params.focused)
        guard preferences.autoFill, offersAnything, isInitialized, !form.fields.isEmpty else {
            return .init(bar: false, session: nil, fields: [])
        }
        let chain = params.frame.chain.map {
            ClaimedDocument(origin: ClaimedOrigin($0.origin), documentIdentifier: $0.document)
        }
        let session = book.begin(
            SuggestionBook.Session(
                connection: client.number, tab: params.frame.tab, frame: params.frame.frame,
                document: params.frame.document,
                origin: params.frame.document == params.frame.chain.first?.document
                    ? OriginVerifier.verify(chain) : .failure(.noDocument),
                fields: form.fields, began: time.now()))
        return .init(bar: true, session: session, fields: form.fields)
    }

    func left(_ params: Browser.Left.Params, on client: ClientConnection) {
        for run in runs.values where run.isFor(client.number, params.tab, params.document) { run.cancel() }
        book.end { session in
            session.connection == client.number && session.tab == params.tab
                && (params.document == nil || params.document == session.document)
        }
    }

    // MARK: Look-up

    func suggestions(session name: String, on client: ClientConnection) throws -> Browser.Suggestions.Answer {
        let session = try session(name, client)
        guard isInitialized else { return .init(state: "uninitialized", suggestions: []) }
        guard unlocked != nil else { return .init(state: "locked", suggestions: []) }
        switch session.origin {
        case .failure(let refusal):
            return .init(state: "ready", suggestions: [], refusal: "Nothing is offered here: \(refusal.rawValue).")
        case .success(let verified):
            let rows = try matches(verified.origin, limit: 100).map { provider, identity in
                row(identity, of: provider, in: name)
            }
            return .init(state: "ready", site: verified.origin.host, suggestions: rows)
        }
    }

    /// "All Passwords…": everything, with the reason where it may not go to this page.
    func list(_ params: Browser.List.Params, on client: ClientConnection) throws -> Browser.List.Answer {
        let session = try session(params.session, client)
        let keys = try requireUnlocked()
        let size = 100
        var rows: [Row] = []
        var next = ListCursor(rawValue: params.cursor ?? 0)
        let order = keys.order
        while next.provider < order.count, rows.count < size {
            let provider = order[next.provider]
            let wanted = size - rows.count
            let identities =
                try keys.stores[provider]?.all(search: params.search, offset: next.offset, limit: wanted + 1) ?? []
            rows += identities.prefix(wanted).map { listed($0, of: provider, session, named: params.session) }
            next = identities.count > wanted ? next.after(wanted) : next.nextProvider
        }
        return .init(
            rows: rows, cursor: next.provider < order.count ? next.rawValue : nil,
            providers: order.filter { $0 != .builtIn }.map { provider in
                ProviderName(
                    identifier: provider.rawValue,
                    name: keys.registry.provider(provider)?.enabled?.name ?? provider.rawValue)
            })
    }

    /// A row of "All Passwords…".
    private func listed(
        _ identity: CredentialIdentity, of provider: BundleIdentifier, _ session: SuggestionBook.Session,
        named name: String
    ) -> Row {
        switch session.origin {
        case .failure(let refusal): unfillable(identity, of: provider, because: refusal.rawValue)
        case .success(let verified):
            switch MatchPolicy.decide(saved: identity.service, for: verified.origin) {
            case .exact: row(identity, of: provider, in: name)
            case .refused(let refusal): unfillable(identity, of: provider, because: refusal.rawValue)
            }
        }
    }

    /// Where a page of the list begins: a provider's place in the order, and how many of its rows came before.
    private struct ListCursor {
        let rawValue: Int

        var provider: Int { rawValue >> 32 }
        var offset: Int { rawValue & 0xFFFF_FFFF }

        init(rawValue: Int) {
            self.rawValue = max(0, rawValue)
        }

        func after(_ count: Int) -> ListCursor { .init(rawValue: rawValue + count) }
        var nextProvider: ListCursor { .init(rawValue: (provider + 1) << 32) }
    }

    /// What would be offered for a URL, for people and scripts.
    func suggestions(url: String) throws -> [Suggestion] {
        _ = try requireUnlocked()
        guard let origin = Origin(written: url) else {
            throw WireError(.invalidParams, "\(url) is no http or https URL.")
        }
        return try matches(origin).map { provider, identity in
            Suggestion(
                provider: provider.rawValue, service: identity.service.value, user: identity.user,
                recordIdentifier: identity.recordIdentifier, type: identity.type.rawValue, rank: identity.rank)
        }
    }

    /// Identities that match, by provider order, rank, then recency (the order in which a store returns them).
    ///
    /// - Parameter limit: for each provider: what one advertises must not crowd out the others.
    private func matches(_ origin: Origin, limit: Int = .max) throws -> [(BundleIdentifier, CredentialIdentity)] {
        let keys = try requireUnlocked()
        return try keys.order.flatMap { provider in
            try (keys.stores[provider]?.lookup(terms: IndexTerms.terms(for: origin)) ?? [])
                .filter { $0.type == .password && MatchPolicy.decide(saved: $0.service, for: origin) == .exact }
                .enumerated().sorted { ($1.element.rank, $0.offset) < ($0.element.rank, $1.offset) }
                .prefix(limit)
                .map { (provider, $0.element) }
        }
    }

    private func session(_ name: String, _ client: ClientConnection) throws -> SuggestionBook.Session {
        guard let session = book.session(name, of: client.number, at: time.now()) else {
            throw WireError(.expired, "The form that asked is gone.")
        }
        return session
    }

    private func row(_ identity: CredentialIdentity, of provider: BundleIdentifier, in session: String) -> Row {
        Row(
            handle: book.offer(identity, of: provider, in: session), title: title(identity), user: identity.user,
            provider: provider.rawValue, providerName: shownName(of: provider), fills: true)
    }

    private func unfillable(_ identity: CredentialIdentity, of provider: BundleIdentifier, because reason: String)
        -> Row
    {
        Row(
            title: title(identity), user: identity.user, provider: provider.rawValue,
            providerName: shownName(of: provider), fills: false, refusal: reason)
    }

    /// Whose account it is; nobody asks where there is one provider.
    private func shownName(of provider: BundleIdentifier) -> String? {
        (unlocked?.stores.count ?? 0) > 1 ? name(of: provider) : nil
    }

    private func title(_ identity: CredentialIdentity) -> String {
        "password for " + (Origin(written: identity.service.value)?.written ?? identity.service.value)
    }

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
        let identity = choice.identity
        // 2. The match.
        let origin: VerifiedOrigin
        switch session.origin {
        case .success(let verified): origin = verified
        case .failure(let refusal):
            throw try gate.refuse(
                identity, of: choice.provider, requester: "a page", surface: params.surface, reason: refusal.rawValue)
        }
        if case .refused(let refusal) = MatchPolicy.decide(saved: identity.service, for: origin.origin) {
            throw try gate.refuse(
                identity, of: choice.provider, requester: origin.origin.description, surface: params.surface,
                reason: refusal.rawValue)
        }
        return try await running(for: session, on: client) { broker in
            // 3. The provider.
            let (credential, didAsk) = try await broker.credential(
                for: identity, of: choice.provider, site: origin.origin, client: client)
            return try await broker.release(
                credential, didAsk: didAsk, into: session, origin, surface: surface,
                guardHeld: params.guard?.held == true, client: client)
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
        let service = ServiceIdentifier(kind: .url, value: origin.origin.description)
        return try await running(for: session, on: client) { broker in
            let (credential, didAsk) = try await broker.presented(
                .list([service]), of: provider,
                .init(
                    requester: client.requester, provider: broker.name(of: provider), site: origin.origin.description),
                client: client)
            guard let credential else { throw WireError(.userCanceled, "Nothing was chosen.") }
            return try await broker.release(
                // Where the user did nothing in the provider's interface, nothing was chosen: it is asked for like a first tap.
                credential, didAsk: didAsk, into: session, origin, surface: didAsk ? .window : .bar, guardHeld: didAsk,
                client: client)
        }
    }

    /// Steps 4 to 6 of section 8.
    ///
    /// - Parameter didAsk: whether the user acted in the provider's own interface; then nobody asks again.
    private func release(
        _ credential: HeldCredential, didAsk: Bool, into session: SuggestionBook.Session, _ origin: VerifiedOrigin,
        surface: AuthenticationPolicy.Surface, guardHeld: Bool, client: ClientConnection
    ) async throws -> Browser.Choose.Answer {
        let identity = credential.identity
        let locks = lockCount
        // 4. The user.
        let digest = SealedRegistry.releaseDigest(
            origin: origin.origin.description, provider: credential.provider, identity: identity)
        let act: Gate.Act
        if didAsk {
            act = .init(surface: .window, requirement: .nothing, isSatisfied: true, authentication: .provider)
        } else {
            act = try await consent(
                to: identity, of: credential.provider, for: origin.origin, on: surface,
                wasReleasedBefore: try requireUnlocked().registry.wasReleased(digest),
                guardHeld: guardHeld, client: client)
        }
        // 5. The browser's evidence, again.
        let confirmed = await confirm(session, on: client)
        // 6. The gate. The user may have locked while the question stood there, and the secret is here already.
        let isOffered = unlocked?.stores[credential.provider] != nil
        guard lockCount == locks, isOffered, !Task.isCancelled else {
            let reason =
                if lockCount != locks {
                    "Latchkey was locked in the meantime"
                } else if !isOffered {
                    "the provider was disabled in the meantime"
                } else {
                    "the page was left"
                }
            throw try gate.refuse(
                identity, of: credential.provider, requester: origin.origin.description, surface: surface.rawValue,
                reason: reason)
        }
        let password = try gate.release(credential, for: .fill(chosen: origin, confirmed: confirmed), act: act)
        remember(digest)
        let fills = session.fields.compactMap { field -> Fill? in
            switch field.role {
            case FieldRole.username.rawValue:
                Fill(ref: field.ref, role: field.role, value: WireSecret(.init(utf8: identity.user)))
            case FieldRole.currentPassword.rawValue: Fill(ref: field.ref, role: field.role, value: password)
            default: nil
            }
        }
        return .init(tab: session.tab, frame: session.frame, document: session.document, fills: fills)
    }

    /// Asks the user as the policy demands.
    private func consent(
        to identity: CredentialIdentity, of provider: BundleIdentifier, for origin: Origin,
        on surface: AuthenticationPolicy.Surface, wasReleasedBefore: Bool, guardHeld: Bool, client: ClientConnection
    ) async throws -> Gate.Act {
        let requirement = authentication.requirement(
            on: surface, wasReleasedBefore: wasReleasedBefore, guardHeld: guardHeld, at: time.now())
        let authenticated: Gate.Authentication = authentication.preference == .never ? .notAsked : .recent
        switch requirement {
        case .nothing:
            return .init(surface: surface, requirement: requirement, isSatisfied: true, authentication: authenticated)
        case .confirmation, .authentication:
            try await ask(
                .init(
                    kind: requirement == .confirmation ? .confirm : .authenticate, requester: client.requester,
                    site: origin.description, user: identity.user, provider: name(of: provider)),
                as: origin.description, over: client
            ) { [weak self] passphrase in try await self?.authenticate(passphrase: passphrase) }
            return .init(
                surface: surface, requirement: requirement, isSatisfied: true,
                authentication: requirement == .authentication ? .passphrase : authenticated)
        }
    }

    /// Asks by the desk, unless the requester was refused a moment ago.
    func ask(
        _ question: PromptDesk.Question, as requester: String, over client: ClientConnection,
        verify: @escaping PromptDesk.Verify
    ) async throws {
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
            try await desk.ask(question, over: client, verify: verify)
            promptLimiter.agreed(requester)
        } catch let error as WireError where error.code == .userCanceled || error.code == .timedOut {
            promptLimiter.refused(requester, at: time.now())
            throw error
        }
    }

    /// What the browser says of the frame now; nothing when the document is gone or its chain is no longer believed.
    private func confirm(_ session: SuggestionBook.Session, on client: ClientConnection) async -> VerifiedOrigin? {
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
