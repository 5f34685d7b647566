// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillMatching
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// The keys, the registry and the stores, which exist only while unlocked. A lock releases this value, which wipes the keys.
struct UnlockedKeys {
    let deviceKey: DeviceKey
    var registry: SealedRegistry
    /// The identity stores of the enabled providers.
    private(set) var stores: [BundleIdentifier: IdentityStore] = [:]
    private let identities: String
    private var terms: IndexTerms
    let auditSeed: SecretBytes

    func auditKeys() throws -> AuditKeys { try AuditKeys(seed: auditSeed) }

    /// Opens the registry and the built-in provider's store with the device key.
    init(
        deviceKey: DeviceKey, directories: Directories, creatingRegistry: Bool, counter: RegistryCounter,
        terms: IndexTerms
    ) throws {
        let path = directories.data + "/registry"
        self.terms = terms
        self.deviceKey = deviceKey
        auditSeed = deviceKey.auditKeySeed
        registry =
            creatingRegistry
            ? try SealedRegistry(creatingAt: path, key: deviceKey.registryKey, counter: counter)
            : try SealedRegistry(contentsOf: path, key: deviceKey.registryKey, counter: counter)
        identities = directories.state + "/identities"
        if registry.isEnabled(.builtIn) { try openStore(of: .builtIn) }
    }

    /// Opens a provider's identity store, unless it is open already.
    mutating func openStore(of provider: BundleIdentifier) throws {
        guard stores[provider] == nil else { return }
        stores[provider] = try IdentityStore(
            folder: identities, provider: provider, sealKey: deviceKey.identityStoreSealKey,
            indexKey: deviceKey.identityStoreIndexKey, generation: deviceKey.generation, machine: Self.machine,
            terms: terms)
    }

    /// Reindexes every open store whose index terms differ from the given ones.
    mutating func use(_ terms: IndexTerms) throws {
        self.terms = terms
        for store in stores.values { try store.use(terms) }
    }

    /// Deletes a provider's identity store: its file is gone when this returns.
    mutating func deleteStore(of provider: BundleIdentifier) {
        if let store = stores.removeValue(forKey: provider) {
            store.deleteFile()
        } else {
            IdentityStore.deleteFile(folder: identities, provider: provider)
        }
    }

    /// Empties a provider's identity store, so that it no longer supports incremental updates and the provider fills it again.
    mutating func emptyStore(of provider: BundleIdentifier) throws {
        deleteStore(of: provider)
        try openStore(of: provider)
    }

    /// The enabled providers whose stores are open, in the user's order.
    var order: [BundleIdentifier] {
        registry.providers.compactMap { BundleIdentifier($0.identifier) }.filter { stores[$0] != nil }
    }

    /// The key of one of a provider's app groups.
    func groupKey(_ group: String, salt: Data) -> SecretBytes {
        deviceKey.containerKey(for: "group:" + group, salt: Array(salt))
    }

    /// The key of a provider's container; `nil` if the provider is not in the registry.
    func containerKey(of provider: BundleIdentifier) -> SecretBytes? {
        registry.provider(provider).map {
            deviceKey.containerKey(for: provider.rawValue, salt: Array($0.salt))
        }
    }

    /// An identifier of this machine, which differs on another machine that the folder may be copied to.
    private static var machine: [UInt8] {
        let identifier = SmallFile.read("/etc/machine-id", atMost: 4_096, followsLinks: true) ?? []
        return identifier + Array(ProcessInfo.processInfo.hostName.utf8)
    }
}
