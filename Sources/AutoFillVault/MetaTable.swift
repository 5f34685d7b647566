// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

/// The vault's table of named sealed values.
enum MetaTable {
    static func read(_ db: Database, _ name: String) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM meta WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [name]) else { return nil }
        return row.bytes(at: 0)
    }

    static func write(_ db: Database, _ name: String, _ value: [UInt8]) throws {
        try db.execute(
            sql: "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            arguments: [name, Data(value)]
        )
    }
}
