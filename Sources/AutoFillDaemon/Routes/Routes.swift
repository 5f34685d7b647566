// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// The methods of each role. A method that is not listed does not exist for that role.
struct Routes: Sendable {
    typealias Route = @Sendable (Capabilities, ClientConnection, JSONValue) async throws -> JSONValue

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
        case .login: login.withCommon
        case .desktop: desktop.withCommon
        case .none: Routes(routes: [:])
        }
    }

    /// The methods of every role.
    private static let common = [on(DaemonMethods.Features.self) { _, _, _ in .init(features: Features.all) }]

    private var withCommon: Routes {
        Routes(routes: routes.merging(Self.common) { own, _ in own })
    }

    func answer(_ method: String, _ params: JSONValue, daemon: Capabilities, client: ClientConnection) async throws
        -> JSONValue
    {
        guard let (demand, route) = routes[method] else {
            throw WireError(
                .methodNotFound, "There is no method \(method.prefix(64)) for the role \(client.role.name).")
        }
        let request = WireRequest(client: client.number, program: client.program, method: method)
        do {
            return try await WireRequest.$current.withValue(request) {
                if client.role.isActOfUser(method), params["quiet"] != .bool(true) { await daemon.broker.userActed() }
                // A method that always weakens something never runs without the passphrase. For the others, the code that knows both the
                // old and the new state decides.
                if demand == .passphrase { try await daemon.broker.requireFresh(params.weakened(by: method)) }
                return try await route(daemon, client, params)
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
        _ body: @escaping @Sendable (Capabilities, ClientConnection, M.Params) async throws -> M.Answer
    ) -> Entry {
        (
            M.name,
            (
                demand,
                { daemon, client, params in try JSONValue(encoding: await body(daemon, client, params.decoded())) }
            )
        )
    }

    private typealias Entry = (String, (demand: RouteDemand, route: Route))

    /// A route that passes its parameters unchanged to the provider, with secrets in locked memory. The answer is decoded with the method's
    /// own types and without secrets, so that no secret of a provider bypasses the gate.
    private static func pass<M: WireMethod>(
        _ method: M.Type, _ demand: RouteDemand = .nothing,
        before: @escaping @Sendable (Capabilities, M.Params) async throws -> Void = { _, _ in }
    ) -> Entry {
        (
            M.name,
            (
                demand,
                { daemon, _, params in
                    try await before(daemon, params.decoded())
                    let answer: M.Answer = try await daemon.settings.items.manage(M.name, params).withoutSecrets
                        .decoded()
                    return try JSONValue(encoding: await daemon.settings.items.marked(answer))
                }
            )
        )
    }

    private static let login = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Login.Terms.self) { daemon, _, _ in
                try await daemon.settings.login.terms()
            },
            on(Login.Unlock.self, .parameter) { daemon, _, params in
                try await daemon.settings.login.unlock(params)
                return Empty()
            },
            on(Login.Rewrap.self, .parameter) { daemon, _, params in
                try await daemon.settings.login.rewrap(params)
                return Empty()
            },
        ]))

    static let desktop = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Desktop.Focused.self) { daemon, client, params in
                try await daemon.apps.desktop.focused(params, on: client)
            },
            on(Desktop.Suggestions.self) { daemon, client, params in
                try await daemon.apps.desktop.suggestions(params, on: client)
            },
            on(Desktop.Choose.self, .prompt) { daemon, client, params in
                try await daemon.apps.desktop.choose(params, on: client)
            },
            on(Desktop.Browse.self, .prompt) { daemon, client, params in
                try await daemon.apps.desktop.browse(params, on: client)
            },
            on(Desktop.Unlock.self, .prompt) { daemon, client, _ in
                try await daemon.shared.questions.unlockByPrompt(over: client)
                return Empty()
            },
            on(Desktop.Typed.self) { daemon, client, params in
                try await daemon.apps.desktopSaving.typed(params, on: client)
                return Empty()
            },
            on(Desktop.Left.self) { daemon, client, params in
                await daemon.apps.desktop.left(params, on: client)
                return Empty()
            },
            on(Renderer.Prompt.self, .nothing, prompt), on(Renderer.Answer.self, .nothing, promptAnswer),
            on(Renderer.Act.self, .nothing, act),
        ]))

    static let settings = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Settings.Status.self) { daemon, _, _ in await daemon.settings.status.wholeStatus() },
            on(Settings.Repair.self) { daemon, _, _ in await daemon.settings.status.files.repair() },
            on(Settings.Initialize.self, .parameter) { daemon, client, params in
                .init(
                    recoveryCode: WireSecret(
                        try await daemon.settings.keyrings.initialize(
                            passphrase: params.passphrase.bytes, on: client.number)))
            },
            on(Settings.RenewRecoveryCode.self, .parameter) { daemon, client, params in
                .init(
                    recoveryCode: WireSecret(
                        try await daemon.settings.keyrings.renewRecoveryCode(
                            passphrase: params.passphrase.bytes, on: client.number)))
            },
            on(Settings.RecoveryCodeShown.self) { daemon, client, _ in
                try await daemon.settings.keyrings.recoveryCodeShown(on: client.number)
                return Empty()
            },
            on(Settings.Unlock.self, .parameter) { daemon, _, params in
                try await daemon.broker.unlock(passphrase: params.passphrase.bytes)
                return .init(older: await daemon.broker.older)
            },
            on(Settings.Lock.self) { daemon, _, _ in
                await daemon.broker.lock(reason: "request")
                return Empty()
            },
            on(Settings.Authenticate.self, .parameter) { daemon, client, params in
                try await daemon.broker.authenticate(
                    passphrase: params.passphrase.bytes, takesPIN: params.takesPIN == true, for: params.method,
                    on: client.number)
                return Empty()
            },
            on(Settings.SetPIN.self, .passphrase) { daemon, _, params in
                try await daemon.broker.pin.set(params.pin.bytes, in: daemon.broker.unlockedSession())
                return Empty()
            },
            on(Settings.ForgetPIN.self) { daemon, _, _ in
                await daemon.broker.pin.forget()
                return Empty()
            },
            on(Settings.EnableLogin.self, .passphrase) { daemon, _, params in
                try await daemon.settings.login.enable(params)
                return Empty()
            },
            on(Settings.DisableLogin.self) { daemon, _, _ in
                try await daemon.broker.login.disable()
                return Empty()
            },
            on(Settings.ChangePassphrase.self, .parameter) { daemon, _, params in
                try await daemon.settings.keyrings.changePassphrase(
                    from: params.passphrase.bytes, to: params.newPassphrase.bytes)
                return Empty()
            },
            on(Settings.Recover.self, .parameter) { daemon, client, params in
                .init(
                    recoveryCode: WireSecret(
                        try await daemon.settings.keyrings.recover(
                            code: params.recoveryCode.bytes, newPassphrase: params.newPassphrase.bytes,
                            on: client.number)))
            },
            on(Settings.SetPreferences.self, .weakening) { daemon, _, params in
                .init(preferences: try await daemon.broker.setPreferences(asked: params))
            },
            on(Settings.Suggestions.self) { daemon, _, params in
                .init(suggestions: try await daemon.pages.suggestions.suggestions(url: params.url))
            },
            on(Consents.List.self) { daemon, _, _ in try await daemon.pages.consents.consents() },
            on(Consents.Forget.self) { daemon, _, params in try await daemon.pages.consents.forgetConsents(params) },
            on(Consents.TakeBack.self) { daemon, _, _ in
                try await daemon.pages.consents.takeAllBack()
                return Empty()
            },
            on(Consents.KeepOlder.self, .passphrase) { daemon, _, _ in
                try await daemon.pages.consents.keepOlder()
                return Empty()
            },
            on(Settings.Audit.self) { daemon, client, params in
                try await daemon.shared.auditTrail.auditLines(params, on: client)
            },
            on(Explain.self) { daemon, _, params in try await daemon.settings.explanations.explain(params) },
            on(Settings.VerifyAudit.self) { daemon, _, _ in try await daemon.shared.auditTrail.verifyAudit() },
            on(Settings.WriteBackup.self) { daemon, _, params in
                .init(bytes: try await daemon.settings.backups.writeBackup(to: params.path))
            },
            on(Settings.RestoreBackup.self, .parameter) { daemon, _, params in
                try await daemon.settings.backups.restoreBackup(params)
            },
            on(Codes.Offer.self) { daemon, _, params in try await daemon.shared.codeMessages.offerCode(params) },
            on(Settings.ReloadQuirks.self) { daemon, _, _ in try await daemon.settings.status.reloadQuirks() },
            on(Settings.Stop.self) { daemon, _, _ in
                await daemon.broker.stop()
                return Empty()
            },
            on(Providers.List.self) { daemon, _, _ in try await daemon.settings.providers.providers() },
            on(Providers.Enable.self, .passphrase) { daemon, client, params in
                try await daemon.settings.providers.requireUser(client, for: params)
                return try await daemon.settings.providers.enable(params)
            },
            on(Providers.Disable.self) { daemon, _, params in
                try await daemon.settings.providers.disable(params.identifier)
            },
            on(Providers.Order.self) { daemon, _, params in
                try await daemon.settings.providers.order(params.identifiers)
                return Empty()
            },
            on(Providers.Install.self) { daemon, _, params in
                try await daemon.settings.providers.install(from: params.path)
            },
            on(Providers.Remove.self) { daemon, _, params in
                try await daemon.settings.providers.remove(params)
                return Empty()
            },
            on(Providers.Configure.self, .preference) { daemon, client, params in
                try await daemon.settings.providers.configure(params.identifier, on: client)
                return Empty()
            },
            on(Providers.Debug.self, .weakening) { daemon, _, params in
                try await daemon.settings.providers.setDebugging(params)
                return Empty()
            },
            on(Providers.TellPaths.self, .weakening) { daemon, _, params in
                try await daemon.settings.providers.tellPaths(params)
                return Empty()
            },
            on(Providers.ChooseCredential.self, .preference) { daemon, client, params in
                try await daemon.settings.providers.chooseCredential(params, on: client)
            },
            on(Associations.List.self) { daemon, _, params in
                try await daemon.shared.associations.listAssociations(params)
            },
            on(Associations.Check.self) { daemon, _, params in
                try await daemon.shared.associations.checkAssociations(params)
            },
            on(Associations.Add.self, .weakening) { daemon, _, params in
                try await daemon.shared.associations.addAssociation(params)
            },
            on(Associations.Remove.self) { daemon, _, params in
                try await daemon.shared.associations.removeAssociations(params)
            },
            on(Associations.Log.self) { daemon, _, params in try await daemon.shared.associations.associationLog(params)
            },
            on(Associations.SetDeveloperMode.self, .weakening) { daemon, _, params in
                try await daemon.shared.associations.setDeveloperMode(params)
                return Empty()
            },
            on(Associations.SetSource.self, .passphrase) { daemon, _, params in
                try await daemon.shared.associations.setAssociationSource(params)
                return Empty()
            },
            on(Apps.List.self) { daemon, _, _ in try await daemon.apps.known.apps() },
            on(Apps.Look.self) { daemon, _, params in try await daemon.apps.known.look(params) },
            on(Apps.Grant.self, .passphrase) { daemon, _, params in try await daemon.apps.known.grant(params) },
            on(Apps.Revoke.self) { daemon, _, params in try await daemon.apps.known.revoke(params) },
            on(Apps.Forget.self, .weakening) { daemon, _, params in
                try await daemon.apps.known.forget(params)
                return Empty()
            },
            on(Apps.Bindings.self) { daemon, _, _ in try await daemon.apps.desktop.bindings() },
            on(Apps.Unbind.self) { daemon, _, params in
                try await daemon.apps.desktop.unbind(params)
                return Empty()
            },
            on(Search.Admit.self) { daemon, _, params in
                try await daemon.settings.search.admit(params)
                return Empty()
            },
            on(Desktop.Status.self) { daemon, _, _ in await daemon.apps.desktop.status() },
            on(Desktop.Summon.self) { daemon, _, _ in
                try await daemon.apps.desktop.tell(Desktop.Summon.self)
                return Empty()
            },
            on(Desktop.Inspect.self) { daemon, _, _ in try await daemon.apps.desktop.inspect() },
            on(Desktop.Stop.self) { daemon, _, _ in
                try await daemon.apps.desktop.tell(Desktop.Stop.self)
                return Empty()
            },
            on(Upgrades.List.self) { daemon, _, params in try await daemon.upgrades.accounts.rankedUpgrades(params) },
            on(Upgrades.Plan.self, .preference) { daemon, client, params in
                try await daemon.upgrades.accounts.planUpgrades(params, on: client)
            },
            on(Upgrades.Run.self, .preference) { daemon, client, params in
                try await daemon.upgrades.accounts.upgrade(params, on: client)
            },
            on(Upgrades.Settle.self, .preference) { daemon, client, params in
                try await daemon.upgrades.unsettled.settleUpgrade(params, on: client)
                return Empty()
            },
            on(Authorization.Render.self) { daemon, client, params in
                try await daemon.apps.requests.render(params, on: client)
                return Empty()
            },
            on(Renderer.Prompt.self, .nothing, prompt), on(Renderer.Answer.self, .nothing, promptAnswer),
            on(Renderer.Act.self, .nothing, act),
            pass(Items.List.self), pass(Items.Add.self),
            pass(Items.Edit.self, .weakening) { daemon, changes in
                try await daemon.settings.items.requireFresh(forEditing: changes)
            }, pass(Items.Remove.self),
            pass(Items.Restore.self),
            on(Generated.List.self) { daemon, _, _ in try await daemon.shared.pending.pendingPasswords() },
            on(Generated.Reveal.self, .preference) { daemon, client, params in
                try await daemon.settings.items.revealPending(params, program: client.program)
            },
            on(Generated.Remove.self) { daemon, _, params in
                try await daemon.shared.pending.removePending(params)
                return Empty()
            },
            on(Recommendations.List.self) { daemon, _, params in try await daemon.upgrades.recommendations.list(params)
            },
            on(Recommendations.Hide.self) { daemon, _, params in
                try await daemon.upgrades.recommendations.hide(params)
                return Empty()
            },
            on(NeverSites.List.self) { daemon, _, _ in try await daemon.shared.submittedForms.neverSites() },
            on(NeverSites.Add.self) { daemon, _, params in
                try await daemon.shared.submittedForms.changeNever(params.site, isNever: true)
            },
            on(NeverSites.Remove.self) { daemon, _, params in
                try await daemon.shared.submittedForms.changeNever(params.site, isNever: false)
            },
            on(Items.Get.self, .preference) { daemon, client, params in
                .init(item: try await daemon.settings.items.item(params, program: client.program))
            },
            on(Items.Reveal.self, .preference) { daemon, client, params in
                try await daemon.settings.items.reveal(params, program: client.program)
            },
            on(Items.Export.self, .parameter) { daemon, client, params in
                try await daemon.settings.items.export(params, program: client.program)
            },
            on(Items.Move.self, .preference) { daemon, client, params in
                try await daemon.settings.itemMoving.move(params, on: client)
            },
            on(Items.Compare.self, .preference) { daemon, client, params in
                try await daemon.settings.items.compare(params, program: client.program)
            },
            on(Items.Code.self, .preference) { daemon, client, params in
                try await daemon.settings.items.revealCode(params, program: client.program)
            },
            on(Items.History.self, .preference) { daemon, client, params in
                try await daemon.settings.items.history(params, program: client.program)
            },
        ]))

    static let browser = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Page.Focused.self) { daemon, client, params in await daemon.pages.sessions.focused(params, on: client)
            },
            on(Page.Left.self) { daemon, client, params in
                await daemon.pages.sessions.left(params, on: client)
                return Empty()
            },
            on(Submission.Submitted.self) { daemon, client, params in
                await daemon.shared.submittedForms.submitted(params, on: client)
                return Empty()
            },
            on(Submission.Settled.self) { daemon, client, params in
                await daemon.pages.saving.settled(params, on: client)
                return Empty()
            },
            on(Renderer.Inspect.self) { _, _, params in .init(inspecting: params.page) },
            on(Renderer.CheckRules.self) { _, _, params in try .init(checking: params.rules) },
            on(Renderer.Status.self) { daemon, _, _ in
                let status = await daemon.settings.status.status()
                return .init(
                    initialized: status.initialized, locked: status.locked, autoFill: status.autoFill,
                    version: status.version, older: status.older)
            },
            on(Renderer.GetPreferences.self) { daemon, _, _ in await daemon.settings.preferences.shown() },
            on(Renderer.SetPreferences.self, .prompt) { daemon, client, params in
                try await daemon.settings.preferences.change(params, over: client)
            },
            on(Renderer.DisableLogin.self) { daemon, _, _ in
                try await daemon.broker.login.disable()
                return Empty()
            },
            on(Renderer.ForgetPIN.self) { daemon, _, _ in
                await daemon.broker.pin.forget()
                return Empty()
            },
            on(Renderer.Lock.self) { daemon, _, _ in
                await daemon.broker.lock(reason: "request")
                return Empty()
            },
            on(Renderer.Suggestions.self) { daemon, client, params in
                try await daemon.pages.suggestions.suggestions(session: params.session, on: client)
            },
            on(Renderer.List.self, .prompt) { daemon, client, params in
                try await daemon.pages.suggestions.list(params, on: client)
            },
            on(Renderer.Find.self) { daemon, client, params in
                try await daemon.pages.search.find(params, on: client)
            },
            on(Renderer.Copy.self, .prompt) { daemon, client, params in
                try await daemon.pages.search.copy(params, on: client)
            },
            on(Renderer.Choose.self, .prompt) { daemon, client, params in
                try await daemon.pages.filling.choose(params, on: client)
            },
            on(Renderer.Unlock.self, .prompt) { daemon, client, params in
                try await daemon.pages.filling.unlock(params, on: client)
            },
            on(Advice.ChangePassword.self) { daemon, client, params in
                try await daemon.upgrades.recommendations.changePasswordPage(params, on: client)
            },
            on(Advice.Hide.self) { daemon, client, params in
                try await daemon.upgrades.recommendations.hideAdvice(params, on: client)
                return Empty()
            },
            on(Advice.Upgrade.self, .prompt) { daemon, client, params in
                try await daemon.upgrades.recommendations.upgradeInTab(params, on: client)
            },
            on(Upgrades.List.self) { daemon, _, params in try await daemon.upgrades.accounts.upgradesForBrowser(params)
            },
            on(Upgrades.Plan.self, .prompt) { daemon, client, params in
                try await daemon.upgrades.accounts.planUpgrades(params, on: client)
            },
            on(Upgrades.Run.self) { daemon, client, params in
                try await daemon.upgrades.accounts.upgradeAsPlanned(params, on: client)
            },
            on(Renderer.OpenList.self, .prompt) { daemon, client, params in
                try await daemon.pages.filling.openList(params, on: client)
            },
            on(Renderer.Prompt.self, .nothing, prompt), on(Renderer.Answer.self, .nothing, promptAnswer),
            on(Renderer.Act.self, .nothing, act),
            on(Renderer.Fingerprint.self) { daemon, client, params in
                try await daemon.shared.questions.desk.fingerprint(params.prompt, on: client.number)
            },
            on(Renderer.StopFingerprint.self) { daemon, client, params in
                await daemon.shared.questions.desk.stopFingerprint(params.prompt, on: client.number)
                return Empty()
            },
            on(Renderer.CopySaved.self, .prompt) { daemon, client, params in
                try await daemon.settings.items.copy(params, over: client)
            },
            on(Renderer.Reveal.self, .prompt) { daemon, client, params in
                try await daemon.settings.items.reveal(params, over: client)
            },
            on(Consents.List.self) { daemon, _, _ in try await daemon.pages.consents.consents() },
            on(Consents.Forget.self) { daemon, _, params in try await daemon.pages.consents.forgetConsents(params) },
            on(Providers.List.self) { daemon, _, _ in try await daemon.settings.providers.providers() },
            on(Providers.Enable.self, .prompt) { daemon, client, params in
                try await daemon.settings.providers.requireUser(client, for: params)
                return try await daemon.settings.providers.enable(params)
            },
            on(Providers.Disable.self) { daemon, _, params in
                try await daemon.settings.providers.disable(params.identifier)
            },
            on(Providers.Order.self) { daemon, _, params in
                try await daemon.settings.providers.order(params.identifiers)
                return Empty()
            },
            on(Providers.Configure.self, .prompt) { daemon, client, params in
                try await daemon.settings.providers.configure(params.identifier, on: client)
                return Empty()
            },
        ]))

    static let git = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Git.Get.self, .prompt) { daemon, client, params in try await daemon.apps.git.get(params, on: client) },
            on(Git.Store.self, .prompt) { daemon, client, params in try await daemon.apps.git.store(params, on: client)
            },
            on(Git.Erase.self) { daemon, client, params in try await daemon.apps.git.erase(params, on: client) },
        ]))

    /// The methods of any program of the user.
    static let client = Routes(
        routes: Dictionary(uniqueKeysWithValues: [
            on(Authorization.Request.self, .prompt) { daemon, client, params in
                try await daemon.apps.filling.authorize(params, on: client)
            },
            on(Authorization.Save.self, .prompt) { daemon, client, params in
                try await daemon.apps.saving.save(params, on: client)
                return Empty()
            },
            on(Modification.Request.self, .prompt) { daemon, client, params in
                try await daemon.upgrades.accounts.modify(params, on: client)
            },
            on(WebAuthentication.Request.self, .prompt) { daemon, client, params in
                try await daemon.apps.webSignIn.authenticate(params, on: client)
            },
            on(Authorization.Cancel.self) { daemon, client, _ in
                await daemon.apps.requests.cancelAuthorization(on: client)
                return Empty()
            },
        ]))

    static let app = Routes(
        routes: Dictionary(
            uniqueKeysWithValues: [
                on(ContainingApp.Open.self) { daemon, client, _ in
                    try await daemon.settings.providers.openContainer(of: client)
                },
                on(ContainingApp.State.self) { daemon, client, _ in
                    .init(enabled: try await daemon.settings.providers.isEnabled(client))
                },
                on(ContainingApp.RequestEnable.self, .prompt) { daemon, client, _ in
                    .init(enabled: try await daemon.settings.providers.requestEnable(client))
                },
            ]
                + [
                    Provider.StoreState.name, Provider.SaveIdentities.name, Provider.RemoveIdentities.name,
                    Provider.ReplaceIdentities.name, Provider.RemoveAllIdentities.name, Provider.BeginBatch.name,
                    Provider.AppendBatch.name, Provider.CommitBatch.name, Provider.ListIdentities.name,
                ].map(store)))

    /// A route to the identity store of a containing app's provider.
    private static func store(_ method: String) -> Entry {
        (
            method,
            (
                .nothing,
                { daemon, client, params in
                    guard case .app(let provider) = client.role else {
                        throw WireError(.notPermitted, "Only a provider has a store.")
                    }
                    return try await daemon.shared.stores.handleStore(
                        method, params, of: provider, client: client.number)
                }
            )
        )
    }

    // MARK: Methods of every renderer

    private static let prompt:
        @Sendable (Capabilities, ClientConnection, Renderer.Prompt.Params) async throws
            -> Renderer.Prompt.Answer = { daemon, client, params in
                if let shown = await daemon.shared.questions.desk.show(params.prompt, on: client.number) {
                    return shown
                }
                guard let shown = await daemon.shared.questions.interfaces.prompt(params.prompt, on: client.number)
                else {
                    throw WireError(.expired, "The question has ended.")
                }
                return shown
            }

    private static let promptAnswer:
        @Sendable (Capabilities, ClientConnection, Renderer.Answer.Params) async throws -> Empty =
            {
                daemon, client, params in
                if !params.accept, await daemon.shared.questions.interfaces.cancel(params.prompt, on: client.number) {
                    return Empty()
                }
                try await daemon.shared.questions.desk.answer(params, on: client.number)
                return Empty()
            }

    private static let act: @Sendable (Capabilities, ClientConnection, Renderer.Act.Params) async throws -> Empty = {
        daemon, client, params in
        try await daemon.shared.questions.interfaces.act(params, on: client.number)
        return Empty()
    }
}
