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

    /// Takes back everything that a provider offers.
    func withdraw(_ identifier: BundleIdentifier) async {
        unlocked?.deleteStore(of: identifier)
        batches = batches.filter { $0.value.provider != identifier }
        await supervisors[identifier]?.endAndWait()
        updateOffers()
        tellBrowsers()
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
}
