// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

/// The set-up keys of authenticators, one for an item at most, in a table of their own: most items have none.
///
/// The manifest counts these rows as it counts items, so one that went missing, or came back, is noticed.
enum AuthenticatorTable {
    /// A sealed link and whose it is.
    struct Entry {
        let item: String
        let sealed: [UInt8]
    }

    /// Every row, unopened.
    static func all(_ db: Database) throws -> [Entry] {
        try Row.fetchAll(db, sql: "SELECT item, link FROM authenticators ORDER BY item").map { row in
            Entry(item: row.text(at: 0) ?? "", sealed: row.bytes(at: 1) ?? [])
        }
    }

    /// The sealed link of an item; nothing where it has none.
    static func sealed(_ db: Database, of item: String) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT link FROM authenticators WHERE item = ?")
        guard let row = try Row.fetchOne(statement, arguments: [item]) else { return nil }
        guard let bytes = row.bytes(at: 0) else {
            throw VaultError(.damaged, "an authenticator's key is unreadable", row: item)
        }
        return bytes
    }

    /// Puts a link in the place of the one that was there; nothing takes it away.
    static func replace(
        _ db: Database, link: SecretBytes?, of item: String, keys: VaultKeys, manifest: inout VaultManifest?
    ) throws {
        if let old = try sealed(db, of: item) {
            manifest?.remove(id: name(of: item), sealedMeta: old, keys: keys)
            try db.execute(sql: "DELETE FROM authenticators WHERE item = ?", arguments: [item])
        }
        guard let link else { return }
        let new = keys.seal.seal(ItemRow.encode(secret: link), associated: VaultKeys.place(authenticatorOf: item))
        try db.execute(sql: "INSERT INTO authenticators (item, link) VALUES (?, ?)", arguments: [item, Data(new)])
        manifest?.insert(id: name(of: item), sealedMeta: new, keys: keys)
    }

    /// What the manifest calls a row. Identifiers of items have no space, so no item is called so.
    static func name(of item: String) -> String { "authenticator " + item }
}
