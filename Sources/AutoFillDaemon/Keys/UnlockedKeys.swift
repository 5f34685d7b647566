// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillSecrets
internal import Foundation

/// Everything that exists only while unlocked. Letting go of it is what locking is: the keys are wiped with it.
struct UnlockedKeys {
    let deviceKey: DeviceKey
    var registry: SealedRegistry
    let stores: [BundleIdentifier: IdentityStore]
    let auditSeed: SecretBytes

    /// Opens what the device key opens.
    init(deviceKey: DeviceKey, directories: Directories, creatingRegistry: Bool) throws {
        let path = directories.data + "/registry"
        self.deviceKey = deviceKey
        auditSeed = deviceKey.auditKeySeed
        registry =
            creatingRegistry
            ? try SealedRegistry(creatingAt: path, key: deviceKey.registryKey)
            : try SealedRegistry(contentsOf: path, key: deviceKey.registryKey)
        let store = try IdentityStore(
            folder: directories.state + "/identities", provider: .builtIn, sealKey: deviceKey.identityStoreSealKey,
            indexKey: deviceKey.identityStoreIndexKey, generation: deviceKey.generation, machine: Self.machine)
        stores = [.builtIn: store]
    }

    /// The key of a provider's container, and nothing for one that is not installed.
    func containerKey(of provider: BundleIdentifier) -> SecretBytes? {
        registry.provider(provider).map {
            deviceKey.containerKey(for: provider.rawValue, salt: Array($0.salt))
        }
    }

    /// What tells this machine from another that a folder may be copied to.
    private static var machine: [UInt8] {
        let identifier = FileManager.default.contents(atPath: "/etc/machine-id") ?? Data()
        return Array(identifier) + Array(ProcessInfo.processInfo.hostName.utf8)
    }
}
