// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillProviders
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

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

    /// Writes a backup; answers its size in bytes.
    func writeBackup(to path: String) async throws -> Int {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw WireError(.invalidParams, "The path has to be absolute.")
        }
        guard Backup.mayReplace(path) else {
            throw WireError(
                .alreadyExists, "A file that is not a backup exists already at \(path).",
                hint: "Choose another name, or remove it.")
        }
        let keys = try broker.requireUnlocked()
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
        guard let content = SmallFile.read(file, atMost: Backup.sizeLimit),
            let keyring = SmallFile.read(
                broker.directories.data + "/keyring", atMost: Backup.sizeLimit, followsLinks: true),
            let registry = SmallFile.read(
                broker.directories.data + "/registry", atMost: Backup.sizeLimit, followsLinks: true)
        else { throw WireError(.storageFailed, "The vault or its keys cannot be read, or are larger than 256 MiB.") }
        let backup = Backup(keyring: keyring, registry: registry, snapshot: content)
        let bytes = backup.encoded(key: keys.deviceKey.backupKey)
        guard bytes.count <= Backup.sizeLimit else {
            throw WireError(.storageFailed, "The backup would be larger than 256 MiB, which could not be restored.")
        }
        do {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw WireError(saying: error)
        }
        return bytes.count
    }

    /// Replaces everything here with a backup and unlocks it. Returns the number of items in it.
    func restoreBackup(_ params: Settings.RestoreBackup.Params) async throws -> Int {
        guard let bytes = Backup.contents(of: params.path) else {
            throw WireError(.notFound, "\(params.path) cannot be read.")
        }
        guard !broker.isInitialized || params.replace == true else {
            throw WireError(
                .alreadyExists, "Latchkey is already set up here.",
                hint: "Use --replace; the present data are kept aside.")
        }
        let locks = broker.lockCount
        let unverified = try Backup.Unverified(decoding: bytes)
        let passphrase = params.passphrase.bytes
        let deviceKey: DeviceKey
        do {
            // Not by `attempt`: anyone can make a file that some passphrase opens. So this neither proves that the user is there nor ends
            // the delay after wrong passphrases.
            deviceKey = try await Task.detached { try unverified.keyring.unlock(passphrase: passphrase) }.value
            await broker.whenDerived()
        } catch {
            throw WireError(saying: error)
        }
        let verified = try unverified.verified(with: deviceKey)
        if broker.isInitialized { try await proveForReplacing(params) }
        let backup = try counted(verified, deviceKey)
        // The last line of the replaced log. If nothing was ever unlocked, no line can be added.
        try? broker.audit.append(
            AuditLine(
                time: broker.time.date(), event: "replaced", requester: "latchkeyd",
                authentication: UserAct.Authentication.passphrase.rawValue,
                reason: "a backup is about to take the place of everything"))
        broker.pin.forget()
        await broker.lock(reason: "restore")
        do {
            try broker.login.disable()
            try backup.putInPlace(in: broker.directories)
            broker.keyringFile = try KeyringFile(path: broker.directories.data + "/keyring")
            // One lock is the restore's own.
            guard broker.lockCount == locks + 1 else {
                throw WireError(
                    .locked, "The backup is in place, but Latchkey was locked in the meantime.",
                    hint: "Run `latchkey unlock`.")
            }
            broker.opened(try broker.openedKeys(deviceKey))
            await broker.tellObserversAndWait { await $0.sessionOpened() }
        } catch {
            throw WireError(saying: error)
        }
        let page: ItemPage = try await items.manage(Items.List.name, .object([:])).decoded()
        var count = page.items.count
        var cursor = page.cursor
        while let next = cursor {
            let more: ItemPage = try await items.manage(
                Items.List.name, JSONValue(encoding: ItemQuery(cursor: next))
            ).decoded()
            count += more.items.count
            cursor = more.cursor
        }
        return count
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
