// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import Foundation
internal import ShownText
internal import Synchronization

/// Shows providers' own interfaces for the settings, and answers providers' containing apps.
extension ProviderSettings {
    /// Shows a provider's configuration, and returns when the user has finished it.
    func configure(_ identifierText: String, on client: ClientConnection) async throws {
        _ = try broker.requireUnlocked()
        let identifier = BundleIdentifier(identifierText)
        if identifier == .builtIn { return try await savedPasswordsWindow.showSavedPasswords(on: client) }
        guard let identifier, let found = await broker.shelf.find(identifier) else {
            throw InstalledProviders.unknown(identifierText)
        }
        guard found.bundle.showsConfiguration else {
            throw WireError(.notPermitted, "\(broker.name(of: identifier)) has nothing to configure.")
        }
        try await runs.running(for: nil, on: client) { [self] in
            _ = try await providerInterfaces.presented(
                .configuration, of: identifier,
                .init(requester: client.requester, provider: broker.name(of: identifier)),
                client: client)
        }
    }

    /// A credential from a provider's own list, for the command line.
    func chooseCredential(_ params: Providers.ChooseCredential.Params, on client: ClientConnection) async throws
        -> Providers.ChooseCredential.Answer
    {
        guard let provider = BundleIdentifier(params.provider), provider != .builtIn,
            try broker.requireUnlocked().stores[provider] != nil
        else { throw InstalledProviders.unknown(params.provider) }
        guard let origin = Origin(written: params.url) else {
            throw WireError(.invalidParams, "\(params.url) is not an http or https URL.")
        }
        let path = PagePath(inURL: params.url)
        let unlocked = try broker.unlockedSession()
        // Any program can start the command line and act in the interface that it draws, so no act there shows that the user is there.
        let proof = try questions.terminalProof()
        return try await runs.running(for: nil, on: client) { [self] in
            let (credential, interaction) = try await providerInterfaces.presented(
                .list(providerInterfaces.services(of: origin, path, for: provider)), of: provider,
                .init(
                    requester: client.requester, provider: broker.name(of: provider), site: origin.description),
                client: client)
            guard let credential else { throw WireError(.userCanceled, "Nothing was chosen.") }
            guard interaction == .acted else {
                throw WireError(
                    .providerUnavailable, "\(broker.name(of: provider)) answered before you had chosen anything.")
            }
            try unlocked.check()
            let purpose = Reveal(to: client.program, connection: client.number)
            let act = proof.act(on: credential, to: purpose.destination)
            return .init(
                user: credential.identity.user, password: try broker.release(credential, for: purpose, act: act))
        }
    }

    /// Makes sure that the user wants a provider enabled. The command line has proved it; every other client causes a prompt.
    func requireUser(_ client: ClientConnection, for params: Providers.Enable.Params) async throws {
        // `Routes` has demanded the passphrase.
        if client.role == .settings { return }
        guard let identifier = BundleIdentifier(params.identifier) else {
            throw InstalledProviders.unknown(params.identifier)
        }
        let found = await broker.shelf.find(identifier)
        guard identifier == .builtIn || found != nil else { throw InstalledProviders.unknown(params.identifier) }
        _ = try broker.requireUnlocked()
        if let found { try Self.requireShown(found, params) }
        var details: [DisplayText] = ["It is \(identifier.rawValue)."]
        if broker.isolation.program == nil {
            details.append("It runs without isolation here, so it can read your files.")
        }
        let does = found?.bundle.capabilities ?? ProviderCapability.builtIn
        let sentences =
            found?.bundle.modification.map { ModificationStatement($0).sentences }
            ?? ProviderStatement.sentences(doing: does.map(\.rawValue))
        details += (sentences + (found?.bundle.entitlements.grants.sentences ?? [])).map { DisplayText($0, .sentence) }
        try await questions.ask(
            .init(
                kind: .enable, requester: client.requester,
                provider: broker.name(of: identifier, stated: found?.bundle.name),
                details: details,
                thing: found?.bundle.modification == nil ? "password" : "extension"),
            as: "enable " + identifier.rawValue, over: client
        ) { [weak self] passphrase in try await self?.broker.authenticate(passphrase: passphrase) }
        try broker.noteWeakened("\(Providers.Enable.name) \(identifier)", by: client.program, Providers.Enable.name)
    }

    // MARK: Containing apps

    private func provider(of client: ClientConnection) throws -> BundleIdentifier {
        guard case .app(let provider) = client.role else {
            throw WireError(.notPermitted, "Only a provider's containing app may ask this.")
        }
        return provider
    }

    func isEnabled(_ client: ClientConnection) throws -> Bool {
        let provider = try provider(of: client)
        // Not `requireUnlocked`: an app that polls is not activity of the user.
        guard let unlocked = broker.unlocked else { throw WireError(.locked, "Latchkey is locked.") }
        return unlocked.stores[provider] != nil
    }

    /// The folders and keys of the provider, for its containing app.
    func openContainer(of client: ClientConnection) async throws -> ContainingApp.Open.Answer {
        let provider = try provider(of: client)
        guard try broker.requireUnlocked().registry.isEnabled(provider) else {
            throw WireError(.notPermitted, "\(provider) is not enabled.", reason: "the provider is not enabled")
        }
        let start = try await providers.launch(of: provider).start(provider.rawValue)
        try Directories.makePrivate(start.container)
        for group in start.groups ?? [] { try Directories.makePrivate(group.folder) }
        return .init(
            identifier: start.identifier, container: start.container, key: start.key, groups: start.groups ?? [])
    }

    /// A containing app asks the user to enable its provider; once in ten seconds.
    func requestEnable(_ client: ClientConnection) async throws -> Bool {
        let provider = try provider(of: client)
        let keys = try broker.requireUnlocked()
        guard keys.stores[provider] == nil else { return true }
        if let last = lastEnableRequests[provider], broker.time.now() < last + .seconds(10) {
            throw WireError(.tooManyAttempts, "The user was asked a moment ago.", retryAfter: 10)
        }
        lastEnableRequests[provider] = broker.time.now()
        guard let found = await broker.shelf.find(provider), case .success(let digest) = found.digest else {
            throw InstalledProviders.unknown(provider.rawValue)
        }
        let params = Providers.Enable.Params(identifier: provider.rawValue, digest: digest)
        do {
            try await requireUser(client, for: params)
        } catch let error as WireError where error.code == .userCanceled {
            return false
        }
        _ = try await enable(params)
        return true
    }
}
