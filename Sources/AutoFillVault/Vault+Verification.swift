// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import GRDB
internal import Glibc
internal import SQLiteFiles

extension Vault {
    /// What can still be read of a damaged vault, and what cannot.
    public struct Salvage: Sendable {
        /// The items whose columns and authenticator's key all open, removed ones too.
        public let items: [VaultItem]
        /// One error for each row that does not open, and one when rows are missing or came back.
        public let damage: [VaultError]
    }

    /// Opens every column of every row, and checks the file's structure and that no row is missing.
    ///
    /// - Throws: The first damage that is found.
    public func verify() throws {
        try VaultError.mapping(path) {
            try queue.read { db in
                let verdict = try Row.fetchOne(db, sql: "PRAGMA integrity_check(1)")?.text(at: 0)
                guard verdict == "ok" else { throw VaultError(.damaged, "the vault's file is damaged", file: path) }
            }
        }
        if let first = try salvage().damage.first { throw first }
        _ = try pendingIdentityChanges()
        _ = try pending()
        _ = try hidden()
    }

    /// Opens every column of every row and reports what does not open instead of stopping there.
    public func salvage() throws -> Salvage {
        try reading { table in
            let (rows, isComplete, _) = try table.all()
            var items: [VaultItem] = []
            var damage = isComplete ? [] : [incomplete]
            for row in rows {
                do {
                    let item = try row.item.get()
                    _ = try table.password(of: row.id)
                    _ = try table.notes(of: row.id)
                    _ = try table.history(of: row.id)
                    _ = try table.authenticator(of: row.id)
                    items.append(item)
                } catch {
                    damage.append(VaultError(wrapping: error, file: path, row: row.id))
                }
            }
            return Salvage(items: items, damage: damage)
        }
    }

    /// Writes a consistent copy of the vault, with mode 0600; it is on disk when this returns, and every record of it opens.
    ///
    /// - Parameter target: An absolute path where nothing is yet.
    /// - Throws: `file` when something is there, `diskFull`, `damaged`; then no copy is left behind.
    public func snapshot(to target: String) throws {
        try VaultError.mapping(target) {
            // SQLite would make the copy readable to others; an empty file that is there already keeps its mode.
            guard try AtomicFile.createEmpty(at: target) else {
                throw VaultError(.file, "a snapshot never replaces a file", file: target)
            }
            do {
                try queue.writeWithoutTransaction { db in
                    try db.execute(sql: "VACUUM INTO ?", arguments: [target])
                }
                try AtomicFile.synchronize(target)
                let copy = try Vault(copyAt: target, of: self)
                defer { copy.close() }
                try copy.verify()
            } catch {
                _ = unlink(target)
                throw error
            }
        }
    }
}
