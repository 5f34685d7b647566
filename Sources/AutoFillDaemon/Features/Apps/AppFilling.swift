// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillRelease
internal import ShownText

/// Fills passwords and codes for apps that ask for them (section 9 of `docs/protocol.md`).
@DaemonActor final class AppFilling: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let providerInterfaces: ProviderInterfaces
    let appAssociations: AppAssociations
    let auditTrail: AuditTrail
    let runs: Runs
    let codeMessages: CodeMessages
    let appRequests: AppRequests
    let upgrades: AccountUpgrades
    /// The open surfaces that show codes for an app, by name.
    var codeSurfaces: [String: SystemSurface] = [:]
    /// Redraws the surfaces when the next code expires.
    var codeExpiry: Task<Void, any Error>?
    /// Accounts of which the user was asked after a sign-in in an app, since the last unlock.
    var advised: Set<TabAccounts.Account> = []

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        providerInterfaces: ProviderInterfaces, appAssociations: AppAssociations,
        auditTrail: AuditTrail, runs: Runs, codeMessages: CodeMessages, appRequests: AppRequests,
        upgrades: AccountUpgrades
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.providerInterfaces = providerInterfaces
        self.appAssociations = appAssociations
        self.auditTrail = auditTrail
        self.runs = runs
        self.codeMessages = codeMessages
        self.appRequests = appRequests
        self.upgrades = upgrades
    }

    func sessionEnded() {
        advised = []
    }

    func codesChanged() {
        drawCodesAnew()
    }

    func authorize(_ params: Authorization.Request.Params, on client: ClientConnection) async throws -> CredentialAnswer
    {
        let known: [CredentialType] = [.password, .oneTimeCode]
        guard let type = known.first(where: { params.types.contains($0.rawValue) }) else {
            throw WireError(.invalidParams, "Only passwords and codes can be asked for.")
        }
        guard appRequests.authorizing.insert(client.number).inserted else {
            throw WireError(.busy, "A request of this program runs already.")
        }
        defer { appRequests.authorizing.remove(client.number) }
        do {
            return try await runs.running(for: nil, on: client) { [self] in
                try await appRequests.seated(params.surfaces, on: client) { [self] requester, surface in
                    // In order: identify the app, with the user's decision on it; let the user choose; ask the provider and the user;
                    // release through the gate.
                    let app = try await appRequests.app(requester, surface)
                    switch try await choice(of: type, for: app, requester, surface) {
                    case .row(let row) where row.provider == .receivedCodes:
                        return try await releaseReceived(row, to: app, requester, surface)
                    case .row(let row): return try await release(row, to: app, requester, surface)
                    case .list(let provider):
                        return try await releaseListed(of: provider, to: app, requester, surface)
                    }
                }
            }
        } catch {
            throw appRequests.unsaid(error, client)
        }
    }

    private func release(
        _ row: AppChooser.Row, to app: VerifiedApp, _ requester: AppRequester, _ surface: AppSurface
    ) async throws -> CredentialAnswer {
        let epoch = broker.epoch
        guard let origin = Origin(written: row.identity.service.value) else {
            throw AppRefusal(MatchRefusal.unreadableService.rawValue)
        }
        let (credential, interaction) = try await providerInterfaces.credential(
            for: row.identity, of: row.provider, site: origin,
            context: RequestContext(app: app.identifier.rawValue), client: surface.renderer, requester: requester.name)
        let subject = ActSubject(
            identity: credential.identity, provider: credential.provider, destination: .app(app), epoch: epoch)
        let act =
            interaction != .none
            ? questions.interfaceAct(on: subject, surface: surface.kind)
            : try await consent(to: row, on: subject, for: origin.description, requester, surface)
        // Check everything again, because the steps before took time.
        let confirmed = await appRequests.confirm(requester)
        let association = try? await appAssociations.associations?.association(of: app.identifier, with: origin.host)
            .get()
        let password = try broker.release(
            credential, for: AppFill(chosen: app, confirmed: confirmed, association: association), act: act)
        questions.promptLimiter.agreed(requester.key)
        auditTrail.remember(
            SealedRegistry.releaseDigest(
                origin: "app:" + app.identifier.rawValue, provider: row.provider, identity: credential.identity))
        guard row.identity.type == .password else {
            return .init(credential: .init(type: row.identity.type.rawValue, code: password))
        }
        adviseOnceAnswered(
            .init(
                app: app, requester: requester, surface: surface, identity: credential.identity, provider: row.provider)
        )
        return .init(
            credential: .init(
                type: CredentialType.password.rawValue, user: credential.identity.user, password: password))
    }

    /// The user's act for a choice that was made outside of anything that the app draws.
    func consent(
        to row: AppChooser.Row, on subject: ActSubject, for site: String, _ requester: AppRequester,
        _ surface: AppSurface
    ) async throws -> UserAct {
        let choice = UserChoice(surface: surface.kind, isFill: true)
        if let act = questions.unaskedAct(on: subject, by: choice) { return act }
        let requirement = broker.requirement(of: choice)
        var question = PromptDesk.Question(
            kind: requirement == .confirmation ? .confirm : .authenticate, requester: requester.name,
            site: site, user: row.identity.user, provider: broker.name(of: row.provider))
        if row.identity.type == .oneTimeCode { question.thing = "code" }
        // A received code belongs to no account; the row names its source.
        if row.provider == .receivedCodes { (question.user, question.provider) = (nil, DisplayText(row.identity.user)) }
        return try await questions.askedAct(
            on: subject, by: question, as: requester.key, over: surface.renderer, surface: surface.kind,
            requirement: requirement, otherwise: broker.standingAuthentication(isFill: true))
    }
}
