// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillNetwork
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Which providers there are, and which of them the user wants.
extension Broker {
    // MARK: What there is

    func providers() async throws -> Providers.List.Answer {
        _ = try requireUnlocked()
        let (found, problems) = await shelf.survey()
        let keys = try requireUnlocked()
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
            isolation: .init(available: isolation.program != nil, reason: isolation.reason))
    }

    /// The enabled providers of other people that are as the user enabled them get their stores; the others lose theirs.
    func openProviders() async {
        let (found, _) = await shelf.survey()
        guard let keys = unlocked else { return }
        for provider in keys.registry.providers {
            guard let identifier = BundleIdentifier(provider.identifier), identifier != .builtIn else { continue }
            let isAsEnabled = found.contains { $0.bundle.identifier == identifier && Self.isAsEnabled($0, provider) }
            // Asked now: what ran before in this loop took time.
            guard let current = unlocked else { return }
            // An extension that changes passwords offers none, and has no store.
            if found.contains(where: { $0.bundle.identifier == identifier && $0.bundle.modification != nil }) {
                continue
            }
            noteSaving(found.first { $0.bundle.identifier == identifier }?.bundle, of: identifier)
            if current.registry.isEnabled(identifier), isAsEnabled {
                do {
                    try unlocked?.openStore(of: identifier)
                    await fill(identifier)
                } catch {
                    logger.error("an identity store cannot be opened", metadata: ["provider": "\(identifier)"])
                }
            } else {
                unlocked?.deleteStore(of: identifier)
            }
        }
        updateOffers()
    }

    /// Starts a provider whose store is missing, so that it can fill it: a normal state.
    func fill(_ provider: BundleIdentifier) async {
        guard let store = unlocked?.stores[provider], (try? store.state)?.supportsIncrementalUpdates != true,
            let launch = try? await launch(of: provider)
        else { return }
        let supervisor = supervisor(of: provider)
        Task { try? await supervisor.warm(launch) }
    }

    // MARK: What the user wants

    /// Enables the bundle that the user was shown. Who asks has made sure that it is the user's wish.
    func enable(_ params: Providers.Enable.Params) async throws -> ProviderAnswer {
        _ = try requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier) else { throw Self.unknown(params.identifier) }
        if identifier == .builtIn {
            try change(identifier) { $0.isEnabled = true }
            try unlocked?.openStore(of: identifier)
            await fill(identifier)
            updateOffers()
            tellBrowsers()
            return .init(provider: await builtInStatement(try requireUnlocked()))
        }
        guard let found = await shelf.find(identifier) else { throw Self.unknown(params.identifier) }
        try Self.requireShown(found, params)
        let digest = params.digest
        let bundle = found.bundle
        if let contention = contention(over: bundle) {
            throw WireError(
                .refused, "\(identifier) is not of the app that it says: \(contention).", reason: contention)
        }
        for group in bundle.entitlements.grants.groups {
            let owners = try requireUnlocked().registry.providers.filter { $0.groups?[group] != nil }
            if let owner = owners.first(where: { $0.enabled?.root != bundle.root }) {
                throw WireError(
                    .refused, "The app group \(group) belongs to \(owner.identifier).",
                    hint: "Remove that one with its data first, if you do not need it.")
            }
        }
        // Everybody who shares a group has its one key.
        let shared = try requireUnlocked().registry.providers.compactMap(\.groups).reduce(into: [:]) { found, groups in
            found.merge(groups) { first, _ in first }
        }
        try change(identifier) { provider in
            provider.isEnabled = true
            provider.enabled = .init(root: bundle.root, digest: digest, owner: bundle.owner, name: bundle.name)
            var groups = provider.groups ?? [:]
            for group in bundle.entitlements.grants.groups where groups[group] == nil {
                groups[group] = shared[group] ?? SealedRegistry.makeSalt()
            }
            provider.groups = groups
        }
        // An older process of another digest is not the one that was enabled.
        await supervisor(of: identifier).endAndWait()
        guard unlocked?.registry.isEnabled(identifier) == true else {
            throw unlocked == nil ? Self.lockedMeanwhile : WireError(.refused, "It was disabled in the meantime.")
        }
        if let modification = bundle.modification {
            await declare(modification.app)
            scheduleAssociations()
        } else {
            noteSaving(bundle, of: identifier)
            try unlocked?.openStore(of: identifier)
            await fill(identifier)
        }
        logger.notice("provider enabled", metadata: ["provider": "\(identifier)"])
        updateOffers()
        tellBrowsers()
        guard let keys = unlocked, let provider = keys.registry.provider(identifier) else { throw Self.lockedMeanwhile }
        return .init(provider: await statement(found, provider, keys))
    }

    /// Disables a provider: its process and what it offers are gone when this returns; what it keeps stays.
    func disable(_ identifierText: String) async throws -> ProviderAnswer {
        let keys = try requireUnlocked()
        guard let identifier = BundleIdentifier(identifierText), keys.registry.provider(identifier) != nil else {
            throw Self.unknown(identifierText)
        }
        try change(identifier) { $0.isEnabled = false }
        await withdraw(identifier)
        logger.notice("provider disabled", metadata: ["provider": "\(identifier)"])
        guard let answer = try await providers().providers.first(where: { $0.identifier == identifierText }) else {
            throw Self.unknown(identifierText)
        }
        return .init(provider: answer)
    }

    /// Takes back everything that a provider offers.
    func withdraw(_ identifier: BundleIdentifier) async {
        unlocked?.deleteStore(of: identifier)
        batches = batches.filter { $0.value.provider != identifier }
        await supervisors[identifier]?.endAndWait()
        updateOffers()
        tellBrowsers()
    }

    func order(_ identifiers: [String]) throws {
        let keys = try requireUnlocked()
        let named = try identifiers.map { text in
            guard let identifier = BundleIdentifier(text), keys.registry.isEnabled(identifier) else {
                throw Self.unknown(text)
            }
            return identifier
        }
        guard Set(named).count == named.count else {
            throw WireError(.invalidParams, "A provider is named twice.")
        }
        try unlocked?.registry.order(named)
        tellBrowsers()
    }

    func install(from path: String) async throws -> Providers.Install.Answer {
        _ = try requireUnlocked()
        let installed = try await shelf.install(from: path)
        let keys = try requireUnlocked()
        var statements: [ProviderStatement] = []
        for found in installed {
            let known = keys.registry.provider(found.bundle.identifier)
            // An update is another bundle than the one that was enabled.
            if let known, keys.registry.isEnabled(found.bundle.identifier), !Self.isAsEnabled(found, known) {
                await withdraw(found.bundle.identifier)
            }
            statements.append(await statement(found, known, keys))
        }
        return .init(providers: statements)
    }

    func remove(_ params: Providers.Remove.Params) async throws {
        _ = try requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier), identifier != .builtIn else {
            throw WireError(.notPermitted, "The built-in provider can be disabled, not removed.")
        }
        let found = await shelf.find(identifier)
        let keys = try requireUnlocked()
        guard found != nil || keys.registry.provider(identifier) != nil else { throw Self.unknown(params.identifier) }
        if let found { try await shelf.remove(found.bundle) }
        if keys.registry.provider(identifier) != nil {
            try change(identifier) { $0.isEnabled = false }
        }
        await withdraw(identifier)
        if params.deleteData == true {
            let others = keys.registry.providers.filter { $0.identifier != identifier.rawValue }
            let groups = (keys.registry.provider(identifier)?.groups ?? [:]).keys.filter { group in
                !others.contains { $0.groups?[group] != nil }
            }
            for folder in [container(of: identifier)] + groups.map(groupFolder) {
                guard await Task.detached(operation: { FolderRemoval.remove(folder) }).value else {
                    throw WireError(
                        .storageFailed, "\(folder) cannot be deleted whole.", hint: "Delete it by hand, then try again."
                    )
                }
            }
            try unlocked?.registry.removeProvider(identifier)
        }
        logger.notice("provider removed", metadata: ["provider": "\(identifier)"])
    }

    func setDebugging(_ params: Providers.Debug.Params) async throws {
        _ = try requireUnlocked()
        guard let identifier = BundleIdentifier(params.identifier), let found = await shelf.find(identifier) else {
            throw Self.unknown(params.identifier)
        }
        guard found.bundle.entitlements.isDebug else {
            throw WireError(
                .notPermitted, "\(identifier) is no debug build.",
                hint: "Its entitlements file needs get-task-allow.")
        }
        // Without isolation, it can do what the user can.
        if params.on { try requireFresh("\(Providers.Debug.name) \(identifier): without isolation") }
        try Directories.makePrivate(directories.state + "/debug")
        if params.on { debugged.insert(identifier) } else { debugged.remove(identifier) }
        await supervisor(of: identifier).endAndWait()
    }

    /// Why an extension is not of the app that it says; nothing where that is not known. What root says about an app's
    /// executable counts more than what lies in a folder of the user's.
    func contention(over bundle: ProviderBundle) -> String? {
        guard let app = bundle.modification?.app, bundle.owner != 0 else { return nil }
        let others = appFolders.catalog().claimants(of: app.identifier).map(\.place)
        return others.filter { !bundle.contains($0) }.min().map { "\($0) is \(app.identifier)" }
    }

    // MARK: Starting

    func supervisor(of provider: BundleIdentifier) -> ProviderSupervisor {
        if let supervisor = supervisors[provider] { return supervisor }
        let made = ProviderSupervisor(
            identifier: provider, environment: providerEnvironment, launcher: launcher, logger: logger,
            onEnd: { [weak self] provider in await self?.processEnded(of: provider) },
            store: { [weak self] provider, method, params in
                guard let self else { throw WireError(.locked, "Latchkey is locked.") }
                return try await self.handleStore(method, params, of: provider)
            })
        supervisors[provider] = made
        return made
    }

    /// What starting a provider needs; throws `notInitialized`, `locked`, or `providerUnavailable` for one that is not as the
    /// user enabled it.
    func launch(of provider: BundleIdentifier) async throws -> ProviderSupervisor.Launch {
        guard provider != .builtIn else { return try launch() }
        let epoch = lockCount
        _ = try requireUnlocked()
        let found = await shelf.find(provider)
        let keys = try requireUnlocked()
        guard lockCount == epoch else { throw Self.lockedMeanwhile }
        guard keys.registry.isEnabled(provider), let registered = keys.registry.provider(provider),
            let key = keys.containerKey(of: provider)
        else { throw WireError(.providerUnavailable, "\(provider) is not enabled.") }
        guard let found, Self.isAsEnabled(found, registered) else {
            // What is there now was never agreed to: nothing of it is offered any more.
            await withdraw(provider)
            throw WireError(
                .providerUnavailable, "\(provider) has changed since you enabled it.",
                hint: "Enable it again: `latchkey providers enable \(provider)`.")
        }
        let bundle = found.bundle
        let groups = bundle.entitlements.grants.groups.compactMap { group in
            registered.groups?[group].map {
                ProviderSupervisor.Launch.Group(
                    identifier: group, folder: groupFolder(group), key: keys.groupKey(group, salt: $0))
            }
        }
        let isDebugged = debugged.contains(provider) && bundle.entitlements.isDebug
        let grants = bundle.entitlements.grants
        let rooms = Isolation.Rooms(
            program: bundle.executable, bundle: bundle.root,
            folders: [container(of: provider)] + groups.map(\.folder), grants: grants,
            network: networkPolicy(for: grants))
        return .init(
            program: bundle.executable, container: container(of: provider), key: key, epoch: epoch, groups: groups,
            isolation: isDebugged ? nil : (isolation, rooms),
            timeLimit: bundle.entitlements.isDebug ? nil : preferences.providerTimeLimit,
            debugLog: isDebugged ? debugLog(of: provider) : nil, isDebug: bundle.entitlements.isDebug)
    }

    /// Where a provider's network leads: what the user agreed to, by the user's own `fetch.json`.
    private func networkPolicy(for grants: GrantsStatement) -> NetworkPolicy? {
        guard grants.network || !grants.hosts.isEmpty else { return nil }
        var policy = NetworkPolicy()
        policy.hosts = Set(grants.hosts.compactMap { HostAndPort($0) })
        do throws(WireError) {
            policy.take(try FetchFile.configuration(contentsOf: directories.config + "/fetch.json"))
            policy.internet = grants.network
        } catch {
            // A file that cannot be read may state a proxy, so nobody goes past it; hosts that the user agreed to do not depend on it.
            logger.warning("Providers do not reach the internet: \(error.message)")
        }
        return policy
    }

    func container(of provider: BundleIdentifier) -> String {
        directories.data + "/containers/" + provider.rawValue
    }

    func groupFolder(_ group: String) -> String {
        directories.data + "/groups/" + group
    }

    func debugLog(of provider: BundleIdentifier) -> String {
        directories.state + "/debug/" + provider.rawValue + ".log"
    }

    private func processEnded(of provider: BundleIdentifier) {
        leases.forget(.init(provider: provider, client: nil))
        batches = batches.filter { $0.value.writer != .init(provider: provider, client: nil) }
    }

    // MARK: Parts

    private func change(_ identifier: BundleIdentifier, _ change: (inout SealedRegistry.Provider) -> Void) throws {
        guard unlocked != nil else { throw Self.lockedMeanwhile }
        try unlocked?.registry.setProvider(identifier, change)
    }

    /// Throws `refused` where a bundle is not the one that the user was shown.
    static func requireShown(_ found: BundleShelf.Found, _ params: Providers.Enable.Params) throws {
        guard try found.digest.get() == params.digest else {
            throw WireError(
                .refused, "\(found.bundle.identifier) is not what was shown: its bundle has changed.",
                hint: "Look at it again with `latchkey providers info \(found.bundle.identifier)`.")
        }
    }

    nonisolated static let lockedMeanwhile = WireError(.locked, "Latchkey was locked in the meantime.")

    static func unknown(_ identifier: String) -> WireError {
        WireError(
            .notFound, "There is no provider \(identifier.prefix(64)).", hint: "`latchkey providers list` names them.")
    }

    /// Whether a bundle is the one that the user enabled: the same place, owner and contents.
    static func isAsEnabled(_ found: BundleShelf.Found, _ provider: SealedRegistry.Provider) -> Bool {
        guard let enabled = provider.enabled, case .success(let digest) = found.digest else { return false }
        return enabled.root == found.bundle.root && enabled.digest == digest && enabled.owner == found.bundle.owner
    }

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
                Self.isAsEnabled(found, provider) ? "enabled" : "changed"
            } else {
                "disabled"
            }
        return ProviderStatement(
            identifier: bundle.identifier.rawValue, name: bundle.name, version: bundle.version, path: bundle.root,
            builtIn: false, state: state, problem: problem, digest: digest,
            running: await supervisors[bundle.identifier]?.isRunning ?? false,
            identities: keys.stores[bundle.identifier].flatMap { try? $0.state.count }, provides: bundle.provides,
            showsConfiguration: bundle.showsConfiguration, debug: bundle.entitlements.isDebug,
            isolation: isolation.program == nil || debugged.contains(bundle.identifier) ? "none" : "bubblewrap",
            grants: bundle.entitlements.grants,
            modification: bundle.modification.map { ModificationStatement($0) })
    }

    func builtInStatement(_ keys: UnlockedKeys) async -> ProviderStatement {
        ProviderStatement(
            identifier: BundleIdentifier.builtIn.rawValue, name: "Passwords", version: latchkeyVersion,
            path: programFolder + "/latchkey-passwords", builtIn: true,
            state: keys.registry.isEnabled(.builtIn) ? "enabled" : "disabled", digest: "",
            running: await supervisors[.builtIn]?.isRunning ?? false,
            identities: keys.stores[.builtIn].flatMap { try? $0.state.count },
            provides: ["passwords", "one-time-codes"],
            showsConfiguration: true, debug: false, isolation: isolation.program == nil ? "none" : "bubblewrap",
            grants: .init())
    }

    private func missing(_ provider: SealedRegistry.Provider, _ problem: ProviderBundle.Problem?) -> ProviderStatement {
        ProviderStatement(
            identifier: provider.identifier, name: provider.enabled?.name ?? provider.identifier, version: "",
            path: problem?.folder ?? provider.enabled?.root ?? "", builtIn: false,
            state: problem == nil ? "missing" : "broken", problem: problem?.reason ?? "its bundle is gone",
            running: false, provides: [], showsConfiguration: false, debug: false, isolation: "none", grants: .init())
    }

    private func broken(_ problem: ProviderBundle.Problem) -> ProviderStatement {
        let folder = problem.folder.split(separator: "/").last.map(String.init) ?? problem.folder
        return ProviderStatement(
            identifier: problem.identifier?.rawValue ?? folder, name: folder, version: "", path: problem.folder,
            builtIn: false, state: "broken", problem: problem.reason, running: false, provides: [],
            showsConfiguration: false, debug: false, isolation: "none", grants: .init())
    }
}

extension ModificationStatement {
    init(_ support: ModificationSupport) {
        self.init(
            app: support.app.identifier.rawValue, domains: support.app.domains,
            kinds: (support.changesPasswords ? [Modification.strongPassword] : [])
                + (support.convertsToSignInWithApple ? [Modification.signInWithApple] : []),
            issuer: support.apple.flatMap { $0.isOfApple ? nil : $0.issuer })
    }
}
