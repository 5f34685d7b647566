// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation
internal import Logging

/// Writes backups and restores them.
@DaemonActor final class BackupFeature {
    let broker: Broker
    let providers: InstalledProviders
    let items: SavedItems

    init(_ broker: Broker, providers: InstalledProviders, items: SavedItems) {
        self.broker = broker
        self.providers = providers
        self.items = items
    }

    /// Writes a backup, having checked that it opens again; answers its size in bytes. A backup that is there already stays if that fails.
    func writeBackup(to path: String) async throws -> Int {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw WireError(.invalidParams, "The path has to be absolute.")
        }
        let target = try Backup.target(of: path)
        let unlocked = try broker.unlockedSession()
        let launch = try providers.launch()
        let snapshot: Provider.Snapshot.Answer = try await providers.supervisor.manage(
            Provider.Snapshot.name, .object([:]), launch: launch
        ).decoded()
        // An empty name is the container itself, which would be deleted below.
        guard !snapshot.file.isEmpty, !snapshot.file.hasSlash, !snapshot.file.hasPrefix(".") else {
            throw WireError(.providerUnavailable, "The provider named a file outside its container.")
        }
        let file = launch.container + "/" + snapshot.file
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard let content = SmallFile.read(file, atMost: Backup.sizeLimit) else {
            throw WireError(.storageFailed, "The vault cannot be read, or is larger than 256 MiB.")
        }
        // The keyring and the registry in memory are the ones that opened; the files may have been damaged since.
        let keys = try unlocked.keys
        guard let keyring = broker.keyringFile.keyring else {
            throw WireError(.notInitialized, "Latchkey is not set up yet.", hint: "Begin with `latchkey init`.")
        }
        do {
            let backup = Backup(
                keyring: keyring.encoded(), registry: try keys.registry.encoded(), snapshot: content)
            let bytes = backup.encoded(key: keys.deviceKey.backupKey)
            guard bytes.count <= Backup.sizeLimit else {
                throw WireError(
                    .storageFailed, "The backup would be larger than 256 MiB, which could not be restored.")
            }
            try Backup.check(bytes, keys.deviceKey)
            try AtomicFile.write(bytes, to: target)
            return bytes.count
        } catch {
            throw WireError(saying: error)
        }
    }

    /// Replaces everything here with a backup, or with what an earlier restore replaced, and unlocks it.
    ///
    /// Everything is read, checked and written beside the present data before anything of them moves. A refusal changes nothing.
    func restoreBackup(_ params: Settings.RestoreBackup.Params) async throws -> Settings.RestoreBackup.Answer {
        let source = try source(params)
        guard !broker.isInitialized || params.replace == true || params.replaced != nil else {
            throw WireError(
                .alreadyExists, "Latchkey is already set up here.",
                hint: "Use --replace; the present data are kept aside.")
        }
        try InstallationSwitch.finish(for: broker)
        let locks = broker.lockCount
        let passphrase = params.passphrase.bytes
        let deviceKey: DeviceKey
        do {
            // Not by `attempt`: anyone can make a file that some passphrase opens. So this neither proves that the user is there nor ends
            // the delay after wrong passphrases.
            deviceKey = try await Task.detached { try source.keyring.unlock(passphrase: passphrase) }.value
            await broker.whenDerived()
        } catch {
            throw WireError(saying: error)
        }
        if case .file(let unverified) = source { _ = try unverified.verified(with: deviceKey) }
        if broker.isInitialized { try await proveForReplacing(params) }
        let (folder, count) = try await prepared(source, deviceKey)
        // The last line of the replaced log. If nothing was ever unlocked, no line can be added.
        try? broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "replaced", requester: "latchkeyd",
                authentication: UserAct.Authentication.passphrase.rawValue,
                reason: "a backup is about to take the place of everything"))
        await broker.lock(reason: "restore")
        guard broker.session == nil else {
            try? Backup.removeStaging(in: broker.directories)
            throw WireError(.busy, "Latchkey was unlocked in the meantime. Nothing was changed.", hint: "Try again.")
        }
        do {
            try InstallationSwitch(in: broker.directories).perform(from: folder)
        } catch {
            try? Backup.removeStaging(in: broker.directories)
            throw WireError(saying: error)
        }
        broker.pin.forget()
        do {
            broker.keyringFile = try KeyringFile(path: broker.directories.data + "/keyring")
            // One lock is the restore's own.
            guard broker.lockCount == locks + 1 else { throw Broker.lockedMeanwhile }
            broker.opened(try broker.openedKeys(deviceKey))
        } catch {
            // It is restored all the same.
            broker.logger.error("not unlocked after a restore: \(WireError(saying: error).message)")
            return .init(items: count, locked: true)
        }
        await broker.tellObserversAndWait { await $0.sessionOpened() }
        return .init(items: count)
    }

    /// What is restored.
    private enum Source {
        case file(Backup.Unverified)
        /// A folder of an installation that was replaced.
        case folder(String, Keyring)

        var keyring: Keyring {
            switch self {
            case .file(let backup): backup.keyring
            case .folder(_, let keyring): keyring
            }
        }
    }

    private func source(_ params: Settings.RestoreBackup.Params) throws -> Source {
        if let number = params.replaced {
            guard
                let found = InstallationSwitch.replaced(in: broker.directories.data).first(where: {
                    $0.number == number
                })
            else {
                throw WireError(
                    .notFound, "There are no replaced data \(number).", hint: "`latchkey status` names them.")
            }
            do {
                guard let keyring = try KeyringFile(path: found.path + "/keyring").keyring else {
                    throw WireError(.storageFailed, "\(found.path) has no keyring.")
                }
                return .folder(found.path, keyring)
            } catch {
                throw WireError(saying: error)
            }
        }
        guard let path = params.path, let bytes = Backup.contents(of: path) else {
            throw WireError(.notFound, "\(params.path ?? "The backup") cannot be read.")
        }
        return .file(try Backup.Unverified(decoding: bytes))
    }

    /// Prepares the new installation in a folder of its own, and has every record of it opened.
    ///
    /// - Returns: the folder, and the number of items.
    private func prepared(_ source: Source, _ deviceKey: DeviceKey) async throws -> (folder: String, items: Int) {
        let (folder, container, hasVault): (String, String, Bool)
        do {
            switch source {
            case .file(let unverified):
                let backup = try counted(unverified.verified(with: deviceKey), deviceKey)
                folder = Backup.staging(broker.directories)
                hasVault = backup.snapshot != nil
                container = try backup.stage(in: broker.directories)
            case .folder(let path, let keyring):
                guard let bytes = SmallFile.read(path + "/registry", atMost: Backup.sizeLimit) else {
                    throw WireError(.storageFailed, "\(path)/registry cannot be read.")
                }
                folder = path
                container = path + "/containers/" + BundleIdentifier.builtIn.rawValue
                hasVault = SmallFile.isThere(container)
                let old = Backup(keyring: keyring.encoded(), registry: bytes, snapshot: nil)
                // It is not in use, so a higher count there changes nothing for anybody.
                try AtomicFile.write(try counted(old, deviceKey).registry, to: path + "/registry")
            }
            guard hasVault else { return (folder, 0) }
            let registry = try SealedRegistry(contentsOf: folder + "/registry", key: deviceKey.registryKey)
            guard let salt = registry.provider(.builtIn)?.salt else {
                throw WireError(.storageFailed, "The registry does not know the built-in provider.")
            }
            let key = deviceKey.containerKey(for: BundleIdentifier.builtIn.rawValue, salt: Array(salt))
            return (folder, try await providers.check(container: container, key: key))
        } catch {
            try? Backup.removeStaging(in: broker.directories)
            var error = WireError(saying: error)
            if !error.message.contains("Nothing was changed") { error.message += " Nothing was changed." }
            throw error
        }
    }

    /// Requires the current passphrase, because everything here is replaced, with all consents and refusals. Anyone can make a backup of
    /// their own. If both have the same passphrase, it is given once.
    private func proveForReplacing(_ params: Settings.RestoreBackup.Params) async throws {
        do {
            _ = try await broker.verified(params.current?.bytes ?? params.passphrase.bytes)
        } catch let error as WireError where error.code == .wrongPassphrase && params.current == nil {
            throw WireError(
                .authenticationRequired,
                "Latchkey here has a different passphrase than the backup. Enter the current one, too.",
                hint:
                    "If it is lost, `latchkey recover` takes the recovery code; or move \(broker.directories.data) aside."
            )
        }
    }

    /// The backup with a registry that counts as newer than the replaced one.
    private func counted(_ backup: Backup, _ deviceKey: DeviceKey) throws -> Backup {
        let ring = broker.keyringFile.keyring.flatMap { $0.generation == deviceKey.generation ? $0 : nil }
        // A count that cannot be read is replaced together with its keyring.
        let known = max(
            broker.audit.registryCount(seed: deviceKey.auditKeySeed, head: nil),
            (try? ring?.registryCount(deviceKey)) ?? 0)
        let registry = try SealedRegistry.restored(
            backup.registry, key: deviceKey.registryKey, above: known, at: broker.time.date())
        return Backup(keyring: backup.keyring, registry: registry, snapshot: backup.snapshot)
    }
}
