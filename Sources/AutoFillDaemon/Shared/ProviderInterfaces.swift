// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Logging
internal import Synchronization

/// The user's part in a provider's own interface.
enum ProviderInteraction: Sendable {
    /// The interface was not shown.
    case none
    /// The interface was shown and ended by itself. Authentication was the provider's business; the user's intention is unknown.
    case shown
    /// The user acted in it.
    case acted
}

/// Asks providers for credentials, with and without their interfaces.
@DaemonActor final class ProviderInterfaces {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let pending: PendingPasswords
    private var deliveries = DeliveryRecord()

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        pending: PendingPasswords
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.pending = pending
    }

    /// The credential of an identity, without the user's interaction, or from the provider's interface if the provider needs the user. Also
    /// returns whether the user acted there.
    func credential(
        for identity: CredentialIdentity, of provider: BundleIdentifier, site: Origin?,
        context: RequestContext? = nil, client: ClientConnection, requester: String? = nil, mayPresent: Bool = true
    ) async throws -> (HeldCredential, ProviderInteraction) {
        if let pending = try await pending.pendingCredential(for: identity, of: provider) { return (pending, .none) }
        let launch = try await providers.launch(of: provider)
        let result: Result<HeldCredential, any Error>
        do {
            result = .success(
                try await providers.supervisor(of: provider).provideCredential(
                    for: identity, context: context, launch: launch))
        } catch {
            result = .failure(error)
        }
        if deliveries.note(provider, result.map { _ in }) {
            broker.logger.warning(
                "a provider keeps failing: its identities are deleted", metadata: ["provider": "\(provider)"])
            try? broker.change { try $0.emptyStore(of: provider) }
            stores.updateOffers()
            broker.tellBrowsers()
        }
        do {
            return (try result.get(), .none)
        } catch let error as WireError where error.code == .providerExtension(100) {
            guard mayPresent else { throw WireError(.userCanceled, "Its provider would have to ask.") }
            let (credential, interaction) = try await presented(
                .credential(identity), of: provider,
                .init(
                    requester: requester ?? client.requester, provider: broker.name(of: provider),
                    site: site?.description,
                    user: identity.user), context: context, client: client)
            guard let credential else { throw WireError(.userCanceled, "Nothing was chosen.") }
            // Another account than the chosen one is accepted only if the user acted in the interface.
            guard interaction == .acted || credential.identity.user == identity.user else {
                throw WireError(.providerUnavailable, "\(broker.name(of: provider)) answered for another account.")
            }
            return (credential, interaction)
        }
    }

    /// Has a provider save a password; if the provider needs the user, it asks outside of what the password was typed into.
    ///
    /// - Parameters:
    ///   - requester: Who is shown as the one that asks.
    ///   - context: What the provider is told about it.
    func save(
        _ params: Saving.Save.Params, in provider: BundleIdentifier, requester: String, at origin: Origin,
        context: RequestContext? = nil, client: ClientConnection
    ) async throws {
        do {
            try await providers.supervisor(of: provider).save(params, launch: providers.launch(of: provider))
        } catch let error as WireError where error.code == .providerExtension(100) {
            _ = try await presented(
                .save(params), of: provider,
                .init(
                    requester: requester, provider: broker.name(of: provider), site: origin.description,
                    user: params.user), context: context, client: client)
        }
    }

    /// Presents a provider's interface and waits until the user has finished in it.
    func presented(
        _ kind: ProviderSupervisor.InterfaceRequest, of provider: BundleIdentifier, _ header: InterfaceDesk.Header,
        context: RequestContext? = nil, client: ClientConnection
    ) async throws -> (HeldCredential?, ProviderInteraction) {
        try await presenting(provider, header, client: client) { supervisor, request, launch, show in
            try await supervisor.present(kind, request: request, context: context, launch: launch, show: show)
        }
    }

    /// Presents the interface for a request to a provider or an extension.
    func presenting<Answer: Sendable>(
        _ provider: BundleIdentifier, _ header: InterfaceDesk.Header, client: ClientConnection,
        _ ask:
            @escaping @Sendable (ProviderSupervisor, Int, ProviderSupervisor.Launch, @escaping ProviderSupervisor.Show)
            async throws -> Answer
    ) async throws -> (Answer, ProviderInteraction) {
        let launch = try await providers.launch(of: provider)
        let supervisor = providers.supervisor(of: provider)
        let request = await supervisor.nextRequest()
        let interaction = Mutex(ProviderInteraction.none)
        let interfaces = self.questions.interfaces
        let cancellation = Cancellation()
        let surface = try await interfaces.present(
            header, over: client,
            act: { act in
                // A search, or loading more rows, is not a decision.
                if act.action == "press" || act.action == "select" { interaction.withLock { $0 = .acted } }
                try await supervisor.act(act, request: request)
            }, cancel: { cancellation.cancel() })
        let work = Task {
            try await ask(supervisor, request, launch) { interface in
                interaction.withLock { if $0 == .none { $0 = .shown } }
                await interfaces.show(Self.allowed(interface, of: provider), on: surface)
            }
        }
        cancellation.whenCancelled { work.cancel() }
        let patience = Task {
            while true {
                try await Task.sleep(for: .seconds(30))
                await interfaces.endForgotten()
            }
        }
        defer { patience.cancel() }
        do {
            let answer = try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
            await interfaces.end(surface)
            return (answer, interaction.withLock { $0 })
        } catch {
            await interfaces.end(surface)
            // The requester has disconnected, together with the provider's interface, or the user cancelled.
            if Task.isCancelled { await supervisor.endIfUnused() }
            if error is CancellationError, !Task.isCancelled { throw WireError(.userCanceled, "The user cancelled.") }
            throw error
        }
    }

    /// An interface without what this provider may not have: only the built-in one has elements that stand for saved passwords.
    private static func allowed(_ interface: InterfaceStatement, of provider: BundleIdentifier) -> InterfaceStatement {
        guard provider != .builtIn else { return interface }
        var allowed = interface
        allowed.elements.removeAll { $0.kind == "saved" }
        return allowed
    }

    /// The services that a provider's list is asked for on behalf of a page, the most exact first. They are the origin; the host, if the
    /// origin has another scheme or port; and the registrable domain. A query is never among them, since it may contain tokens.
    ///
    /// - Parameter path: behind the origin, if the user wants the provider to be told it.
    func services(of origin: Origin, _ path: PagePath? = nil, for provider: BundleIdentifier) -> [ServiceIdentifier] {
        let isTold = broker.unlocked?.registry.provider(provider)?.isToldPaths == true
        let known = isTold ? path?.text ?? "" : ""
        var services = [ServiceIdentifier(kind: .url, value: origin.description + known)]
        if origin.scheme != .https || origin.port != 443 {
            services.append(ServiceIdentifier(kind: .domain, value: origin.host))
        }
        if let site = broker.rules.policy.suffixes.registrableDomain(of: origin.host), site != origin.host {
            services.append(ServiceIdentifier(kind: .domain, value: site))
        }
        return services
    }
}
