// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import ShownText

/// Saves passwords for apps (section 9 of `docs/protocol.md`).
@DaemonActor final class AppPasswordSaving {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let appAssociations: AppAssociations
    let submittedForms: SubmittedForms
    let convertedAccounts: ConvertedAccounts
    let runs: Runs
    let appRequests: AppRequests

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces, appAssociations: AppAssociations,
        submittedForms: SubmittedForms, convertedAccounts: ConvertedAccounts, runs: Runs, appRequests: AppRequests
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.appAssociations = appAssociations
        self.submittedForms = submittedForms
        self.convertedAccounts = convertedAccounts
        self.runs = runs
        self.appRequests = appRequests
    }

    /// Asks the user in the same way whatever is saved already. Otherwise an app could find out by trying passwords.
    func save(_ params: Authorization.Save.Params, on client: ClientConnection) async throws {
        let saving = try AppSaving(params)
        guard appRequests.authorizing.insert(client.number).inserted else {
            throw WireError(.busy, "A request of this program runs already.")
        }
        defer { appRequests.authorizing.remove(client.number) }
        do {
            try await runs.running(for: nil, on: client) { [self] in
                try await appRequests.seated(params.surfaces, on: client) { [self] requester, surface in
                    let app = try await appRequests.app(requester, surface)
                    try await save(saving, for: app, requester, surface)
                }
            }
        } catch {
            throw appRequests.unsaid(error, client)
        }
    }

    private func save(
        _ saving: AppSaving, for app: VerifiedApp, _ requester: AppRequester, _ surface: AppSurface
    ) async throws {
        let unlocked = try broker.unlockedSession()
        let shown = try await SystemSurface(
            .init(requester: requester.name, provider: nil, site: saving.origin.host, thing: "save"),
            on: questions.interfaces,
            over: surface.renderer)
        defer { Task { await shown.end() } }
        await shown.show(AppChooser.waiting)
        let (offer, decision) = try await offer(saving, app)
        await shown.show(saving.interface(for: app, offer))
        while true {
            let outcome = AppSaving.outcome(of: try await shown.next(), offer)
            switch (outcome, decision) {
            case (.nothing, _): continue
            case (.done, _): return
            case (.save(let provider), .save):
                await shown.end()
                return try await keep(saving, in: provider, "saved", unlocked, requester, surface)
            case (.update, .update(let accounts)):
                guard let account = accounts.first else { throw WireError(.userCanceled, "Nothing is to be saved.") }
                await shown.end()
                return try await keep(saving, in: account.provider, "updated", unlocked, requester, surface)
            default: throw WireError(.userCanceled, "The user said no.")
            }
        }
    }

    /// The offer for the user, and the decision it is based on.
    private func offer(_ saving: AppSaving, _ app: VerifiedApp) async throws -> (AppSaving.Offer, SaveDecision?) {
        await appAssociations.declare(app.entitlement)
        _ = await appAssociations.associations?.check(app.identifier)
        guard
            (try? await appAssociations.associations?.association(of: app.identifier, with: saving.origin.host).get())
                != nil
        else {
            return (.nothing("\(saving.origin.host) has not confirmed this app, so nothing is saved."), nil)
        }
        guard !submittedForms.saves.isNever(saving.origin.written) else {
            return (.nothing("You chose to save nothing for \(saving.origin.host)."), nil)
        }
        let accounts = try await submittedForms.accounts(
            at: saving.origin, users: [saving.user], password: saving.password, old: nil)
        let savers = abilities.savers()
        // A code is typed behind a password in pages only; an app has not been given one.
        let decision = SaveDecision(
            user: saving.user, kind: .current, accounts: accounts, savers: savers.count, appendsCode: false,
            mayHoldCode: false)
        func named(_ provider: BundleIdentifier) -> ProviderName {
            ProviderName(identifier: provider.rawValue, name: DisplayText(broker.name(of: provider)))
        }
        switch decision {
        case .save: return (.save(savers.map(named)), decision)
        case .update(let accounts):
            guard let account = accounts.first else { return (.nothing("Nothing is to be saved."), nil) }
            return (.update(named(account.provider), isKnown: account.isSame != nil), decision)
        case .nothing(let reason): return (.nothing("Nothing is to be saved: \(reason.rawValue)."), decision)
        }
    }

    private func keep(
        _ saving: AppSaving, in provider: BundleIdentifier, _ word: String, _ unlocked: UnlockedSession,
        _ requester: AppRequester,
        _ surface: AppSurface
    ) async throws {
        // Check everything again, because the steps before took time.
        guard let app = await appRequests.confirm(requester),
            (try? await appAssociations.associations?.association(of: app.identifier, with: saving.origin.host).get())
                != nil
        else { throw WireError(.refused, "The app changed after you were asked, so nothing was saved.") }
        guard unlocked.isCurrent, abilities.savers().contains(provider), !Task.isCancelled else {
            throw Broker.lockedMeanwhile
        }
        let context = RequestContext(app: app.identifier.rawValue)
        // The question did not name what the provider would replace, so the provider asks for that itself.
        let params = Saving.Save.Params(
            request: 0, service: ServiceStatement(ServiceIdentifier(kind: .url, value: saving.origin.description)),
            user: saving.user, password: WireSecret(saving.password), title: saving.title,
            session: RandomName.make(), event: word == "updated" ? "userInitiated" : "formDidDisappear",
            context: context)
        try await providerInterfaces.save(
            params, in: provider, requester: requester.name, at: saving.origin, context: context,
            client: surface.renderer)
        if unlocked.isCurrent {
            broker.known.saved(HeldSecret(params.password), at: saving.origin, user: saving.user, by: provider)
        }
        questions.promptLimiter.agreed(requester.key)
        convertedAccounts.signsInByPassword { $0.concerns(service: saving.origin.written, user: saving.user) }
        stores.updateOffers()
        try broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: word, provider: provider.rawValue, service: saving.origin.description,
                user: saving.user, requester: app.description, act: surface.kind.rawValue))
        broker.tellBrowsers()
    }
}
