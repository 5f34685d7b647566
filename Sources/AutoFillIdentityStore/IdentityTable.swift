// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import SQLiteFiles

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

    /// The rows that share a blind value, each once; of each value the newest. Seeks, whatever the size of the store.
    func lookup(_ blinds: [[UInt8]], within bounds: LookupBounds) throws -> Lookup {
        let statement = try db.cachedStatement(
            sql: """
                SELECT identities.id, identities.sealed FROM index_terms
                JOIN identities ON identities.id = index_terms.row WHERE index_terms.blind = ?
                ORDER BY index_terms.row DESC LIMIT ?
                """
        )
        var found: [Int64: CredentialIdentity] = [:]
        var rowsRead = 0
        for blind in blinds where rowsRead < bounds.rows {
            let limit = min(bounds.rowsOfWord, bounds.rows - rowsRead)
            let cursor = try Row.fetchCursor(statement, arguments: [Data(blind), limit])
            while let row = try cursor.next() {
                rowsRead += 1
                let (id, identity) = try open(row)
                found[id] = identity
            }
        }
        // What was saved last is the first among those of one rank.
        let identities = found.sorted { ($1.value.rank, $1.key) < ($0.value.rank, $0.key) }.map(\.value)
        return Lookup(identities: identities, rowsRead: rowsRead)
    }

    /// Rows from a place on, in the order they were first saved.
    func page(search: String?, from place: Int64, limit: Int, reading rows: Int) throws -> IdentityPage {
        let wanted = search?.lowercased() ?? ""
        var (matches, next, rowsRead): ([CredentialIdentity], Int64?, Int) = ([], nil, 0)
        let cursor = try Row.fetchCursor(
            db, sql: "SELECT id, sealed FROM identities WHERE id >= ? ORDER BY id", arguments: [place])
        while let row = try cursor.next() {
            guard matches.count < limit, rowsRead < rows else {
                next = row.number(at: 0)
                break
            }
            rowsRead += 1
            let identity = try open(row).identity
            if identity.contains(wanted) { matches.append(identity) }
        }
        return IdentityPage(identities: matches, next: next, rowsRead: rowsRead)
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
            guard identity.contains(wanted) else { continue }
            if passed >= offset { matches.append(identity) }
            passed += 1
        }
        return matches
    }

    /// - Returns: How many rows were added.
    func save(_ identities: [CredentialIdentity], _ pace: WritePace) throws -> Int {
        let find = try db.cachedStatement(sql: "SELECT id FROM identities WHERE key = ?")
        let insert = try db.cachedStatement(sql: "INSERT INTO identities (id, key, sealed) VALUES (?, ?, ?)")
        let update = try db.cachedStatement(sql: "UPDATE identities SET sealed = ? WHERE id = ?")
        // A row is sealed for its identifier, so the identifier has to be known before the row exists.
        let last = try Row.fetchOne(db, sql: "SELECT max(id) FROM identities")?.number(at: 0) ?? 0
        var next = last
        var indexed: [Int64: CredentialIdentity] = [:]
        for (index, identity) in identities.enumerated() {
            if index > 0, index % WritePace.step == 0 { try rest(pace) }
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
            if indexed.count == Self.indexedAtOnce {
                try insertTerms(of: indexed, pace)
                indexed = [:]
            }
        }
        try insertTerms(of: indexed, pace)
        return Int(next - last)
    }

    /// Identities whose words are sorted and inserted together: many, so that each page of the index is written seldom, and not
    /// all, because their words take memory.
    private static let indexedAtOnce = 10_000

    /// Between two steps of a change.
    private func rest(_ pace: WritePace) throws {
        guard pace.goesOn() else {
            throw IdentityStoreError(.interrupted, "the change was given up", file: "")
        }
    }

    /// Makes the words of every row anew.
    func reindex() throws {
        try db.execute(sql: "DELETE FROM index_terms")
        var indexed: [Int64: CredentialIdentity] = [:]
        let cursor = try Row.fetchCursor(db, sql: "SELECT id, sealed FROM identities")
        while let row = try cursor.next() {
            let (id, identity) = try open(row)
            indexed[id] = identity
            if indexed.count == Self.indexedAtOnce {
                try insertTerms(of: indexed, .none)
                indexed = [:]
            }
        }
        try insertTerms(of: indexed, .none)
    }

    /// - Returns: How many rows were removed.
    func remove(_ identities: [CredentialIdentity], _ pace: WritePace) throws -> Int {
        var removed = 0
        let find = try db.cachedStatement(sql: "SELECT id FROM identities WHERE key = ?")
        let delete = try db.cachedStatement(sql: "DELETE FROM identities WHERE id = ?")
        for (index, identity) in identities.enumerated() {
            if index > 0, index % WritePace.step == 0 { try rest(pace) }
            guard let row = try Row.fetchOne(find, arguments: [Data(keys.blindKey(of: identity))]) else { continue }
            guard let id = row.number(at: 0) else { throw StoreDamage(reason: "a row has no number") }
            try removeTerms(of: id)
            try delete.execute(arguments: [id])
            removed += 1
        }
        return removed
    }

    func removeAll() throws {
        try db.execute(sql: "DELETE FROM index_terms; DELETE FROM identities")
    }

    private func insertTerms(of identities: [Int64: CredentialIdentity], _ pace: WritePace) throws {
        let insert = try db.cachedStatement(sql: "INSERT INTO index_terms (blind, row) VALUES (?, ?)")
        // In the order of the index: so a large batch goes through each page of it once.
        let words = identities.flatMap { row, identity in keys.blinds(for: identity, terms).map { ($0, row) } }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (index, (blind, row)) in words.enumerated() {
            // Words are cheaper than identities by far.
            if index > 0, index % (WritePace.step * 16) == 0 { try rest(pace) }
            try insert.execute(arguments: [Data(blind), row])
        }
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

extension CredentialIdentity {
    /// Whether its user name or service contains a text.
    ///
    /// - Parameter text: In lower case; an empty one is in every identity.
    fileprivate func contains(_ text: String) -> Bool {
        text.isEmpty || user.lowercased().contains(text) || service.value.lowercased().contains(text)
    }
}
