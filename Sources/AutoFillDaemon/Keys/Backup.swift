// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

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

    /// Whether a backup may be written to a path: if nothing is there, or an older backup.
    static func mayReplace(_ path: String) -> Bool {
        !SmallFile.isThere(path) || SmallFile.beginning(of: path, magic.count) == magic
    }

    // MARK: Putting it in place

    private static func staging(_ directories: Directories) -> String { directories.data + "/restoring" }

    /// Writes the new state beside the old one, then swaps them. A crash at any moment leaves the old state or, after the next start, the
    /// new one. The old state is kept in a folder of its own.
    func putInPlace(in directories: Directories) throws {
        let staging = Self.staging(directories)
        try? FileManager.default.removeItem(atPath: staging)
        let container = staging + "/containers/" + BundleIdentifier.builtIn.rawValue
        try Directories.makePrivate(container)
        try AtomicFile.write(keyring, to: staging + "/keyring")
        try AtomicFile.write(registry, to: staging + "/registry")
        if let snapshot { try AtomicFile.write(snapshot, to: container + "/restore.snapshot") }
        // From here on a crash leads to the new state.
        try AtomicFile.write([], to: staging + "/complete")
        try Self.finishInterruptedRestore(in: directories)
    }

    /// Finishes a restore that a crash has interrupted, and discards one that was not written completely.
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
