// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillNetwork
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Opens the stores of the enabled providers, and starts and ends their processes.
@DaemonActor final class InstalledProviders: SessionObserver {
    let broker: Broker
    let stores: IdentityStores
    let abilities: ProviderAbilities
    /// The supervisors of the providers. They need the stores' handler, so they are made after the stores.
    private(set) var supervisors: [BundleIdentifier: ProviderSupervisor] = [:]
    /// Debug builds that start without isolation and wait for a debugger to continue them.
    var debugged: Set<BundleIdentifier> = []

    init(_ broker: Broker, stores: IdentityStores, abilities: ProviderAbilities) {
        self.broker = broker
        self.stores = stores
        self.abilities = abilities
    }

    func sessionBegan() {
        // A store that is missing is a normal state: the provider fills it again.
        Task { await self.fill(.builtIn) }
    }

    func sessionOpened() async {
        await openProviders()
    }

    func sessionClosed(wasUnlocked: Bool) async {
        let count = broker.lockCount
        await withTaskGroup { group in
            for supervisor in supervisors.values { group.addTask { await supervisor.endAndWait(before: count) } }
        }
    }

    func preferencesChanged(from old: Preferences) async {
        // A provider's readable files are fixed when it starts.
        if broker.preferences.breachList != old.breachList { await supervisor.endAndWait() }
    }

    /// Opens the stores of enabled third-party providers that are unchanged since the user enabled them. It deletes the stores of the
    /// others.
    func openProviders() async {
        let (found, _) = await broker.shelf.survey()
        guard let keys = broker.unlocked else { return }
        for provider in keys.registry.providers {
            guard let identifier = BundleIdentifier(provider.identifier), identifier != .builtIn else { continue }
            let isAsEnabled = found.contains { $0.bundle.identifier == identifier && Self.isAsEnabled($0, provider) }
            // Read again, because the loop has suspended.
            guard let current = broker.unlocked else { return }
            // An extension that changes passwords offers no credentials, so it has no store.
            if found.contains(where: { $0.bundle.identifier == identifier && $0.bundle.modification != nil }) {
                continue
            }
            abilities.note(
                found.first { $0.bundle.identifier == identifier }?.bundle, of: identifier, agreed: provider.agreed)
            if current.registry.isEnabled(identifier), isAsEnabled {
                do {
                    try broker.change { try $0.openStore(of: identifier) }
                    if provider.enabled?.agreed == nil { try recordAgreement(of: identifier) }
                    await fill(identifier)
                } catch {
                    broker.logger.error("an identity store cannot be opened", metadata: ["provider": "\(identifier)"])
                }
            } else {
                try? broker.change { $0.deleteStore(of: identifier) }
            }
        }
        stores.updateOffers()
    }

    /// Records what the user agreed to when an earlier Latchkey enabled a provider, and removes what its store has beyond that.
    private func recordAgreement(of identifier: BundleIdentifier) throws {
        try broker.change { keys in
            guard let agreed = keys.registry.provider(identifier)?.agreed else { return }
            let others = try keys.stores[identifier]?.all().filter { identity in
                !(ProviderCapability(identity.type).map(agreed.contains) ?? false)
            }
            try keys.stores[identifier]?.remove(others ?? [])
            try keys.registry.setProvider(identifier) { $0.enabled?.agreed = agreed.map(\.rawValue) }
        }
    }

    /// Starts a provider whose store is missing, so that it can fill it: a normal state.
    func fill(_ provider: BundleIdentifier) async {
        guard let store = broker.unlocked?.stores[provider], (try? store.state)?.supportsIncrementalUpdates != true,
            let launch = try? await launch(of: provider)
        else { return }
        let supervisor = supervisor(of: provider)
        Task { try? await supervisor.warm(launch) }
    }

    /// The reason why an extension does not belong to the app that it states; `nil` if none is known. A statement of root's about an app's
    /// executable takes precedence over a bundle in a folder of the user's.
    func contention(over bundle: ProviderBundle) -> String? {
        guard let app = bundle.modification?.app, bundle.owner != 0 else { return nil }
        let others = broker.appFolders.catalog().claimants(of: app.identifier).map(\.place)
        return others.filter { !bundle.contains($0) }.min().map { "\($0) is \(app.identifier)" }
    }

    /// Deletes a provider's store, ends its process, and tells the browsers.
    func withdraw(_ identifier: BundleIdentifier) async {
        try? broker.change { $0.deleteStore(of: identifier) }
        stores.batches = stores.batches.filter { $0.value.provider != identifier }
        await supervisors[identifier]?.endAndWait()
        stores.updateOffers()
        broker.tellBrowsers()
    }

    // MARK: Starting

    func supervisor(of provider: BundleIdentifier) -> ProviderSupervisor {
        if let supervisor = supervisors[provider] { return supervisor }
        let made = ProviderSupervisor(
            identifier: provider, environment: broker.providerEnvironment, launcher: broker.launcher,
            logger: broker.logger,
            onEnd: { [weak self] provider in await self?.processEnded(of: provider) },
            store: { [weak self] provider, method, params in
                guard let self else { throw WireError(.locked, "Latchkey is locked.") }
                return try await self.stores.handleStore(method, params, of: provider)
            })
        supervisors[provider] = made
        return made
    }

    /// The supervisor of the built-in provider.
    var supervisor: ProviderSupervisor { supervisor(of: .builtIn) }

    /// The parameters for starting the built-in provider.
    ///
    /// - Throws: `notInitialized` or `locked`.
    func launch() throws -> ProviderSupervisor.Launch {
        guard let key = try broker.requireUnlocked().containerKey(of: .builtIn) else {
            throw WireError(.storageFailed, "The registry does not know the built-in provider.")
        }
        return builtInLaunch(container: container(of: .builtIn), key: key)
    }

    private func builtInLaunch(container: String, key: SecretBytes) -> ProviderSupervisor.Launch {
        let program = broker.programFolder + "/latchkey-passwords"
        let readable = broker.preferences.breachList.map { [$0] } ?? []
        var launch = ProviderSupervisor.Launch(
            program: program, container: container, key: key, epoch: broker.lockCount,
            isolation: (
                broker.isolation, .init(program: program, bundle: program, folders: [container], readable: readable)
            ),
            timeLimit: broker.preferences.providerTimeLimit)
        launch.name = Broker.builtInName
        return launch
    }

    /// Has a process of the built-in provider check a container that is not in use: it opens every record.
    ///
    /// - Returns: the number of items that are not removed.
    /// - Throws: the provider's error about the first damage.
    func check(container: String, key: SecretBytes) async throws -> Int {
        let launch = builtInLaunch(container: container, key: key)
        // Not the supervisor of the container in use, whose process goes on.
        let supervisor = ProviderSupervisor(
            identifier: .builtIn, environment: broker.providerEnvironment, launcher: broker.launcher,
            logger: broker.logger,
            store: { _, _, _ in throw WireError(.locked, "This container is only checked.") })
        let answer: Result<Provider.Check.Answer, any Error>
        do {
            answer = .success(
                try await supervisor.manage(Provider.Check.name, .object([:]), launch: launch).decoded())
        } catch {
            answer = .failure(error)
        }
        await supervisor.endAndWait()
        return try answer.get().items
    }

    /// The parameters for starting a provider.
    ///
    /// - Throws: `notInitialized`, `locked`, or `providerUnavailable` when the provider has changed since the user enabled it.
    func launch(of provider: BundleIdentifier) async throws -> ProviderSupervisor.Launch {
        guard provider != .builtIn else { return try launch() }
        let unlocked = try broker.unlockedSession()
        let found = await broker.shelf.find(provider)
        let keys = try unlocked.keys
        guard keys.registry.isEnabled(provider), let registered = keys.registry.provider(provider),
            let key = keys.containerKey(of: provider)
        else { throw WireError(.providerUnavailable, "\(provider) is not enabled.") }
        guard let found, Self.isAsEnabled(found, registered) else {
            // The user never agreed to the present bundle, so all its offers are withdrawn.
            await withdraw(provider)
            throw WireError(
                .providerUnavailable, "\(provider) has changed since you enabled it.",
                hint: "Enable it again: `latchkey providers enable \(provider)`.")
        }
        let bundle = found.bundle
        let groups = bundle.entitlements.grants.groups.compactMap { group in
            registered.groups[group].map {
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
        var launch = ProviderSupervisor.Launch(
            program: bundle.executable, container: container(of: provider), key: key, epoch: broker.lockCount,
            groups: groups,
            isolation: isDebugged ? nil : (broker.isolation, rooms),
            timeLimit: bundle.entitlements.isDebug ? nil : broker.preferences.providerTimeLimit,
            debugLog: isDebugged ? debugLog(of: provider) : nil, isDebug: bundle.entitlements.isDebug)
        launch.name = broker.name(of: provider)
        launch.agreed = registered.agreed
        return launch
    }

    /// The network policy for a provider: the hosts that the user agreed to, and the user's own `fetch.json`.
    private func networkPolicy(for grants: GrantsStatement) -> NetworkPolicy? {
        guard grants.network || !grants.hosts.isEmpty else { return nil }
        var policy = NetworkPolicy()
        policy.hosts = Set(grants.hosts.compactMap { HostAndPort($0) })
        do throws(WireError) {
            policy.take(try FetchFile.configuration(contentsOf: broker.directories.config + "/fetch.json"))
            policy.internet = grants.network
        } catch {
            // An unreadable file may state a proxy, so the internet stays closed; hosts that the user agreed to do not depend on it.
            broker.logger.warning("Providers do not reach the internet: \(error.message)")
        }
        return policy
    }

    func container(of provider: BundleIdentifier) -> String {
        broker.directories.data + "/containers/" + provider.rawValue
    }

    func groupFolder(_ group: String) -> String {
        broker.directories.data + "/groups/" + group
    }

    func debugLog(of provider: BundleIdentifier) -> String {
        broker.directories.state + "/debug/" + provider.rawValue + ".log"
    }

    private func processEnded(of provider: BundleIdentifier) {
        stores.writerLeft(.init(provider: provider, client: nil))
    }

    static func unknown(_ identifier: String) -> WireError {
        WireError(
            .notFound, "There is no provider \(identifier.prefix(64)).", hint: "`latchkey providers list` names them.")
    }

    /// Whether a bundle is the one that the user enabled: the same place, owner and contents.
    static func isAsEnabled(_ found: BundleShelf.Found, _ provider: SealedRegistry.Provider) -> Bool {
        guard let enabled = provider.enabled, case .success(let digest) = found.digest else { return false }
        return enabled.root == found.bundle.root && enabled.digest == digest && enabled.owner == found.bundle.owner
    }

    /// The built-in provider's verdicts on its passwords. Secrets in its answer are not even read: a verdict contains none.
    func judge(id: String? = nil, cursor: Int? = nil) async throws -> Recommendations.Judge.Answer {
        let question = Recommendations.Judge.Params(
            groups: broker.rules.quirks.shared.domains, breaches: broker.preferences.breachList,
            ranges: broker.preferences.breachRanges,
            id: id, cursor: cursor)
        return try await supervisor.manage(
            Recommendations.Judge.name, JSONValue(encoding: question), launch: launch()
        ).withoutSecrets.decoded()
    }
}
