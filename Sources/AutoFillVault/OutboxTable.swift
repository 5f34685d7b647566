// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

/// What the identity store has still to be told, written in the transaction of the change itself.
enum OutboxTable {
    static func append(_ db: Database, _ change: PendingIdentityChange.Change, keys: VaultKeys) throws {
        // The row comes first because the place it is sealed for is its sequence.
        try db.execute(sql: "INSERT INTO outbox (change) VALUES (x'')")
        let sequence = db.lastInsertedRowID
        var record = RecordEncoder()
        switch change {
        case .save(let id):
            record.append(Int64(1))
            record.append(id)
        case .remove(let id):
            record.append(Int64(2))
            record.append(id)
        }
        let sealed = keys.seal.seal(record.finish(), associated: VaultKeys.place(outbox: sequence))
        try db.execute(sql: "UPDATE outbox SET change = ? WHERE sequence = ?", arguments: [Data(sealed), sequence])
    }

    static func pending(_ db: Database, keys: VaultKeys) throws -> [PendingIdentityChange] {
        try Row.fetchAll(db, sql: "SELECT sequence, change FROM outbox ORDER BY sequence").map { row in
            guard let sequence = row.number(at: 0), let sealed = row.bytes(at: 1) else {
                throw VaultError(.damaged, "a pending change is unreadable", row: "outbox")
            }
            let payload = try keys.seal.open(sealed, associated: VaultKeys.place(outbox: sequence))
            var record = try RecordDecoder(payload)
            let kind = try record.readNumber(in: 1...2)
            let id = try record.readText()
            try record.finish()
            return PendingIdentityChange(
                sequence: sequence,
                change: kind == 1 ? .save(itemID: id) : .remove(itemID: id)
            )
        }
    }

    static func acknowledge(_ db: Database, upTo sequence: Int64) throws {
        try db.execute(sql: "DELETE FROM outbox WHERE sequence <= ?", arguments: [sequence])
    }
}
