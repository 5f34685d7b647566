// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import AutoFillSecrets
internal import Foundation

/// The backup file: everything that is needed on another machine, and nothing readable without the passphrase or the recovery
/// code of the day it was written. `docs/vault-format.md` states the format.
struct Backup {
    private static let magic = Array("LATCHKEY-BACKUP\u{0}".utf8)
    private static let version: UInt8 = 1
    /// In bytes; a larger file is refused before anything is read, and none is written.
    fileprivate static let sizeLimit = 256 << 20

    private enum Section: UInt8 {
        case keyring = 1
        case registry = 2
        case snapshot = 3
    }

    let keyring: [UInt8]
    let registry: [UInt8]
    /// The built-in provider's snapshot; absent where it has never kept anything.
    let snapshot: [UInt8]?

    /// The file's bytes: sections, then their authentication code.
    func encoded(key: AuthenticationKey) -> [UInt8] {
        var bytes = Self.magic + [Self.version]
        var sections = [(Section.keyring, keyring), (Section.registry, registry)]
        if let snapshot { sections.append((.snapshot, snapshot)) }
        for (kind, content) in sections {
            bytes.append(kind.rawValue)
            bytes += withUnsafeBytes(of: UInt64(content.count).bigEndian) { Array($0) }
            bytes += content
        }
        return bytes + key.code(for: [bytes])
    }

    /// A file that was taken apart but whose authentication code has not been checked, since the key is inside it.
    struct Unverified {
        let keyring: Keyring
        private let content: Backup
        private let authenticated: [UInt8]
        private let code: [UInt8]

        /// Takes a file apart; throws `storageFailed` or `unsupportedVersion`.
        init(decoding bytes: [UInt8]) throws {
            let damaged = WireError(.storageFailed, "This is no backup of Latchkey's, or it is damaged.")
            guard bytes.count <= Backup.sizeLimit, bytes.starts(with: Backup.magic),
                bytes.count > Backup.magic.count + 1 + AuthenticationKey.codeByteCount
            else { throw damaged }
            guard bytes[Backup.magic.count] == Backup.version else {
                throw WireError(.unsupportedVersion, "This backup was written by a newer Latchkey.")
            }
            authenticated = Array(bytes.dropLast(AuthenticationKey.codeByteCount))
            code = Array(bytes.suffix(AuthenticationKey.codeByteCount))
            var sections: [Section: [UInt8]] = [:]
            var rest = authenticated.dropFirst(Backup.magic.count + 1)
            while !rest.isEmpty {
                guard rest.count >= 9, let kind = rest.first.flatMap(Section.init), sections[kind] == nil else {
                    throw damaged
                }
                let size = rest.dropFirst().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                rest = rest.dropFirst(9)
                guard size <= UInt64(rest.count) else { throw damaged }
                sections[kind] = Array(rest.prefix(Int(size)))
                rest = rest.dropFirst(Int(size))
            }
            guard let ring = sections[.keyring], let registry = sections[.registry] else { throw damaged }
            do {
                keyring = try Keyring(decoding: ring)
            } catch {
                throw WireError(saying: error)
            }
            content = Backup(keyring: ring, registry: registry, snapshot: sections[.snapshot])
        }

        /// The backup, if it is whole and of this device key.
        func verified(with deviceKey: DeviceKey) throws -> Backup {
            guard deviceKey.backupKey.isValid(code, for: [authenticated]) else {
                throw WireError(.storageFailed, "The backup is damaged: its authentication code is wrong.")
            }
            return content
        }
    }

    /// A backup's bytes; nothing for what is no file or too large, neither of which is read.
    static func contents(of path: String) -> [UInt8]? {
        SmallFile.read(path, atMost: sizeLimit, followsLinks: true)
    }

    /// Whether a backup may be written there: where nothing is, and over an older one.
    static func mayReplace(_ path: String) -> Bool {
        !SmallFile.isThere(path) || SmallFile.beginning(of: path, magic.count) == magic
    }

    // MARK: Putting it in place

    private static func staging(_ directories: Directories) -> String { directories.data + "/restoring" }

    /// Writes everything beside what is there, then swaps. A crash at any moment leaves the old or, after the next start, the
    /// new state; the old one is kept in a folder of its own.
    func putInPlace(in directories: Directories) throws {
        let staging = Self.staging(directories)
        try? FileManager.default.removeItem(atPath: staging)
        let container = staging + "/containers/" + BundleIdentifier.builtIn.rawValue
        try Directories.makePrivate(container)
        try AtomicFile.write(keyring, to: staging + "/keyring")
        try AtomicFile.write(registry, to: staging + "/registry")
        if let snapshot { try AtomicFile.write(snapshot, to: container + "/restore.snapshot") }
        // From here on the new state wins.
        try AtomicFile.write([], to: staging + "/complete")
        try Self.finishInterruptedRestore(in: directories)
    }

    /// Carries a restore to its end that a crash may have interrupted; throws away one that never got complete.
    static func finishInterruptedRestore(in directories: Directories) throws {
        let files = FileManager.default
        let staging = staging(directories)
        guard files.fileExists(atPath: staging) else { return }
        guard files.fileExists(atPath: staging + "/complete") else {
            try files.removeItem(atPath: staging)
            return
        }
        var replaced = directories.data + "/replaced"
        var number = 1
        while files.fileExists(atPath: "\(replaced)-\(number)/done") { number += 1 }
        replaced += "-\(number)"
        try Directories.makePrivate(replaced)
        // Sealed with keys of the replaced registry, and no backup has them.
        let groups = directories.data + "/groups"
        if files.fileExists(atPath: groups), !files.fileExists(atPath: replaced + "/groups") {
            try files.moveItem(atPath: groups, toPath: replaced + "/groups")
        }
        for name in ["containers", "registry", "keyring"] where files.fileExists(atPath: staging + "/" + name) {
            let place = directories.data + "/" + name
            if files.fileExists(atPath: place) {
                if files.fileExists(atPath: replaced + "/" + name) {
                    try files.removeItem(atPath: place)
                } else {
                    try files.moveItem(atPath: place, toPath: replaced + "/" + name)
                }
            }
            try files.moveItem(atPath: staging + "/" + name, toPath: place)
        }
        // The identity store describes the replaced vault; the provider fills it again.
        try? files.removeItem(atPath: directories.state + "/identities")
        try AtomicFile.write([], to: replaced + "/done")
        try files.removeItem(atPath: staging)
    }
}

extension Broker {
    /// Writes a backup; answers its size in bytes.
    func writeBackup(to path: String) async throws -> Int {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw WireError(.invalidParams, "The path has to be absolute.")
        }
        guard Backup.mayReplace(path) else {
            throw WireError(
                .alreadyExists, "A file that is no backup exists already at \(path).",
                hint: "Choose another name, or remove it.")
        }
        let keys = try requireUnlocked()
        let launch = try launch()
        let snapshot: Provider.Snapshot.Answer = try await supervisor.manage(
            Provider.Snapshot.name, .object([:]), launch: launch
        ).decoded()
        // An empty name is the container itself, which would be deleted below.
        guard !snapshot.file.isEmpty, !snapshot.file.contains("/"), !snapshot.file.hasPrefix(".") else {
            throw WireError(.providerUnavailable, "The provider named a file outside its container.")
        }
        let file = launch.container + "/" + snapshot.file
        defer { try? FileManager.default.removeItem(atPath: file) }
        guard let content = SmallFile.read(file, atMost: Backup.sizeLimit),
            let keyring = SmallFile.read(directories.data + "/keyring", atMost: Backup.sizeLimit, followsLinks: true),
            let registry = SmallFile.read(directories.data + "/registry", atMost: Backup.sizeLimit, followsLinks: true)
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

    /// Puts a backup in the place of what is here and unlocks it; answers how many items it holds.
    func restoreBackup(_ params: Settings.RestoreBackup.Params) async throws -> Int {
        guard let bytes = Backup.contents(of: params.path) else {
            throw WireError(.notFound, "\(params.path) cannot be read.")
        }
        guard !isInitialized || params.replace == true else {
            throw WireError(
                .alreadyExists, "There is a Latchkey here already.", hint: "Use --replace; what is here is kept aside.")
        }
        let unverified = try Backup.Unverified(decoding: bytes)
        let passphrase = params.passphrase.bytes
        let deviceKey: DeviceKey
        do {
            // Not by `attempt`: anybody can make a file that some passphrase opens, so that this neither proves who is there
            // nor ends the wait after wrong ones.
            deviceKey = try await Task.detached { try unverified.keyring.unlock(passphrase: passphrase) }.value
        } catch {
            throw WireError(saying: error)
        }
        let verified = try unverified.verified(with: deviceKey)
        if isInitialized { try await proveForReplacing(params) }
        let backup = try counted(verified, deviceKey)
        // The last line of the log that goes with the rest; while nothing was ever unlocked, nobody can add to it.
        try? audit.append(
            AuditLine(
                time: time.date(), event: "replaced", requester: "latchkeyd",
                authentication: UserAct.Authentication.passphrase.rawValue,
                reason: "a backup is about to take the place of everything"))
        await lock(reason: "restore")
        do {
            try backup.putInPlace(in: directories)
            keyringFile = try KeyringFile(path: directories.data + "/keyring")
            opened(try openedKeys(deviceKey))
            await openProviders()
        } catch {
            throw WireError(saying: error)
        }
        let page: ItemPage = try await manage(Items.List.name, .object([:])).decoded()
        var count = page.items.count
        var cursor = page.cursor
        while let next = cursor {
            let more: ItemPage = try await manage(
                Items.List.name, JSONValue(encoding: ItemQuery(cursor: next))
            ).decoded()
            count += more.items.count
            cursor = more.cursor
        }
        return count
    }

    /// Everything here goes, with what was agreed and forbidden, so it takes the passphrase of what is here: anybody can make a
    /// backup of their own. Where both have the same passphrase, it is given once.
    private func proveForReplacing(_ params: Settings.RestoreBackup.Params) async throws {
        do {
            _ = try await verified(params.current?.bytes ?? params.passphrase.bytes)
        } catch let error as WireError where error.code == .wrongPassphrase && params.current == nil {
            throw WireError(
                .authenticationRequired, "What is here has another passphrase than the backup, and that is needed too.",
                hint: "If it is lost, `latchkey recover` takes the recovery code; or move \(directories.data) aside.")
        }
    }

    /// A backup as it is put in place here: its registry counts as newer than the one that it replaces.
    private func counted(_ backup: Backup, _ deviceKey: DeviceKey) throws -> Backup {
        let ring = keyringFile.keyring.flatMap { $0.generation == deviceKey.generation ? $0 : nil }
        // A count that cannot be read is replaced together with its keyring.
        let known = max(
            audit.registryCount(seed: deviceKey.auditKeySeed, head: nil),
            (try? ring?.registryCount(deviceKey)) ?? 0)
        let registry = try SealedRegistry.restored(
            backup.registry, key: deviceKey.registryKey, above: known, at: time.date())
        return Backup(keyring: backup.keyring, registry: registry, snapshot: backup.snapshot)
    }
}
