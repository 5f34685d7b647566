// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillSecrets
import GRDB
import Testing

@testable import AutoFillIdentityStore

/// A store that is damaged or of somebody else is thrown away, never read and never an obstacle.
@Suite struct IdentityStoreBindingTests {
    private let folder = TemporaryFolder()
    private let fixture: StoreFixture

    init() throws {
        fixture = StoreFixture(folder: folder.path)
        let store = try fixture.open()
        try store.save((0..<20).map { StoreFixture.identity($0) })
    }

    private func expectFresh(_ store: IdentityStore) throws {
        #expect(try store.state == .init(supportsIncrementalUpdates: false, count: 0))
        try store.save([StoreFixture.identity(7)])
        #expect(try store.all() == [StoreFixture.identity(7)])
    }

    @Test func theSameEverythingIsKept() throws {
        #expect(try fixture.open().state == .init(supportsIncrementalUpdates: true, count: 20))
    }

    /// A file in the place of the folder keeps everything out, as a full disk or a folder that is read-only does.
    @Test func aFolderThatTakesNoFileLeavesTheStoreInMemory() throws {
        let other = TemporaryFolder()
        try writeFile([], to: other.path + "/identities")
        let blocked = StoreFixture(folder: other.path + "/identities")
        let store = try blocked.open()
        #expect(store.fault != nil)
        try expectFresh(store)
        #expect(try store.lookup(terms: StoreFixture.terms("site7.example")) == [StoreFixture.identity(7)])
        store.deleteFile()
        #expect(try blocked.open().state.count == 0, "each opening makes a store of its own")
        #expect(try fixture.open().fault == nil)
    }

    @Test func discardsAnotherMachine() throws {
        var other = fixture
        other.machine = [3]
        try expectFresh(try other.open())
    }

    @Test func discardsAnotherGeneration() throws {
        var other = fixture
        other.generation[15] ^= 1
        try expectFresh(try other.open())
    }

    @Test func generationAndMachineDoNotRunTogether() throws {
        var other = fixture
        other.machine = [2] + fixture.machine
        other.generation.removeLast()
        try expectFresh(try other.open())
    }

    @Test("S27: after the keys are dropped nothing opens") func discardsAnotherKey() throws {
        try expectFresh(try fixture.open(sealKey: .random()))
    }

    @Test("S27: another provider's file under this name opens nothing") func discardsAnotherProvidersFile() throws {
        var other = fixture
        other.provider = try #require(BundleIdentifier("org.example.other"))
        try writeFile(try readFile(fixture.path), to: other.path)
        try expectFresh(try other.open())
    }

    @Test func anotherIndexKeyFindsNothing() throws {
        let store = try fixture.open(indexKey: BlindIndexKey(.random(count: 32)))
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")).isEmpty)
    }

    @Test(arguments: [0, 1, 50, 100, 4096, 10_000]) func discardsATruncatedFile(size: Int) throws {
        let whole = try readFile(fixture.path)
        try writeFile(Array(whole.prefix(size)), to: fixture.path)
        try expectFresh(try fixture.open())
    }

    @Test func discardsWhatIsNoDatabase() throws {
        try writeFile(Array(repeating: 0x41, count: 10_000), to: fixture.path)
        try expectFresh(try fixture.open())
        let queue = try DatabaseQueue(path: fixture.folder + "/other.sqlite")
        try queue.write { try $0.execute(sql: "CREATE TABLE identities (x)") }
        try queue.close()
        IdentityStore.deleteFile(folder: fixture.folder, provider: fixture.provider)
        try writeFile(try readFile(fixture.folder + "/other.sqlite"), to: fixture.path)
        try expectFresh(try fixture.open())
    }

    @Test(
        "S27: rows that change places are refused and the store is emptied",
        arguments: [
            "UPDATE identities SET sealed = (SELECT sealed FROM identities WHERE id = 1) WHERE id = 2",
            "UPDATE identities SET sealed = zeroblob(100) WHERE id = 2",
            "UPDATE identities SET sealed = x'' WHERE id = 2",
            "UPDATE identities SET id = 99 WHERE id = 2", "DROP TABLE index_terms", "DROP TABLE identities",
        ]
    )
    func discardsDamagedRows(statement: String) throws {
        let store = try fixture.open()
        try store.withDatabase { try $0.execute(sql: statement) }
        #expect {
            _ = try store.lookup(terms: StoreFixture.terms("site1.example"))
            _ = try store.all()
        } throws: {
            code($0) == .discarded
        }
        try expectFresh(store)
    }

    @Test func aRowUnderAForeignTermIsStillItself() throws {
        let store = try fixture.open()
        try store.withDatabase { try $0.execute(sql: "UPDATE index_terms SET row = 3 WHERE row = 2") }
        #expect(try store.lookup(terms: StoreFixture.terms("site1.example")) == [StoreFixture.identity(2)])
    }

    /// Copies of the database and its WAL in the middle of a transaction are what a power cut leaves.
    @Test func aTransactionCutOffInTheMiddleNeverHappened() throws {
        let store = try fixture.open()
        let otherFolder = TemporaryFolder()
        let other = fixture.moved(to: otherFolder.path)
        try store.withDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
            try db.inTransaction {
                for round in 0..<200 {
                    try db.execute(
                        sql: "INSERT INTO identities (id, key, sealed) VALUES (?, randomblob(16), zeroblob(2000))",
                        arguments: [1000 + round]
                    )
                }
                for suffix in ["", "-wal"] {
                    try writeFile(try readFile(fixture.path + suffix), to: other.path + suffix)
                }
                return .rollback
            }
        }
        #expect(try readFile(other.path + "-wal").count > 100_000, "half of it is in the WAL")
        let copy = try other.open()
        #expect(try copy.state == .init(supportsIncrementalUpdates: true, count: 20))
        #expect(try copy.all() == (0..<20).map { StoreFixture.identity($0) })
    }

    @Test func flippedBitsGiveTheTruthOrNothing() throws {
        let whole = try readFile(fixture.path)
        let truth = (0..<20).map { StoreFixture.identity($0) }
        var discarded = 0
        for offset in stride(from: 0, to: whole.count, by: 29) {
            IdentityStore.deleteFile(folder: fixture.folder, provider: fixture.provider)
            var damaged = whole
            damaged[offset] ^= 1 << (offset % 8)
            try writeFile(damaged, to: fixture.path)
            do {
                let store = try fixture.open()
                guard try store.state.supportsIncrementalUpdates else {
                    discarded += 1
                    continue
                }
                #expect(try store.all() == truth, "offset \(offset)")
                let found = try store.lookup(terms: StoreFixture.terms("site3.example"))
                #expect(found.allSatisfy { truth.contains($0) }, "offset \(offset)")
            } catch {
                #expect(code(error) == .discarded, "offset \(offset): \(error)")
                discarded += 1
            }
        }
        #expect(discarded > 20, "the check is alive")
    }
}
