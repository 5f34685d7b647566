// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation
internal import Glibc

/// The backup file: everything that is needed on another machine, and nothing readable without the passphrase or the recovery
/// code of the day it was written. `docs/vault-format.md` states the format.
struct Backup {
    private static let magic = Array("LATCHKEY-BACKUP\u{0}".utf8)
    private static let version: UInt8 = 1
    /// Size limit in bytes. A larger file is refused before it is read, and none is written.
    static let sizeLimit = 256 << 20

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

        /// Parses a file.
        ///
        /// - Throws: `storageFailed` when it is damaged or not a backup; `unsupportedVersion` when it is newer.
        init(decoding bytes: [UInt8]) throws {
            let damaged = WireError(.storageFailed, "This is not a backup of Latchkey's, or it is damaged.")
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

        /// The backup, once its authentication code is checked with the device key.
        ///
        /// - Throws: `storageFailed` when the code is wrong.
        func verified(with deviceKey: DeviceKey) throws -> Backup {
            guard deviceKey.backupKey.isValid(code, for: [authenticated]) else {
                throw WireError(.storageFailed, "The backup is damaged: its authentication code is wrong.")
            }
            return content
        }
    }

    /// Reads a backup; `nil` if the path is not a file or the file is too large.
    static func contents(of path: String) -> [UInt8]? {
        SmallFile.read(path, atMost: sizeLimit, followsLinks: true)
    }

    /// Where a backup is written for a path that the user gave: to the target of a symbolic link.
    ///
    /// - Throws: `alreadyExists` unless nothing is there, or an older backup.
    static func target(of path: String) throws -> String {
        guard SmallFile.isThere(path) else { return path }
        guard SmallFile.beginning(of: path, magic.count) == magic, let resolved = realpath(path, nil) else {
            throw WireError(
                .alreadyExists, "A file that is not a backup exists already at \(path).",
                hint: "Choose another name, or remove it.")
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Checks that a backup that was just encoded opens again: everything but the vault, which its provider has checked.
    ///
    /// - Throws: `storageFailed`.
    static func check(_ bytes: [UInt8], _ deviceKey: DeviceKey) throws {
        let backup = try Unverified(decoding: bytes).verified(with: deviceKey)
        _ = try SealedRegistry.restored(backup.registry, key: deviceKey.registryKey, above: 0, at: 0)
    }

    // MARK: Putting it in place

    /// The folder in which a restore prepares the new installation. A start removes one that is left.
    static func staging(_ directories: Directories) -> String { directories.data + "/restoring" }

    /// Writes the installation that the backup holds into the staging folder.
    ///
    /// - Returns: the folder of the built-in provider's container in it.
    /// - Parameter freeSpace: answers how many bytes are free in a folder; `nil` if that is not known.
    /// - Throws: `storageFailed`; before anything is written if the space is not enough.
    func stage(in directories: Directories, freeSpace: (String) -> UInt64? = Self.freeSpace(in:)) throws -> String {
        let staging = Self.staging(directories)
        try Self.removeStaging(in: directories)
        // Opening a vault of an earlier version writes it once more, and a copy of what it was.
        let needed = UInt64(keyring.count + registry.count + 3 * (snapshot?.count ?? 0)) + Self.spareSpace
        if let free = freeSpace(directories.data), free < needed {
            throw WireError(
                .storageFailed,
                "The restore takes \(needed >> 10) KiB of space in \(directories.data), and \(free >> 10) KiB are free. Nothing was changed.",
                hint: "Make room and try again.")
        }
        let container = staging + "/containers/" + BundleIdentifier.builtIn.rawValue
        try Directories.makePrivate(container)
        try AtomicFile.write(keyring, to: staging + "/keyring")
        try AtomicFile.write(registry, to: staging + "/registry")
        if let snapshot { try AtomicFile.write(snapshot, to: container + "/vault.latchkey") }
        return container
    }

    /// Removes what a restore that was refused or interrupted has prepared.
    static func removeStaging(in directories: Directories) throws {
        let staging = staging(directories)
        guard SmallFile.isThere(staging) else { return }
        try FileManager.default.removeItem(atPath: staging)
    }

    /// Space in bytes for what else is written meanwhile, as the log.
    private static let spareSpace: UInt64 = 1 << 20

    private static func freeSpace(in folder: String) -> UInt64? {
        var information = statvfs()
        guard statvfs(folder, &information) == 0 else { return nil }
        return UInt64(information.f_bavail) * UInt64(information.f_frsize)
    }
}
