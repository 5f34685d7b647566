// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import SQLiteFiles

/// Opens the vault's file, or makes it, so that it is never seen half made.
struct VaultFile {
    static let name = "vault.latchkey"
    let path: String
    let schema: VaultSchema

    /// The path of an empty file that says that a vault was made here, so that one whose file is gone is not made anew in silence.
    static func mark(_ path: String) -> String { path + ".made" }

    /// Whether a vault was made at a path and its file is gone.
    static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && access(mark(path), F_OK) == 0 }

    /// Opens the file; makes it, and its folder, when there has never been one.
    ///
    /// - Throws: `VaultError`; `damaged` also where the file is gone.
    func open() throws -> DatabaseQueue {
        try VaultError.mapping(path) {
            guard !Self.isMissing(path) else { throw VaultError(.damaged, "its file is missing", file: path) }
            if access(path, F_OK) != 0 { try create() }
            // Not worth a refusal: where the folder takes no file now, the next opening makes it.
            _ = try? AtomicFile.createEmpty(at: Self.mark(path))
            let version = try knownVersion()
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            try queue.read { db in
                try requireSound(db)
                try schema.check(db)
            }
            if version < VaultSchema.currentVersion {
                try keep(queue, of: version)
                try schema.migrator.migrate(queue)
            }
            return queue
        }
    }

    /// The path of the copy that stays of a vault of an earlier version.
    static func kept(_ path: String, version: Int) -> String { path + ".version-\(version)" }

    /// How long such a copy stays, in seconds.
    private static let keptSpan = 30 * 86_400.0

    /// Copies a vault of an earlier version before it becomes the current one, for a user who goes back to the earlier Latchkey.
    private func keep(_ queue: DatabaseQueue, of version: Int) throws {
        let copy = Self.kept(path, version: version)
        let temporary = AtomicFile.temporaryName(in: String(path.dropLast(Self.name.count + 1)))
        guard try AtomicFile.createEmpty(at: temporary) else {
            throw VaultError(.file, "the copy of the vault is there already", file: temporary)
        }
        defer { _ = unlink(temporary) }
        try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [temporary]) }
        try AtomicFile.synchronize(temporary)
        guard rename(temporary, copy) == 0 else {
            throw VaultError(.file, "the copy of the vault cannot get its name: errno \(errno)", file: copy)
        }
    }

    /// Deletes copies of earlier versions that have stayed for `keptSpan`: they hold what the user may have deleted since.
    func removeKept(_ now: Date) {
        for version in 1..<VaultSchema.currentVersion {
            let copy = Self.kept(path, version: version)
            var status = stat()
            guard stat(copy, &status) == 0 else { continue }
            if now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > Self.keptSpan { _ = unlink(copy) }
        }
    }

    /// Opens a damaged file to read what can be read; nothing is written to it.
    func openDamaged() throws -> DatabaseQueue {
        try VaultError.mapping(path) {
            guard try knownVersion() == VaultSchema.currentVersion else {
                throw VaultError(.damaged, "the damaged vault is of an earlier version", file: path)
            }
            return try DatabaseQueue(path: path, configuration: .reading("damaged vault", isDamaged: true))
        }
    }

    /// Makes a whole vault under another name, then gives it its own: after a crash there is a vault or none, and an
    /// empty file under the right name is damage and never taken for a new vault.
    private func create() throws {
        let folder = String(path.dropLast(Self.name.count + 1))
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let temporary = AtomicFile.temporaryName(in: folder)
        guard try AtomicFile.createEmpty(at: temporary) else {
            throw VaultError(.file, "the new vault's file is there already", file: temporary)
        }
        defer { _ = unlink(temporary) }
        let queue = try DatabaseQueue(path: temporary, configuration: Self.configuration)
        try schema.migrator.migrate(queue)
        try queue.close()
        // A link and not a rename: it never replaces a vault that another process has just made.
        guard link(temporary, path) == 0 || errno == EEXIST else {
            throw VaultError(.file, "the new vault cannot get its name: errno \(errno)", file: path)
        }
        try AtomicFile.synchronize(path)
    }

    /// Looks at the header before SQLite does, because SQLite may write to a file it opens.
    private func knownVersion() throws -> Int {
        guard let file = fopen(path, "re") else {
            throw VaultError(.file, "the vault cannot be opened: errno \(errno)", file: path)
        }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: 100)
        guard fread(&header, 1, header.count, file) == header.count,
            header.starts(with: Array("SQLite format 3\0".utf8))
        else { throw VaultError(.damaged, "the file is not a vault", file: path) }
        guard Self.number(header, at: 68) == UInt32(bitPattern: VaultSchema.applicationID) else {
            throw VaultError(.damaged, "the file is another program's database, not a vault", file: path)
        }
        let version = Self.number(header, at: 60)
        guard version >= 1 else { throw VaultError(.damaged, "the vault has no version", file: path) }
        guard version <= UInt32(VaultSchema.currentVersion) else {
            throw VaultError(
                .tooNew, "the vault has version \(version), this Latchkey knows 1 to \(VaultSchema.currentVersion)",
                file: path)
        }
        return Int(version)
    }

    /// SQLite's own check of its structure: a damaged page is found here and not as a row that is quietly missing.
    private func requireSound(_ db: Database) throws {
        let verdict = try Row.fetchOne(db, sql: "PRAGMA quick_check(1)")?.text(at: 0)
        guard verdict == "ok" else { throw VaultError(.damaged, "the vault's file is damaged", file: path) }
    }

    private static func number(_ header: [UInt8], at offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A rollback journal: at rest the vault is one file, and its changes are few.
    static var configuration: Configuration {
        .writing("vault", journal: .rollback) { VaultError(.busy, "another process holds the vault") }
    }
}
