// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB

/// The rows of a store within one access to its database.
struct IdentityTable {
    let db: Database
    let keys: IdentityKeys
    let terms: IndexTerms

    func count() throws -> Int {
        try Row.fetchOne(db, sql: "SELECT count(*) FROM identities")?.number(at: 0).map { Int($0) } ?? 0
    }

    func isEmpty() throws -> Bool {
        try Row.fetchOne(db, sql: "SELECT 1 FROM identities LIMIT 1") == nil
    }

    /// The rows that share a blind value, each once. Seeks, whatever the size of the store.
    func lookup(_ blinds: [[UInt8]]) throws -> [CredentialIdentity] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT identities.id, identities.sealed FROM index_terms
                JOIN identities ON identities.id = index_terms.row WHERE index_terms.blind = ?
                """
        )
        var found: [Int64: CredentialIdentity] = [:]
        for blind in blinds {
            let cursor = try Row.fetchCursor(statement, arguments: [Data(blind)])
            while let row = try cursor.next() {
                let (id, identity) = try open(row)
                found[id] = identity
            }
        }
        // What was saved last is the first among those of one rank.
        return found.sorted { ($1.value.rank, $1.key) < ($0.value.rank, $0.key) }.map(\.value)
    }

    /// Rows in the order they were first saved; opens each row it passes when there is something to search.
    func page(search: String?, offset: Int, limit: Int) throws -> [CredentialIdentity] {
        guard let wanted = search?.lowercased(), !wanted.isEmpty else {
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT id, sealed FROM identities ORDER BY id LIMIT ? OFFSET ?",
                arguments: [limit, offset]
            )
            return try rows.map { try open($0).identity }
        }
        var passed = 0
        var matches: [CredentialIdentity] = []
        let cursor = try Row.fetchCursor(db, sql: "SELECT id, sealed FROM identities ORDER BY id")
        while matches.count < limit, let row = try cursor.next() {
            let identity = try open(row).identity
            guard
                identity.user.lowercased().contains(wanted) || identity.service.value.lowercased().contains(wanted)
            else { continue }
            if passed >= offset { matches.append(identity) }
            passed += 1
        }
        return matches
    }

    func save(_ identities: [CredentialIdentity]) throws {
        let find = try db.cachedStatement(sql: "SELECT id FROM identities WHERE key = ?")
        let insert = try db.cachedStatement(sql: "INSERT INTO identities (id, key, sealed) VALUES (?, ?, ?)")
        let update = try db.cachedStatement(sql: "UPDATE identities SET sealed = ? WHERE id = ?")
        // A row is sealed for its identifier, so the identifier has to be known before the row exists.
        var next = try Row.fetchOne(db, sql: "SELECT max(id) FROM identities")?.number(at: 0) ?? 0
        var indexed: [Int64: CredentialIdentity] = [:]
        for identity in identities {
            let key = Data(keys.blindKey(of: identity))
            if let row = try Row.fetchOne(find, arguments: [key]) {
                guard let id = row.number(at: 0) else { throw StoreDamage(reason: "a row has no number") }
                try update.execute(arguments: [Data(keys.seal(identity, row: id)), id])
                if indexed.updateValue(identity, forKey: id) == nil { try removeTerms(of: id) }
            } else {
                guard next < Int64.max else { throw StoreDamage(reason: "a row has an impossible number") }
                next += 1
                try insert.execute(arguments: [next, key, Data(keys.seal(identity, row: next))])
                indexed[next] = identity
            }
        }
        try insertTerms(of: indexed)
    }

    /// Makes the words of every row anew.
    func reindex() throws {
        try db.execute(sql: "DELETE FROM index_terms")
        var indexed: [Int64: CredentialIdentity] = [:]
        let cursor = try Row.fetchCursor(db, sql: "SELECT id, sealed FROM identities")
        while let row = try cursor.next() {
            let (id, identity) = try open(row)
            indexed[id] = identity
        }
        try insertTerms(of: indexed)
    }

    func remove(_ identities: [CredentialIdentity]) throws {
        let find = try db.cachedStatement(sql: "SELECT id FROM identities WHERE key = ?")
        let delete = try db.cachedStatement(sql: "DELETE FROM identities WHERE id = ?")
        for identity in identities {
            guard let row = try Row.fetchOne(find, arguments: [Data(keys.blindKey(of: identity))]) else { continue }
            guard let id = row.number(at: 0) else { throw StoreDamage(reason: "a row has no number") }
            try removeTerms(of: id)
            try delete.execute(arguments: [id])
        }
    }

    func removeAll() throws {
        try db.execute(sql: "DELETE FROM index_terms; DELETE FROM identities")
    }

    private func insertTerms(of identities: [Int64: CredentialIdentity]) throws {
        let insert = try db.cachedStatement(sql: "INSERT INTO index_terms (blind, row) VALUES (?, ?)")
        // In the order of the index: so a large batch goes through each page of it once.
        let words = identities.flatMap { row, identity in keys.blinds(for: identity, terms).map { ($0, row) } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (blind, row) in words { try insert.execute(arguments: [Data(blind), row]) }
    }

    private func removeTerms(of row: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM index_terms WHERE row = ?").execute(arguments: [row])
    }

    private func open(_ row: Row) throws -> (id: Int64, identity: CredentialIdentity) {
        guard let id = row.number(at: 0), let sealed = row.bytes(at: 1) else {
            throw StoreDamage(reason: "a row is unreadable")
        }
        return (id, try keys.open(sealed, row: id))
    }
}

extension Row {
    /// The bytes of a column, or nil when a damaged file has a number or nothing there. Never traps, as reading a
    /// column with its type would.
    func bytes(at index: Int) -> [UInt8]? {
        let value: DatabaseValue = self[index]
        return Data.fromDatabaseValue(value).map { Array($0) }
    }

    /// The text of a column, or nil.
    func text(at index: Int) -> String? {
        let value: DatabaseValue = self[index]
        return String.fromDatabaseValue(value)
    }

    /// The number of a column, or nil.
    func number(at index: Int) -> Int64? {
        let value: DatabaseValue = self[index]
        return Int64.fromDatabaseValue(value)
    }
}
