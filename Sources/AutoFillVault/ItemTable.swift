// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

/// The items of a vault within one transaction; keeps the manifest in step with every row.
struct ItemTable {
    let db: Database
    let keys: VaultKeys
    let file: String
    /// Read when the transaction begins to change rows; reading one item needs none.
    private var manifest: VaultManifest?

    init(_ db: Database, keys: VaultKeys, file: String) {
        self.db = db
        self.keys = keys
        self.file = file
    }

    /// Gets ready to change rows. Without it, `finish` refuses to end the transaction.
    mutating func begin() throws {
        manifest = try VaultManifest.read(db, keys: keys)
    }

    /// One row as it was found: opened, or why it does not open.
    struct Found {
        let id: String
        let item: Result<VaultItem, VaultError>
    }

    /// Every row that can be reached, whether together they are what the manifest says, and how many it says are absent.
    func all() throws -> (rows: [Found], isComplete: Bool, absent: Int) {
        var seen = VaultManifest()
        var rows: [Found] = []
        var withAuthenticator: Set<String> = []
        try undamaged {
            for entry in try AuthenticatorTable.all(db) {
                seen.insert(id: AuthenticatorTable.name(of: entry.item), sealedMeta: entry.sealed, keys: keys)
                withAuthenticator.insert(entry.item)
            }
        }
        var ids: Set<String> = []
        func read(_ condition: String, _ arguments: StatementArguments) throws {
            let cursor = try Row.fetchCursor(
                db, sql: "SELECT id, meta FROM items WHERE \(condition)", arguments: arguments)
            while let row = try cursor.next() {
                let (id, sealed) = (row.text(at: 0) ?? "", row.bytes(at: 1) ?? [])
                guard ids.insert(id).inserted else { continue }
                seen.insert(id: id, sealedMeta: sealed, keys: keys)
                let item = Result {
                    var item = try opening(id) { try ItemRow.decodeMeta($0(sealed, .meta), id: id) }
                    item.hasAuthenticator = withAuthenticator.contains(id)
                    return item
                }
                rows.append(Found(id: id, item: item.mapError { VaultError(wrapping: $0, file: file, row: id) }))
            }
        }
        let whole: Void? = try undamaged { try read("true ORDER BY id", []) }
        if whole == nil {
            // A damaged page ends the reading, so the others are reached by many small ranges, from both ends of each.
            for start in ItemIdentifier.starts {
                for order in ["ASC", "DESC"] {
                    try undamaged { try read("id >= ? AND id < ? ORDER BY id \(order)", [start, start + "~"]) }
                }
            }
        }
        let written = try manifest ?? undamaged { try VaultManifest.read(db, keys: keys) }
        return (rows, seen == written, max(0, Int(clamping: (written?.count ?? 0) - seen.count)))
    }

    /// Reads, and answers `nil` where the file is damaged there.
    @discardableResult private func undamaged<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try VaultError.mapping(file, read)
        } catch let error as VaultError where error.code == .damaged {
            return nil
        }
    }

    func item(_ id: String) throws -> VaultItem {
        var item = try opening(id) { try ItemRow.decodeMeta($0(sealed(.meta, of: id), .meta), id: id) }
        item.hasAuthenticator = try AuthenticatorTable.sealed(db, of: id) != nil
        return item
    }

    func password(of id: String) throws -> SecretBytes {
        try opening(id) { try ItemRow.decodeSecret($0(sealed(.password, of: id), .password)) }
    }

    func notes(of id: String) throws -> String {
        try opening(id) { try ItemRow.decodeText($0(sealed(.notes, of: id), .notes)) }
    }

    func history(of id: String) throws -> [PasswordChange] {
        try opening(id) { try ItemRow.decodeHistory($0(sealed(.history, of: id), .history)) }
    }

    /// The link with the set-up key of an item's authenticator; nothing where it has none.
    func authenticator(of id: String) throws -> SecretBytes? {
        guard let sealed = try AuthenticatorTable.sealed(db, of: id) else { return nil }
        do {
            return try ItemRow.decodeSecret(
                keys.seal.open(sealed, associated: VaultKeys.place(authenticatorOf: id)))
        } catch let error as SecretsError {
            throw VaultError(error, file: file, row: id)
        }
    }

    mutating func insert(_ item: VaultItem, password: SecretBytes, notes: String) throws {
        let meta = seal(ItemRow.encodeMeta(item), .meta, of: item.id)
        try db.execute(
            sql: "INSERT INTO items (id, meta, password, notes, history) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                item.id, Data(meta), Data(seal(ItemRow.encode(secret: password), .password, of: item.id)),
                Data(seal(ItemRow.encode(text: notes), .notes, of: item.id)),
                Data(seal(ItemRow.encode(history: []), .history, of: item.id)),
            ]
        )
        manifest?.insert(id: item.id, sealedMeta: meta, keys: keys)
    }

    /// Replaces an item's metadata.
    mutating func update(_ item: VaultItem) throws {
        let old = try sealed(.meta, of: item.id)
        let new = seal(ItemRow.encodeMeta(item), .meta, of: item.id)
        manifest?.remove(id: item.id, sealedMeta: old, keys: keys)
        manifest?.insert(id: item.id, sealedMeta: new, keys: keys)
        try store(new, .meta, of: item.id)
    }

    func update(password: SecretBytes, history: [PasswordChange], of id: String) throws {
        try store(seal(ItemRow.encode(secret: password), .password, of: id), .password, of: id)
        try store(seal(ItemRow.encode(history: history), .history, of: id), .history, of: id)
    }

    func update(notes: String, of id: String) throws {
        try store(seal(ItemRow.encode(text: notes), .notes, of: id), .notes, of: id)
    }

    mutating func update(authenticator link: SecretBytes?, of id: String) throws {
        try AuthenticatorTable.replace(db, link: link, of: id, keys: keys, manifest: &manifest)
    }

    mutating func delete(_ id: String) throws {
        try update(authenticator: nil, of: id)
        let old = try sealed(.meta, of: id)
        manifest?.remove(id: id, sealedMeta: old, keys: keys)
        try db.execute(sql: "DELETE FROM items WHERE id = ?", arguments: [id])
    }

    func finish() throws {
        guard let manifest else { throw VaultError(.damaged, "a change has no manifest", file: file) }
        try manifest.write(db, keys: keys)
    }

    private func sealed(_ column: ItemRow.Column, of id: String) throws -> [UInt8] {
        let statement = try db.cachedStatement(sql: "SELECT \(column.rawValue) FROM items WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else {
            throw VaultError(.notFound, "there is no such item", row: id)
        }
        guard let bytes = row.bytes(at: 0) else {
            throw VaultError(.damaged, "a column of an item is unreadable", file: file, row: id)
        }
        return bytes
    }

    private func store(_ sealed: [UInt8], _ column: ItemRow.Column, of id: String) throws {
        let statement = try db.cachedStatement(sql: "UPDATE items SET \(column.rawValue) = ? WHERE id = ?")
        try statement.execute(arguments: [Data(sealed), id])
    }

    private func seal(_ payload: SecretBytes, _ column: ItemRow.Column, of id: String) -> [UInt8] {
        keys.seal.seal(payload, associated: VaultKeys.place(column, of: id))
    }

    /// Runs a body that opens columns of one row; what does not open is reported with the row's name.
    private func opening<Value>(
        _ id: String,
        _ body: (_ open: ([UInt8], ItemRow.Column) throws -> SecretBytes) throws -> Value
    ) throws -> Value {
        do {
            return try body { try keys.seal.open($0, associated: VaultKeys.place($1, of: id)) }
        } catch let error as SecretsError {
            throw VaultError(error, file: file, row: id)
        }
    }
}

extension VaultError {
    /// An error of one row, whatever it was.
    init(wrapping error: any Error, file: String, row: String) {
        self = error as? VaultError ?? VaultError(.damaged, "a row is unreadable", file: file, row: row)
    }
}
