// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching
internal import AutoFillSecrets
internal import FoundationEssentials
internal import GRDB
internal import Glibc
internal import SQLiteFiles

/// One store's file: made, opened, checked to be of this machine and this device key, thrown away when it is not.
struct IdentityStoreFile: Sendable {
    /// A file of another version is discarded like a damaged one: everything in it can be had again from the provider.
    private static let version: Int64 = 5
    private static let bindingName = "binding"
    private static let populatedName = "populated"
    private static let termsName = "terms"

    let folder: String
    let path: String
    let keys: IdentityKeys
    /// The generation of the device key and the machine, in hexadecimal, so that no two pairs read the same.
    let binding: String

    init(folder: String, keys: IdentityKeys, generation: [UInt8], machine: [UInt8]) {
        self.folder = folder
        self.path = Self.path(folder: folder, provider: keys.provider)
        self.keys = keys
        self.binding = "\(Self.hexadecimal(generation)) \(Self.hexadecimal(machine))"
    }

    static func path(folder: String, provider: BundleIdentifier) -> String {
        "\(folder)/\(provider).identities"
    }

    /// Opens what is there; makes an empty file where there is none or where what is there is worthless. Where the folder takes no file,
    /// the store is in memory: an index that can be had again keeps nobody locked out.
    func open(_ terms: IndexTerms) throws -> StoreConnections {
        do {
            return try openFile(terms)
        } catch let error as IdentityStoreError where [.file, .diskFull].contains(error.code) {
            return try IdentityStoreError.sorting(path) {
                let queue = try DatabaseQueue(configuration: Self.configuration(.memory))
                try prepare(queue, terms)
                return StoreConnections(writer: queue, reader: queue, fault: error.reason)
            }
        }
    }

    private func openFile(_ terms: IndexTerms) throws -> StoreConnections {
        try makeFolder()
        do {
            return try openExisting(terms)
        } catch is StoreDamage {
            Self.delete(path)
            do {
                return try openExisting(terms)
            } catch let damage as StoreDamage {
                throw IdentityStoreError(.file, "a fresh store is unusable: \(damage.reason)", file: path)
            }
        }
    }

    /// Removes the database and what SQLite keeps beside it.
    static func delete(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { _ = unlink(path + suffix) }
    }

    /// Whether anything was ever saved: what `supportsIncrementalUpdates` says.
    func isPopulated(_ db: Database) throws -> Bool {
        guard let sealed = try value(db, Self.populatedName) else { return false }
        _ = try keys.seal.open(sealed, associated: keys.place(meta: Self.populatedName))
        return true
    }

    func markPopulated(_ db: Database) throws {
        guard try value(db, Self.populatedName) == nil else { return }
        try set(db, Self.populatedName, RecordEncoder().finish())
    }

    /// Makes the words of all rows anew where they were made by another list or another version of this program. It is one
    /// transaction with the note that says by which: when it is cut short, the next opening finds the old note.
    func index(_ db: Database, by terms: IndexTerms) throws {
        if let sealed = try value(db, Self.termsName) {
            var record = try RecordDecoder(try keys.seal.open(sealed, associated: keys.place(meta: Self.termsName)))
            if try record.readText() == terms.version { return }
        }
        try IdentityTable(db: db, keys: keys, terms: terms).reindex()
        var record = RecordEncoder()
        record.append(terms.version)
        try set(db, Self.termsName, record.finish())
    }

    private func openExisting(_ terms: IndexTerms) throws -> StoreConnections {
        try IdentityStoreError.sorting(path) {
            _ = try AtomicFile.createEmpty(at: path)
            // Of an earlier version of this program; the index is in memory now.
            _ = unlink(path + "-shm")
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration(.writeAhead))
            try prepare(queue, terms)
            try AtomicFile.synchronizeFolder(folder)
            // After the writer, which has made the WAL that a reader needs.
            let reader = try DatabaseQueue(path: path, configuration: .reading("identities, reading"))
            return StoreConnections(writer: queue, reader: reader)
        }
    }

    private func prepare(_ queue: DatabaseQueue, _ terms: IndexTerms) throws {
        try queue.write { db in
            if try Row.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")?.number(at: 0) == 0 {
                try create(db)
            } else {
                try check(db)
            }
            try index(db, by: terms)
        }
    }

    private func create(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
                CREATE TABLE identities (
                    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL
                ) STRICT;
                CREATE TABLE index_terms (
                    blind BLOB NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (blind, row)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX index_terms_by_row ON index_terms (row);
                """
        )
        var record = RecordEncoder()
        record.append(Self.version)
        record.append(binding)
        try set(db, Self.bindingName, record.finish())
    }

    private func check(_ db: Database) throws {
        guard try Row.fetchOne(db, sql: "PRAGMA quick_check(1)")?.text(at: 0) == "ok",
            let sealed = try value(db, Self.bindingName)
        else { throw StoreDamage(reason: "its structure is damaged") }
        var record = try RecordDecoder(try keys.seal.open(sealed, associated: keys.place(meta: Self.bindingName)))
        guard try record.readNumber() == Self.version, try record.readText() == binding else {
            throw StoreDamage(reason: "it is of another machine, device key or version")
        }
        try record.finish()
        _ = try isPopulated(db)
    }

    private func value(_ db: Database, _ name: String) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM meta WHERE name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [name]) else { return nil }
        return row.bytes(at: 0) ?? []
    }

    private func set(_ db: Database, _ name: String, _ payload: SecretBytes) throws {
        let sealed = keys.seal.seal(payload, associated: keys.place(meta: name))
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            arguments: [name, Data(sealed)]
        )
    }

    /// The folder with mode 0700, and the tag that keeps backup programs out of it.
    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let tag = folder + "/CACHEDIR.TAG"
            if access(tag, F_OK) != 0 {
                let text = """
                    Signature: 8a477f597d28d172789f06886806bc55
                    # Latchkey's index of credential identities. Providers fill it again when it is lost.
                    # https://bford.info/cachedir/

                    """
                try AtomicFile.write(Array(text.utf8), to: tag)
            }
        } catch let error as SecretsError {
            throw IdentityStoreError(.file, error.reason, file: error.context ?? path)
        } catch {
            throw IdentityStoreError(.file, "the folder cannot be made", file: folder)
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func configuration(_ journal: Journal) -> Configuration {
        .writing("identities", journal: journal) { StoreDamage(reason: "it has no WAL") }
    }
}
