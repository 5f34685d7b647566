// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Logging
internal import ShownText

/// Lists, installs and removes providers, and enables those that the user wants.
@DaemonActor final class ProviderSettings {
    let broker: Broker
    let stores: IdentityStores
    let providers: InstalledProviders
    let questions: UserQuestions
    let abilities: ProviderAbilities
    let providerInterfaces: ProviderInterfaces
    let appAssociations: AppAssociations
    let runs: Runs
    let savedPasswordsWindow: SavedPasswordsWindow
    /// When a containing app last asked the user to enable it.
    var lastEnableRequests: [BundleIdentifier: ContinuousClock.Instant] = [:]

    init(
        _ broker: Broker, stores: IdentityStores, providers: InstalledProviders, questions: UserQuestions,
        abilities: ProviderAbilities, providerInterfaces: ProviderInterfaces, appAssociations: AppAssociations,
        runs: Runs,
        savedPasswordsWindow: SavedPasswordsWindow
    ) {
        self.broker = broker
        self.stores = stores
        self.providers = providers
        self.questions = questions
        self.abilities = abilities
        self.providerInterfaces = providerInterfaces
        self.appAssociations = appAssociations
        self.runs = runs
        self.savedPasswordsWindow = savedPasswordsWindow
    }

    // MARK: Listing

    func providers() async throws -> Providers.List.Answer {
        _ = try broker.requireUnlocked()
        let (found, problems) = await broker.shelf.survey()
        let keys = try broker.requireUnlocked()
        var statements: [ProviderStatement] = []
        for provider in keys.registry.providers {
            guard let identifier = BundleIdentifier(provider.identifier) else { continue }
            if identifier == .builtIn {
                statements.append(await builtInStatement(keys))
            } else if let found = found.first(where: { $0.bundle.identifier == identifier }) {
                statements.append(await statement(found, provider, keys))
            } else {
                let problem = problems.first { $0.identifier == identifier }
                guard keys.registry.isEnabled(identifier) || problem != nil else { continue }
                statements.append(missing(provider, problem))
            }
        }
        let known = Set(statements.map(\.identifier))
        for found in found where !known.contains(found.bundle.identifier.rawValue) {
            statements.append(await statement(found, nil, keys))
        }
        for problem in problems where !known.contains(problem.identifier?.rawValue ?? "") {
            statements.append(broken(problem))
        }
        let enabled = statements.filter { $0.state != "disabled" && $0.state != "broken" }
        let others = statements.filter { $0.state == "disabled" || $0.state == "broken" }
        return .init(
            providers: enabled + others,
            isolation: .init(available: broker.isolation.program != nil, reason: broker.isolation.reason))
    }

    // MARK: Changing

    /// Enables the bundle that the user was shown. The caller has made sure that the user wants it.
    func enable(_ params: Providers.Enable.Params) async throws -> ProviderAnswer {
        _ = try broker.requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier) else {
            throw InstalledProviders.unknown(params.identifier)
        }
        if identifier == .builtIn {
            try change(identifier) { $0.isEnabled = true }
            try broker.change { try $0.openStore(of: identifier) }
            await providers.fill(identifier)
            stores.updateOffers()
            broker.tellBrowsers()
            return .init(provider: await builtInStatement(try broker.requireUnlocked()))
        }
        guard let found = await broker.shelf.find(identifier) else {
            throw InstalledProviders.unknown(params.identifier)
        }
        try Self.requireShown(found, params)
        let digest = params.digest
        let bundle = found.bundle
        let agreed = bundle.capabilities
        if let contention = providers.contention(over: bundle) {
            throw WireError(
                .refused, "\(identifier) does not belong to the app that it names: \(contention).", reason: contention)
        }
        for group in bundle.entitlements.grants.groups {
            let owners = try broker.requireUnlocked().registry.providers.filter { $0.groups[group] != nil }
            if let owner = owners.first(where: { $0.enabled?.root != bundle.root }) {
                throw WireError(
                    .refused, "The app group \(group) belongs to \(owner.identifier).",
                    hint: "Remove that one with its data first, if you do not need it.")
            }
        }
        // All providers that share a group have the same group key.
        let shared = try broker.requireUnlocked().registry.providers.map(\.groups).reduce(into: [:]) {
            found, groups in
            found.merge(groups) { first, _ in first }
        }
        let before = try broker.requireUnlocked().registry.provider(identifier)
        try change(identifier) { provider in
            provider.isEnabled = true
            // What was agreed to for one bundle is not agreed to for another.
            if provider.enabled?.digest != digest { provider.isToldPaths = false }
            provider.enabled = .init(
                root: bundle.root, digest: digest, owner: bundle.owner, name: bundle.name,
                agreed: agreed.map(\.rawValue))
            var groups = provider.groups
            for group in bundle.entitlements.grants.groups where groups[group] == nil {
                groups[group] = shared[group] ?? SealedRegistry.makeSalt()
            }
            provider.groups = groups
        }
        // End a process of an older bundle, which is not the one that was enabled.
        await providers.supervisor(of: identifier).endAndWait()
        guard broker.unlocked?.registry.isEnabled(identifier) == true else {
            throw broker.unlocked == nil
                ? Broker.lockedMeanwhile : WireError(.refused, "It was disabled in the meantime.")
        }
        if let modification = bundle.modification {
            await appAssociations.declare(modification.app)
            appAssociations.scheduleAssociations()
        } else {
            abilities.note(bundle, of: identifier, agreed: Set(agreed))
            try broker.change { keys in
                // What was left out of the store before is agreed to now, so the provider fills it again.
                if agreed.contains(where: { before?.agreed.contains($0) != true }) { keys.deleteStore(of: identifier) }
                try keys.openStore(of: identifier)
            }
            await providers.fill(identifier)
        }
        broker.logger.notice("provider enabled", metadata: ["provider": "\(identifier)"])
        stores.updateOffers()
        broker.tellBrowsers()
        guard let keys = broker.unlocked, let provider = keys.registry.provider(identifier) else {
            throw Broker.lockedMeanwhile
        }
        return .init(provider: await statement(found, provider, keys))
    }

    /// Disables a provider. Its process and its identities are gone when this returns; its own data stays.
    func disable(_ identifierText: String) async throws -> ProviderAnswer {
        let keys = try broker.requireUnlocked()
        guard let identifier = BundleIdentifier(identifierText), keys.registry.provider(identifier) != nil else {
            throw InstalledProviders.unknown(identifierText)
        }
        try change(identifier) { $0.disable() }
        await providers.withdraw(identifier)
        broker.logger.notice("provider disabled", metadata: ["provider": "\(identifier)"])
        guard let answer = try await providers().providers.first(where: { $0.identifier == identifierText }) else {
            throw InstalledProviders.unknown(identifierText)
        }
        return .init(provider: answer)
    }

    func order(_ identifiers: [String]) async throws {
        let keys = try broker.requireUnlocked()
        let named = try identifiers.map { text in
            guard let identifier = BundleIdentifier(text), keys.registry.isEnabled(identifier) else {
                throw InstalledProviders.unknown(text)
            }
            return identifier
        }
        guard Set(named).count == named.count else {
            throw WireError(.invalidParams, "A provider is named twice.")
        }
        try await broker.unlockedSession().changeRegistry { try $0.order(named) }
        broker.tellBrowsers()
    }

    func install(from path: String) async throws -> Providers.Install.Answer {
        _ = try broker.requireUnlocked()
        let installed = try await broker.shelf.install(from: path)
        let keys = try broker.requireUnlocked()
        var statements: [ProviderStatement] = []
        for found in installed {
            let known = keys.registry.provider(found.bundle.identifier)
            // An update is another bundle than the one that was enabled.
            if let known, keys.registry.isEnabled(found.bundle.identifier),
                !InstalledProviders.isAsEnabled(found, known)
            {
                await providers.withdraw(found.bundle.identifier)
            }
            statements.append(await statement(found, known, keys))
        }
        return .init(providers: statements)
    }

    func remove(_ params: Providers.Remove.Params) async throws {
        _ = try broker.requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier), identifier != .builtIn else {
            throw WireError(.notPermitted, "The built-in provider can be disabled, not removed.")
        }
        let found = await broker.shelf.find(identifier)
        let keys = try broker.requireUnlocked()
        guard found != nil || keys.registry.provider(identifier) != nil else {
            throw InstalledProviders.unknown(params.identifier)
        }
        if let found { try await broker.shelf.remove(found.bundle) }
        if keys.registry.provider(identifier) != nil {
            try change(identifier) { $0.disable() }
        }
        await providers.withdraw(identifier)
        if params.deleteData == true {
            let others = keys.registry.providers.filter { $0.identifier != identifier.rawValue }
            let groups = (keys.registry.provider(identifier)?.groups ?? [:]).keys.filter { group in
                !others.contains { $0.groups[group] != nil }
            }
            for folder in [providers.container(of: identifier)] + groups.map(providers.groupFolder) {
                guard await Task.detached(operation: { FolderRemoval.remove(folder) }).value else {
                    throw WireError(
                        .storageFailed, "\(folder) cannot be deleted whole.", hint: "Delete it by hand, then try again."
                    )
                }
            }
            try broker.change { try $0.registry.removeProvider(identifier) }
        }
        broker.logger.notice("provider removed", metadata: ["provider": "\(identifier)"])
    }

    func setDebugging(_ params: Providers.Debug.Params) async throws {
        _ = try broker.requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier), let found = await broker.shelf.find(identifier)
        else {
            throw InstalledProviders.unknown(params.identifier)
        }
        guard found.bundle.entitlements.isDebug else {
            throw WireError(
                .notPermitted, "\(identifier) is not a debug build.",
                hint: "Its entitlements file needs get-task-allow.")
        }
        // Without isolation the provider can do whatever the user can.
        if params.on { try broker.requireFresh("\(Providers.Debug.name) \(identifier): without isolation") }
        try Directories.makePrivate(broker.directories.state + "/debug")
        if params.on { providers.debugged.insert(identifier) } else { providers.debugged.remove(identifier) }
        await providers.supervisor(of: identifier).endAndWait()
    }

    /// Tells a provider the path of pages with its list, or only their origin.
    func tellPaths(_ params: Providers.TellPaths.Params) async throws {
        let keys = try broker.requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier), identifier != .builtIn,
            keys.registry.isEnabled(identifier) || !params.on && keys.registry.provider(identifier) != nil
        else { throw InstalledProviders.unknown(params.identifier) }
        if params.on { try broker.requireFresh("\(Providers.TellPaths.name) \(identifier): paths of pages") }
        try change(identifier) { $0.isToldPaths = params.on }
    }

    // MARK: Statements

    private func statement(
        _ found: BundleShelf.Found, _ provider: SealedRegistry.Provider?, _ keys: UnlockedKeys
    ) async -> ProviderStatement {
        let bundle = found.bundle
        var problem: String?
        var digest: String?
        switch found.digest {
        case .success(let text): digest = text
        case .failure(let error): problem = error.message
        }
        let isWanted = keys.registry.isEnabled(bundle.identifier)
        let state =
            if problem != nil {
                "broken"
            } else if isWanted, let provider {
                InstalledProviders.isAsEnabled(found, provider) ? "enabled" : "changed"
            } else {
                "disabled"
            }
        return ProviderStatement(
            identifier: bundle.identifier.rawValue, name: broker.name(of: bundle.identifier, stated: bundle.name),
            version: bundle.version, path: bundle.root,
            builtIn: false, state: state, problem: problem, digest: digest,
            running: await providers.supervisors[bundle.identifier]?.isRunning ?? false,
            identities: keys.stores[bundle.identifier].flatMap { try? $0.state.count }, provides: bundle.provides,
            showsConfiguration: bundle.showsConfiguration, debug: bundle.entitlements.isDebug,
            isolation: broker.isolation.program == nil || providers.debugged.contains(bundle.identifier)
                ? "none" : "bubblewrap",
            grants: bundle.entitlements.grants,
            modification: bundle.modification.map { ModificationStatement($0) },
            toldPaths: isWanted ? provider?.isToldPaths : nil,
            savesPasswords: bundle.savesPasswords ? true : nil,
            generatesPasswords: bundle.generatesPasswords ? true : nil,
            asksFor: isWanted ? provider?.unagreed(bundle) : nil)
    }

    func builtInStatement(_ keys: UnlockedKeys) async -> ProviderStatement {
        ProviderStatement(
            identifier: BundleIdentifier.builtIn.rawValue, name: "Passwords", version: latchkeyVersion,
            path: broker.programFolder + "/latchkey-passwords", builtIn: true,
            state: keys.registry.isEnabled(.builtIn) ? "enabled" : "disabled", digest: "",
            running: await providers.supervisors[.builtIn]?.isRunning ?? false,
            identities: keys.stores[.builtIn].flatMap { try? $0.state.count },
            provides: ["passwords", "one-time-codes"],
            showsConfiguration: true, debug: false, isolation: broker.isolation.program == nil ? "none" : "bubblewrap",
            grants: .init(), savesPasswords: true, generatesPasswords: true)
    }

    private func missing(_ provider: SealedRegistry.Provider, _ problem: ProviderBundle.Problem?) -> ProviderStatement {
        ProviderStatement(
            identifier: provider.identifier, name: provider.enabled?.name ?? provider.identifier, version: "",
            path: problem?.folder ?? provider.enabled?.root ?? "", builtIn: false,
            state: problem == nil ? "missing" : "broken",
            problem: problem.map { TextCleaner.cleaned($0.reason, .sentence) } ?? "its bundle is gone",
            running: false, provides: [], showsConfiguration: false, debug: false, isolation: "none", grants: .init())
    }

    private func broken(_ problem: ProviderBundle.Problem) -> ProviderStatement {
        let folder = problem.folder.lastPathPart
        return ProviderStatement(
            identifier: problem.identifier?.rawValue ?? folder, name: TextCleaner.cleaned(folder), version: "",
            path: problem.folder, builtIn: false, state: "broken",
            problem: TextCleaner.cleaned(problem.reason, .sentence), running: false, provides: [],
            showsConfiguration: false, debug: false, isolation: "none", grants: .init())
    }

    // MARK: Parts

    private func change(_ identifier: BundleIdentifier, _ change: (inout SealedRegistry.Provider) -> Void) throws {
        try broker.change { try $0.registry.setProvider(identifier, change) }
    }

    /// Checks that a bundle is the one that the user was shown.
    ///
    /// - Throws: `refused` when it is not.
    static func requireShown(_ found: BundleShelf.Found, _ params: Providers.Enable.Params) throws {
        guard try found.digest.get() == params.digest else {
            throw WireError(
                .refused, "\(found.bundle.identifier) has changed since it was shown.",
                hint: "Look at it again with `latchkey providers info \(found.bundle.identifier)`.")
        }
    }
}

extension SealedRegistry.Provider {
    /// What a bundle states beyond what the user agreed to, by the words of `ProviderCapability`; `nil` if there is none of it.
    fileprivate func unagreed(_ bundle: ProviderBundle) -> [String]? {
        let words = bundle.capabilities.filter { !agreed.contains($0) }.map(\.rawValue)
        return words.isEmpty ? nil : words
    }
}

extension ModificationStatement {
    init(_ support: ModificationSupport) {
        self.init(
            app: support.app.identifier.rawValue, domains: support.app.domains.map { TextCleaner.cleaned($0) },
            kinds: (support.changesPasswords ? [Modification.strongPassword] : [])
                + (support.convertsToSignInWithApple ? [Modification.signInWithApple] : []),
            issuer: support.apple.flatMap { $0.isOfApple ? nil : $0.issuer })
    }
}
