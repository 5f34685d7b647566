// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import Crypto
internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

/// The vault's tables and how they became what they are; `docs/vault-format.md` is the contract.
struct VaultSchema: Sendable {
    /// What this build writes. A file of a later version is refused.
    static let currentVersion = 6
    /// "LKVT" in the file's header: an SQLite file of somebody else is not taken for a vault.
    static let applicationID: Int32 = 0x4C4B_5654

    private static let checkName = "check"
    let keys: VaultKeys

    /// Every version there has been, in order, each in a transaction of its own.
    var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
            try db.execute(
                sql: """
                    CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE TABLE items (
                        id TEXT NOT NULL PRIMARY KEY, meta BLOB NOT NULL, password BLOB NOT NULL, notes BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """
            )
            try mark(db, version: 1)
        }
        migrator.registerMigration("2") { db in
            try db.execute(
                sql: """
                    ALTER TABLE items ADD COLUMN history BLOB NOT NULL DEFAULT x'';
                    CREATE TABLE outbox (sequence INTEGER PRIMARY KEY AUTOINCREMENT, change BLOB NOT NULL) STRICT;
                    """
            )
            try addHistoryManifestAndOutbox(db)
            try mark(db, version: 2)
        }
        migrator.registerMigration("3") { db in
            try rewriteMeta(db, from: 2, to: 3)
            try mark(db, version: 3)
        }
        migrator.registerMigration("4") { db in
            // Empty, so that the manifest stays right.
            try db.execute(
                sql: """
                    CREATE TABLE authenticators (item TEXT NOT NULL PRIMARY KEY, link BLOB NOT NULL)
                    STRICT, WITHOUT ROWID;
                    """
            )
            try mark(db, version: 4)
        }
        migrator.registerMigration("5") { db in
            try rewriteMeta(db, from: 4, to: 5)
            try mark(db, version: 5)
        }
        migrator.registerMigration("6") { db in
            try rewriteMeta(db, from: 5, to: 6)
            try mark(db, version: 6)
        }
        return migrator
    }

    /// Version 1 kept neither old passwords nor what the identity store has to be told: every item has an empty
    /// history, and every item that is not removed is announced once.
    private func addHistoryManifestAndOutbox(_ db: Database) throws {
        var manifest = VaultManifest()
        for row in try Row.fetchAll(db, sql: "SELECT id, meta FROM items ORDER BY id") {
            guard let id = row.text(at: 0), let sealedMeta = row.bytes(at: 1) else {
                throw VaultError(.damaged, "a row of the old format is unreadable")
            }
            let meta = try keys.seal.open(sealedMeta, associated: VaultKeys.place(.meta, of: id))
            let history = keys.seal.seal(
                ItemRow.encode(history: []),
                associated: VaultKeys.place(.history, of: id)
            )
            try db.execute(sql: "UPDATE items SET history = ? WHERE id = ?", arguments: [Data(history), id])
            manifest.insert(id: id, sealedMeta: sealedMeta, keys: keys)
            if try ItemRow.decodeMeta(meta, id: id, version: 1).removed == nil {
                try OutboxTable.append(db, .save(itemID: id), keys: keys)
            }
        }
        try manifest.write(db, keys: keys)
    }

    /// Writes every row's `meta` again as a later version has it, and the manifest with it: before version 3 no item was strict, before
    /// version 5 none had labels, before version 6 none had a title. What a row says is not changed, so the identity store has nothing to be told.
    private func rewriteMeta(_ db: Database, from old: Int, to new: Int) throws {
        var (before, after) = (VaultManifest(), VaultManifest())
        if old >= 4 {
            for entry in try AuthenticatorTable.all(db) {
                let name = AuthenticatorTable.name(of: entry.item)
                before.insert(id: name, sealedMeta: entry.sealed, keys: keys)
                after.insert(id: name, sealedMeta: entry.sealed, keys: keys)
            }
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, meta FROM items ORDER BY id") {
            guard let id = row.text(at: 0), let meta = row.bytes(at: 1) else {
                throw VaultError(.damaged, "a row of the old format is unreadable")
            }
            let place = VaultKeys.place(.meta, of: id)
            let item = try ItemRow.decodeMeta(try keys.seal.open(meta, associated: place), id: id, version: old)
            let rewritten = keys.seal.seal(ItemRow.encodeMeta(item, version: new), associated: place)
            before.insert(id: id, sealedMeta: meta, keys: keys)
            after.insert(id: id, sealedMeta: rewritten, keys: keys)
            try db.execute(sql: "UPDATE items SET meta = ? WHERE id = ?", arguments: [Data(rewritten), id])
        }
        // A row that is missing or of an earlier day would otherwise be sound from here on.
        guard try before == VaultManifest.read(db, keys: keys) else {
            throw VaultError(.damaged, "rows of the old format are missing or were exchanged")
        }
        try after.write(db, keys: keys)
    }

    /// Writes the version where anybody can read it, and sealed, where nobody can change it.
    private func mark(_ db: Database, version: Int) throws {
        var record = RecordEncoder()
        record.append("latchkey-vault")
        record.append(Int64(version))
        let sealed = keys.seal.seal(record.finish(), associated: VaultKeys.place(meta: Self.checkName))
        try MetaTable.write(db, Self.checkName, sealed + Self.digest(sealed))
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Tells the right key from a wrong one, and both from damage: the check value carries a plain digest, so one that
    /// is whole and does not open was sealed under another key.
    func check(_ db: Database) throws {
        guard let value = try MetaTable.read(db, Self.checkName), value.count > 16 else {
            throw VaultError(.damaged, "the vault's check value is missing", row: Self.checkName)
        }
        let sealed = Array(value.dropLast(16))
        guard Array(value.suffix(16)) == Self.digest(sealed) else {
            throw VaultError(.damaged, "the vault's check value is damaged", row: Self.checkName)
        }
        guard let payload = try? keys.seal.open(sealed, associated: VaultKeys.place(meta: Self.checkName)) else {
            throw VaultError(.wrongKey, "the vault was sealed under another key")
        }
        var record = try RecordDecoder(payload)
        let format = try record.readText()
        let version = try record.readNumber()
        try record.finish()
        let stated = try Row.fetchOne(db, sql: "PRAGMA user_version")?.number(at: 0)
        guard format == "latchkey-vault", stated == version else {
            throw VaultError(.damaged, "the vault's version is not the sealed one", row: Self.checkName)
        }
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes).prefix(16))
    }
}
