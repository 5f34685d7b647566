// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillRelease

/// Which method reaches what, for each role. What is not listed does not exist for that role.
struct Routes: Sendable {
    typealias Route = @Sendable (Broker, ClientConnection, JSONValue) async throws -> JSONValue

    private let routes: [String: (demand: RouteDemand, route: Route)]

    /// Every method of the role, and what it takes.
    var demands: [String: RouteDemand] { routes.mapValues(\.demand) }

    /// The routes of a role.
    static func of(_ role: PeerRole) -> Routes {
        switch role {
        case .settings: settings.withCommon
        case .browser: browser.withCommon
        case .git: git.withCommon
        case .app: app.withCommon
        case .client: self.client.withCommon
        case .none: Routes(routes: [:])
        }
    }

    /// What every role may ask.
    private static let common = [on(DaemonMethods.Features.self) { _, _, _ in .init(features: Features.all) }]

    private var withCommon: Routes {
        Routes(routes: routes.merging(Self.common) { own, _ in own })
    }

    func answer(_ method: String, _ params: JSONValue, broker: Broker, client: ClientConnection) async throws
        -> JSONValue
    {
        guard let (demand, route) = routes[method] else {
            throw WireError(
                .methodNotFound, "There is no method \(method.prefix(64)) for the role \(client.role.name).")
        }
        let request = WireRequest(client: client.number, program: client.program, method: method)
        do {
            return try await WireRequest.$current.withValue(request) {
                if client.role.isActOfUser(method) { await broker.userActed() }
                // What always weakens something is never reached without; the rest is decided where both states are known.
                if demand == .passphrase { try await broker.requireFresh(params.weakened(by: method)) }
                return try await route(broker, client, params)
            }
        } catch is CancellationError {
            throw WireError(.userCanceled, "The request was cancelled.")
        } catch {
            throw WireError(saying: error)
        }
    }

    /// A route with a method's own types.
    private static func on<M: WireMethod>(
        _ method: M.Type, _ demand: RouteDemand = .nothing,
        _ body: @escaping @Sendable (Broker, ClientConnection, M.Params) async throws -> M.Answer
    ) -> Entry {
        (
            M.name,
            (
                demand,
                { broker, client, params in try JSONValue(encoding: await body(broker, client, params.decoded())) }
            )
        )
    }

    private typealias Entry = (String, (demand: RouteDemand, route: Route))

    /// A route whose parameters go on to the provider as they came, secrets in locked memory. What comes back is read with
    /// the method's own types and without secrets: nothing of a provider's passes here that the gate should see.
    private static func pass<M: WireMethod>(
        _ method: M.Type, _ demand: RouteDemand = .nothing,
        before: @escaping @Sendable (Broker, M.Params) async throws -> Void = { _, _ in }
    ) -> Entry {
        (
            M.name,
            (
                demand,
                { broker, _, params in
                    try await before(broker, params.decoded())
                    let answer: M.Answer = try await broker.manage(M.name, params).withoutSecrets.decoded()
                    return try JSONValue(encoding: await broker.marked(answer))
                }
            )
        )
    }

    static let settings = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Settings.Status.self) { broker, _, _ in await broker.status() },
            on(Settings.Initialize.self, .parameter) { broker, _, params in
                .init(recoveryCode: WireSecret(try await broker.initialize(passphrase: params.passphrase.bytes)))
            },
            on(Settings.Unlock.self, .parameter) { broker, _, params in
                try await broker.unlock(passphrase: params.passphrase.bytes)
                return Empty()
            },
            on(Settings.Lock.self) { broker, _, _ in
                await broker.lock(reason: "request")
                return Empty()
            },
            on(Settings.Authenticate.self, .parameter) { broker, client, params in
                try await broker.authenticate(
                    passphrase: params.passphrase.bytes, for: params.method, on: client.number)
                return Empty()
            },
            on(Settings.ChangePassphrase.self, .parameter) { broker, _, params in
                try await broker.changePassphrase(from: params.passphrase.bytes, to: params.newPassphrase.bytes)
                return Empty()
            },
            on(Settings.Recover.self, .parameter) { broker, _, params in
                .init(
                    recoveryCode: WireSecret(
                        try await broker.recover(
                            code: params.recoveryCode.bytes, newPassphrase: params.newPassphrase.bytes)))
            },
            on(Settings.SetPreferences.self, .weakening) { broker, _, params in
                .init(preferences: try await broker.setPreferences(asked: params))
            },
            on(Settings.Suggestions.self) { broker, _, params in
                .init(suggestions: try await broker.suggestions(url: params.url))
            },
            on(Consents.List.self) { broker, _, _ in try await broker.consents() },
            on(Consents.Forget.self) { broker, _, params in try await broker.forgetConsents(params) },
            on(Settings.Audit.self) { broker, client, params in try await broker.auditLines(params, on: client) },
            on(Explain.self) { broker, _, params in try await broker.explain(params) },
            on(Settings.VerifyAudit.self) { broker, _, _ in try await broker.verifyAudit() },
            on(Settings.WriteBackup.self) { broker, _, params in
                .init(bytes: try await broker.writeBackup(to: params.path))
            },
            on(Settings.RestoreBackup.self, .parameter) { broker, _, params in
                .init(items: try await broker.restoreBackup(params))
            },
            on(Codes.Offer.self) { broker, _, params in try await broker.offerCode(params) },
            on(Settings.ReloadQuirks.self) { broker, _, _ in try await broker.reloadQuirks() },
            on(Settings.Stop.self) { broker, _, _ in
                await broker.stop()
                return Empty()
            },
            on(Providers.List.self) { broker, _, _ in try await broker.providers() },
            on(Providers.Enable.self, .passphrase) { broker, client, params in
                try await broker.requireUser(client, for: params)
                return try await broker.enable(params)
            },
            on(Providers.Disable.self) { broker, _, params in try await broker.disable(params.identifier) },
            on(Providers.Order.self) { broker, _, params in
                try await broker.order(params.identifiers)
                return Empty()
            },
            on(Providers.Install.self) { broker, _, params in try await broker.install(from: params.path) },
            on(Providers.Remove.self) { broker, _, params in
                try await broker.remove(params)
                return Empty()
            },
            on(Providers.Configure.self, .preference) { broker, client, params in
                try await broker.configure(params.identifier, on: client)
                return Empty()
            },
            on(Providers.Debug.self, .weakening) { broker, _, params in
                try await broker.setDebugging(params)
                return Empty()
            },
            on(Providers.ChooseCredential.self, .preference) { broker, client, params in
                try await broker.chooseCredential(params, on: client)
            },
            on(Associations.List.self) { broker, _, params in try await broker.listAssociations(params) },
            on(Associations.Check.self) { broker, _, params in try await broker.checkAssociations(params) },
            on(Associations.Add.self) { broker, _, params in try await broker.addAssociation(params) },
            on(Associations.Remove.self) { broker, _, params in try await broker.removeAssociations(params) },
            on(Associations.Log.self) { broker, _, params in try await broker.associationLog(params) },
            on(Associations.SetDeveloperMode.self, .weakening) { broker, _, params in
                try await broker.setDeveloperMode(params)
                return Empty()
            },
            on(Associations.SetSource.self, .passphrase) { broker, _, params in
                try await broker.setAssociationSource(params)
                return Empty()
            },
            on(Apps.List.self) { broker, _, _ in try await broker.apps() },
            on(Apps.Look.self) { broker, _, params in try await broker.look(params) },
            on(Apps.Grant.self, .passphrase) { broker, _, params in try await broker.grant(params) },
            on(Apps.Revoke.self) { broker, _, params in try await broker.revoke(params) },
            on(Apps.Forget.self, .weakening) { broker, _, params in
                try await broker.forget(params)
                return Empty()
            },
            on(Upgrades.List.self) { broker, _, params in try await broker.rankedUpgrades(params) },
            on(Upgrades.Plan.self, .preference) { broker, client, params in
                try await broker.planUpgrades(params, on: client)
            },
            on(Upgrades.Run.self, .preference) { broker, client, params in try await broker.upgrade(params, on: client)
            },
            on(Upgrades.Settle.self, .preference) { broker, client, params in
                try await broker.settleUpgrade(params, on: client)
                return Empty()
            },
            on(Authorization.Render.self) { broker, client, params in
                try await broker.render(params, on: client)
                return Empty()
            },
            on(Browser.Prompt.self, .nothing, prompt), on(Browser.Answer.self, .nothing, promptAnswer),
            on(Browser.Act.self, .nothing, act),
            pass(Items.List.self), pass(Items.Add.self),
            pass(Items.Edit.self, .weakening) { broker, changes in
                try await broker.requireFresh(forEditing: changes)
            }, pass(Items.Remove.self),
            pass(Items.Restore.self),
            on(Generated.List.self) { broker, _, _ in try await broker.pendingPasswords() },
            on(Generated.Reveal.self, .preference) { broker, client, params in
                try await broker.revealPending(params, program: client.program)
            },
            on(Generated.Remove.self) { broker, _, params in
                try await broker.removePending(params)
                return Empty()
            },
            on(Recommendations.List.self) { broker, _, params in try await broker.recommendations(params) },
            on(Recommendations.Hide.self) { broker, _, params in
                try await broker.hideRecommendation(params)
                return Empty()
            },
            on(NeverSites.List.self) { broker, _, _ in try await broker.neverSites() },
            on(NeverSites.Add.self) { broker, _, params in try await broker.changeNever(params.site, isNever: true) },
            on(NeverSites.Remove.self) { broker, _, params in try await broker.changeNever(params.site, isNever: false)
            },
            on(Items.Get.self, .preference) { broker, client, params in
                .init(item: try await broker.item(params, program: client.program))
            },
            on(Items.Reveal.self, .preference) { broker, client, params in
                try await broker.reveal(params, program: client.program)
            },
            on(Items.Code.self, .preference) { broker, client, params in
                try await broker.revealCode(params, program: client.program)
            },
            on(Items.History.self, .preference) { broker, client, params in
                try await broker.history(params, program: client.program)
            },
        ]))

    static let browser = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Browser.Focused.self) { broker, client, params in await broker.focused(params, on: client) },
            on(Browser.Left.self) { broker, client, params in
                await broker.left(params, on: client)
                return Empty()
            },
            on(Submission.Submitted.self) { broker, client, params in
                await broker.submitted(params, on: client)
                return Empty()
            },
            on(Submission.Settled.self) { broker, client, params in
                await broker.settled(params, on: client)
                return Empty()
            },
            on(Browser.Inspect.self) { _, _, params in .init(inspecting: params.page) },
            on(Browser.CheckRules.self) { _, _, params in try .init(checking: params.rules) },
            on(Browser.Status.self) { broker, _, _ in
                let status = await broker.status()
                return .init(
                    initialized: status.initialized, locked: status.locked, autoFill: status.autoFill,
                    version: status.version)
            },
            on(Browser.Suggestions.self) { broker, client, params in
                try await broker.suggestions(session: params.session, on: client)
            },
            on(Browser.List.self, .prompt) { broker, client, params in try await broker.list(params, on: client) },
            on(Browser.Choose.self, .prompt) { broker, client, params in try await broker.choose(params, on: client) },
            on(Browser.Unlock.self, .prompt) { broker, client, _ in
                try await broker.unlockByPrompt(over: client)
                return Empty()
            },
            on(Advice.ChangePassword.self) { broker, client, params in
                try await broker.changePasswordPage(params, on: client)
            },
            on(Advice.Hide.self) { broker, client, params in
                try await broker.hideAdvice(params, on: client)
                return Empty()
            },
            on(Advice.Upgrade.self, .prompt) { broker, client, params in
                try await broker.upgradeInTab(params, on: client)
            },
            on(Upgrades.List.self) { broker, _, params in try await broker.upgradesForBrowser(params) },
            on(Upgrades.Plan.self, .prompt) { broker, client, params in
                try await broker.planUpgrades(params, on: client)
            },
            on(Upgrades.Run.self) { broker, client, params in
                try await broker.upgradeAsPlanned(params, on: client)
            },
            on(Browser.OpenList.self, .prompt) { broker, client, params in try await broker.openList(params, on: client)
            },
            on(Browser.Prompt.self, .nothing, prompt), on(Browser.Answer.self, .nothing, promptAnswer),
            on(Browser.Act.self, .nothing, act),
            on(Consents.List.self) { broker, _, _ in try await broker.consents() },
            on(Consents.Forget.self) { broker, _, params in try await broker.forgetConsents(params) },
            on(Providers.List.self) { broker, _, _ in try await broker.providers() },
            on(Providers.Enable.self, .prompt) { broker, client, params in
                try await broker.requireUser(client, for: params)
                return try await broker.enable(params)
            },
            on(Providers.Disable.self) { broker, _, params in try await broker.disable(params.identifier) },
            on(Providers.Order.self) { broker, _, params in
                try await broker.order(params.identifiers)
                return Empty()
            },
            on(Providers.Configure.self, .prompt) { broker, client, params in
                try await broker.configure(params.identifier, on: client)
                return Empty()
            },
        ]))

    static let git = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Git.Get.self, .prompt) { broker, client, params in try await broker.gitGet(params, on: client) },
            on(Git.Store.self, .prompt) { broker, client, params in try await broker.gitStore(params, on: client) },
            on(Git.Erase.self) { broker, client, params in try await broker.gitErase(params, on: client) },
        ]))

    /// Of any program of the user.
    static let client = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Authorization.Request.self, .prompt) { broker, client, params in
                try await broker.authorize(params, on: client)
            },
            on(Authorization.Save.self, .prompt) { broker, client, params in
                try await broker.saveForApp(params, on: client)
                return Empty()
            },
            on(Modification.Request.self, .prompt) { broker, client, params in
                try await broker.modify(params, on: client)
            },
            on(WebAuthentication.Request.self, .prompt) { broker, client, params in
                try await broker.webAuthenticate(params, on: client)
            },
            on(Authorization.Cancel.self) { broker, client, _ in
                await broker.cancelAuthorization(on: client)
                return Empty()
            },
        ]))

    static let app = Routes(
        routes: Dictionary(
            uniqueKeysWithValues: [
                on(ContainingApp.Open.self) { broker, client, _ in try await broker.openContainer(of: client) },
                on(ContainingApp.State.self) { broker, client, _ in
                    .init(enabled: try await broker.isEnabled(client))
                },
                on(ContainingApp.RequestEnable.self, .prompt) { broker, client, _ in
                    .init(enabled: try await broker.requestEnable(client))
                },
            ]
                + [
                    Provider.StoreState.name, Provider.SaveIdentities.name, Provider.RemoveIdentities.name,
                    Provider.ReplaceIdentities.name, Provider.RemoveAllIdentities.name, Provider.BeginBatch.name,
                    Provider.AppendBatch.name, Provider.CommitBatch.name, Provider.ListIdentities.name,
                ].map(store)))

    /// A containing app's store is its provider's.
    private static func store(_ method: String) -> Entry {
        (
            method,
            (
                .nothing,
                { broker, client, params in
                    guard case .app(let provider) = client.role else {
                        throw WireError(.notPermitted, "Only a provider has a store.")
                    }
                    return try await broker.handleStore(method, params, of: provider, client: client.number)
                }
            )
        )
    }

    // MARK: What every renderer may ask

    private static let prompt:
        @Sendable (Broker, ClientConnection, Browser.Prompt.Params) async throws
            -> Browser.Prompt.Answer = { broker, client, params in
                if let shown = await broker.desk.show(params.prompt, on: client.number) { return shown }
                guard let shown = await broker.interfaces.prompt(params.prompt, on: client.number) else {
                    throw WireError(.expired, "The question has ended.")
                }
                return shown
            }

    private static let promptAnswer: @Sendable (Broker, ClientConnection, Browser.Answer.Params) async throws -> Empty =
        {
            broker, client, params in
            if !params.accept, await broker.interfaces.cancel(params.prompt, on: client.number) { return Empty() }
            try await broker.desk.answer(params, on: client.number)
            return Empty()
        }

    private static let act: @Sendable (Broker, ClientConnection, Browser.Act.Params) async throws -> Empty = {
        broker, client, params in
        try await broker.interfaces.act(params, on: client.number)
        return Empty()
    }
}
