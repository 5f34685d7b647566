// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import ShownText

/// Shows a provider's own list for an app. The user's choice there goes to the app, whatever else is saved.
extension AppFilling {
    /// The providers that have a list. This depends on the enabled providers and on the app's associations, never on what is saved.
    func lists(
        of type: CredentialType, for associations: [VerifiedAssociation]
    ) async -> [ProviderName] {
        guard type == .password, !Self.services(of: associations).isEmpty else { return [] }
        let found = await broker.shelf.survey().found
        // The built-in provider has no such list: its items are found by the services they were saved for.
        return (broker.unlocked?.order ?? []).filter { provider in
            provider != .builtIn
                && found.contains { $0.bundle.identifier == provider && $0.bundle.provides.contains("passwords") }
        }.map { ProviderName(identifier: $0.rawValue, name: DisplayText(broker.name(of: $0))) }
    }

    /// The services that a list is asked for on behalf of an app: the hosts that name the app. A wildcard names no host.
    private static func services(of associations: [VerifiedAssociation]) -> [ServiceIdentifier] {
        var hosts: [String] = []
        for host in associations.compactMap(\.host) where !host.coversSubdomains && !hosts.contains(host.host) {
            hosts.append(host.host)
        }
        return hosts.map { ServiceIdentifier(kind: .domain, value: $0) }
    }

    /// Shows a provider's list, and releases the user's choice. The daemon does not know what that credential was saved for. So the user
    /// confirms on the system's surface, with the passphrase, that the app gets it, as for a credential of another place.
    func releaseListed(
        of provider: BundleIdentifier, to app: VerifiedApp, _ requester: AppRequester,
        _ surface: AppSurface
    ) async throws -> CredentialAnswer {
        let epoch = broker.epoch
        let services = Self.services(
            of: await appAssociations.associations?.verifiedAssociations(for: app.identifier) ?? [])
        guard let service = services.first else { throw AppRefusal("no site names it any longer") }
        let sites = services.prefix(3).map(\.value).joined(separator: ", ")
        // Ignore whether the user acted in the list: the choice is confirmed in any case.
        let (listed, _) = try await providerInterfaces.presented(
            .list(services), of: provider,
            .init(requester: requester.name, provider: broker.name(of: provider), site: sites),
            context: RequestContext(app: app.identifier.rawValue), client: surface.renderer)
        guard let credential = listed else { throw WireError(.userCanceled, "Nothing was chosen.") }
        var question = PromptDesk.Question(
            kind: .authenticate, requester: requester.name, site: sites, user: credential.identity.user,
            provider: broker.name(of: provider))
        question.reasons = [
            "You chose it in the list of \(broker.name(of: provider)), which may have saved it for another place.",
            "\(app.identifier.bundle.rawValue) gets it if you go on.",
        ]
        let act = try await questions.askedAct(
            on: .init(
                identity: credential.identity, provider: credential.provider, destination: .app(app), epoch: epoch),
            by: question, as: requester.key, over: surface.renderer, surface: surface.kind,
            requirement: .authentication, otherwise: broker.standingAuthentication(isFill: true)
        ) { _ in [.foreign] }
        // Check everything again, because the steps before took time.
        let confirmed = await appRequests.confirm(requester)
        let association = await appAssociations.association(of: app.identifier, with: service.value)
        let password = try broker.release(
            credential, for: AppListFill(chosen: app, confirmed: confirmed, association: association), act: act)
        questions.promptLimiter.agreed(requester.key)
        return .init(
            credential: .init(
                type: CredentialType.password.rawValue, user: credential.identity.user, password: password))
    }
}
