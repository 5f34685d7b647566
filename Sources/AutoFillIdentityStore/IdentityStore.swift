// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials
public import AutoFillMatching
public import AutoFillSecrets
internal import GRDB
internal import ShownText
internal import Synchronization

/// The daemon's sealed index of one provider's credential identities.
///
/// It is a cache: bound to this machine and this device key, never backed up, thrown away when anything about it is
/// wrong. Every call is one transaction, and what has returned survives a power cut. Calls may come from any thread.
/// Changes wait for one another; reading waits for no change and sees the last one that is complete. All errors are
/// `IdentityStoreError`.
public final class IdentityStore: Sendable {
    /// What a provider is told about its store.
    public struct State: Hashable, Sendable {
        /// False until something was saved: the provider has to replace everything then.
        public let supportsIncrementalUpdates: Bool
        /// How many identities there are.
        public let count: Int
    }

    /// The provider whose identities these are.
    public let provider: BundleIdentifier
    /// The path of the store's file.
    public var path: String { file.path }

    /// Why the store is in memory and not in its file; `nil` where it is in the file.
    public var fault: String? { connections.withLock { $0?.fault } }

    private let file: IdentityStoreFile
    private let keys: IdentityKeys
    /// Closing drops the connection instead of closing it: GRDB crashes when a closed one is used, and a call on
    /// another thread may be about to.
    private let connections: Mutex<StoreConnections?>
    /// How the rows are indexed.
    private let terms: Mutex<IndexTerms>
    /// How many identities there are; `nil` until somebody has counted. Counting goes through all of them.
    private let counted = Mutex<Int?>(nil)
    /// How many calls are reading now. They share one connection, and so wait for one another.
    private let readers = Mutex(0)
    /// How many identities there may be.
    private let quota: Int

    /// How many identities a provider may have.
    public static let standardQuota = 200_000

    /// Opens a provider's store; makes an empty one where there is none, or where the one that is there is damaged, of
    /// another machine or of another device key, and one in memory where the folder takes no file.
    ///
    /// - Parameters:
    ///   - folder: An absolute path; made with mode 0700 and a `CACHEDIR.TAG`.
    ///   - provider: Names the file, and is part of what every row is sealed for.
    ///   - sealKey: `DeviceKey.identityStoreSealKey`.
    ///   - indexKey: `DeviceKey.identityStoreIndexKey`.
    ///   - generation: `DeviceKey.generation`.
    ///   - machine: Bytes that are the same on this machine only.
    ///   - terms: How rows are indexed; where they were indexed by another version of it, they are indexed anew.
    ///   - quota: How many identities there may be.
    /// - Throws: `IdentityStoreError` with `busy`.
    public init(
        folder: String,
        provider: BundleIdentifier,
        sealKey: SealKey,
        indexKey: BlindIndexKey,
        generation: [UInt8],
        machine: [UInt8],
        terms: IndexTerms,
        quota: Int = IdentityStore.standardQuota
    ) throws {
        self.provider = provider
        self.quota = quota
        self.keys = IdentityKeys(provider: provider, seal: sealKey, index: indexKey)
        self.file = IdentityStoreFile(folder: folder, keys: keys, generation: generation, machine: machine)
        self.terms = Mutex(terms)
        self.connections = Mutex(try file.open(terms))
    }

    /// How full the store is. Counts once; from then on the number is known.
    public var state: State {
        get throws {
            let known = counted.withLock { $0 }
            let state = try reading { table in
                State(
                    supportsIncrementalUpdates: try file.isPopulated(table.db),
                    count: try known ?? table.count()
                )
            }
            // A change in between knows better.
            counted.withLock { if $0 == nil { $0 = state.count } }
            return state
        }
    }

    /// Whether nothing is in the store; costs the same whatever its size, which counting does not.
    public var isEmpty: Bool {
        get throws { try reading { try $0.isEmpty() } }
    }

    /// The identities that share a word with a document, highest rank first.
    ///
    /// Sharing a word decides nothing: `MatchPolicy` does. The time does not depend on the size of the store.
    ///
    /// - Parameter terms: From `IndexTerms.terms(for:)`.
    public func lookup(terms: [String]) throws -> [CredentialIdentity] {
        try lookup(terms: terms, within: .standard).identities
    }

    /// The same within bounds of one's own, with how much was read for it.
    public func lookup(terms: [String], within bounds: LookupBounds) throws -> Lookup {
        let blinds = keys.blinds(terms: terms)
        return try reading { try $0.lookup(blinds, within: bounds) }
    }

    /// The same where it is certain to be short: nobody else is reading, and fewer rows than this are opened. Else `nil`.
    public func shortLookup(terms: [String], rows: Int) throws -> Lookup? {
        guard rows > 0, readers.withLock({ $0 }) == 0 else { return nil }
        let found = try lookup(terms: terms, within: LookupBounds(rowsOfWord: rows, rows: rows))
        return found.rowsRead < rows ? found : nil
    }

    /// Identities in the order they were first saved.
    ///
    /// - Parameters:
    ///   - search: Text that the user name or the service has to contain, in either case; opens every row it passes.
    ///   - offset: How many matches to leave out.
    ///   - limit: How many to return at most.
    public func all(search: String? = nil, offset: Int = 0, limit: Int = .max) throws -> [CredentialIdentity] {
        guard offset >= 0, limit > 0 else { return [] }
        return try reading { try $0.page(search: search, offset: offset, limit: limit) }
    }

    /// Some identities in the order they were first saved, and where the next ones begin.
    ///
    /// - Parameters:
    ///   - search: As of `all`.
    ///   - place: Where to begin: 0, or a page's `next`.
    ///   - limit: How many to return at most.
    ///   - reading: How many rows to open at most. A page may have none of them and end before the store does.
    public func page(
        search: String? = nil, from place: Int64 = 0, limit: Int, reading rows: Int = 20_000
    ) throws -> IdentityPage {
        guard limit > 0, rows > 0 else { return IdentityPage(identities: [], next: nil, rowsRead: 0) }
        return try reading { try $0.page(search: search, from: place, limit: limit, reading: rows) }
    }

    /// Saves identities, all of them or none. One with the same key as a saved one replaces it.
    ///
    /// - Parameter pace: Asked between the steps of a long change.
    public func save(_ identities: [CredentialIdentity], pace: WritePace = .none) throws {
        try check(identities)
        try changing { table, count in
            count += try table.save(identities, pace)
            try requireRoom(for: count)
            try file.markPopulated(table.db)
        }
    }

    /// Removes the identities with the same keys, all of them or none. Those that are not there are no error.
    public func remove(_ identities: [CredentialIdentity], pace: WritePace = .none) throws {
        try changing { table, count in count -= try table.remove(identities, pace) }
    }

    /// Indexes the rows by other words, all of them or none, where those differ.
    public func use(_ terms: IndexTerms) throws {
        let before = self.terms.withLock { $0 }
        do {
            try accessing { connections in
                try connections.writer.write { db in
                    try file.index(db, by: terms)
                    // Inside, so that no other change is indexed by the old words after this one.
                    self.terms.withLock { $0 = terms }
                }
            }
        } catch {
            self.terms.withLock { $0 = before }
            throw error
        }
    }

    /// Removes every identity; the store keeps supporting incremental updates if it did.
    public func removeAll() throws {
        try changing { table, count in
            try table.removeAll()
            count = 0
        }
    }

    /// Replaces everything, or changes nothing.
    public func replace(with identities: [CredentialIdentity], pace: WritePace = .none) throws {
        try check(identities)
        try changing { table, count in
            try table.removeAll()
            count = try table.save(identities, pace)
            try requireRoom(for: count)
            try file.markPopulated(table.db)
        }
    }

    /// The door: what no field of one line can take, and no list could show as it is, is nobody's user name or service.
    private func check(_ identities: [CredentialIdentity]) throws {
        guard identities.count <= quota else { throw fullError }
        guard let odd = identities.firstIndex(where: \.holdsControls) else { return }
        throw IdentityStoreError(
            .refused, "identity \(odd + 1) of \(identities.count) holds a control character or a line end", file: path)
    }

    private func requireRoom(for count: Int) throws {
        guard count <= quota else { throw fullError }
    }

    private var fullError: IdentityStoreError {
        IdentityStoreError(.full, "a provider has at most \(quota) identities", file: path)
    }

    /// Closes the file as soon as a call that is under way has ended, and every later call fails. For locking: drop the
    /// store afterwards, and its keys go with it.
    public func close() {
        connections.withLock { $0 = nil }
    }

    /// Closes the file and deletes it.
    public func deleteFile() {
        close()
        IdentityStoreFile.delete(path)
    }

    /// Deletes a provider's file without opening it, which needs no keys: for a provider that is disabled while locked.
    public static func deleteFile(folder: String, provider: BundleIdentifier) {
        IdentityStoreFile.delete(IdentityStoreFile.path(folder: folder, provider: provider))
    }

    /// The database itself, for tests that damage it.
    func withDatabase(_ body: (Database) throws -> Void) throws {
        try accessing { connections in try connections.writer.writeWithoutTransaction(body) }
    }

    func reading<Value>(_ body: (IdentityTable) throws -> Value) throws -> Value {
        let terms = terms.withLock { $0 }
        readers.withLock { $0 += 1 }
        defer { readers.withLock { $0 -= 1 } }
        return try accessing { connections in
            // No transaction: each statement sees one state, and no caller needs two to see the same.
            try connections.reader.unsafeRead { try body(IdentityTable(db: $0, keys: keys, terms: terms)) }
        }
    }

    /// - Parameter body: Is given how many identities there are, and says how many there are then.
    private func changing(_ body: (IdentityTable, inout Int) throws -> Void) throws {
        try accessing { connections in
            try connections.writer.write { db in
                // Looked at inside, where no other access changes how the rows are indexed.
                let table = IdentityTable(db: db, keys: keys, terms: terms.withLock { $0 })
                var count = try counted.withLock { $0 } ?? table.count()
                try body(table, &count)
                let now = count
                // What is rolled back leaves the number as it was.
                db.afterNextTransaction(onCommit: { _ in self.counted.withLock { $0 = now } })
            }
        }
    }

    /// Runs an access; when it meets damage, the file is replaced by an empty one and the access fails.
    private func accessing<Value>(_ body: (StoreConnections) throws -> Value) throws -> Value {
        guard let open = connections.withLock({ $0 }) else {
            throw IdentityStoreError(.closed, "the store is closed", file: path)
        }
        do {
            return try IdentityStoreError.sorting(path) { try body(open) }
        } catch let damage as StoreDamage {
            try discard(open)
            throw IdentityStoreError(
                .discarded,
                "the store was damaged and is empty now: \(damage.reason)",
                file: path
            )
        }
    }

    /// Another access may have met the same damage first; only the first one discards. The damaged connection is still
    /// open here; when it ends, SQLite sees that its file was replaced and leaves the new one's WAL alone.
    private func discard(_ damaged: StoreConnections) throws {
        try connections.withLock { connections in
            guard connections === damaged else { return }
            connections = nil
            IdentityStoreFile.delete(path)
            counted.withLock { $0 = nil }
            connections = try file.open(terms.withLock { $0 })
        }
    }
}
