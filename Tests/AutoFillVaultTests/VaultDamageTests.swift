// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import GRDB
import SQLiteFiles
import Testing

@testable import AutoFillVault

@Suite struct VaultDamageTests {
    let fixture = VaultFixture()

    /// The first member is the column; whole rows and single columns must not move between items.
    @Test(arguments: ["meta", "password", "notes", "history"]) func refusesColumnsSwappedBetweenItems(column: String)
        throws
    {
        let vault = try fixture.open()
        let ids = try vault.add([VaultFixture.item(1), VaultFixture.item(2)]).map(\.id)
        try vault.queue.write { db in
            try db.execute(
                sql: "UPDATE items SET \(column) = (SELECT \(column) FROM items WHERE id = ?) WHERE id = ?",
                arguments: [ids[0], ids[1]]
            )
        }
        #expect { try vault.verify() } throws: { code($0) == .damaged }
        let damage = try vault.salvage()
        #expect(damage.items.map(\.id) == [ids[0]])
        #expect(damage.damage.contains { $0.row == ids[1] && $0.file == vault.path })
    }

    /// Those that are damaged, or not there, are no reason to keep the others back; none is given another one's.
    @Test func severalPasswordsAreThoseThatOpen() throws {
        let vault = try fixture.open()
        let ids = try vault.add((0..<4).map { VaultFixture.item($0) }).map(\.id)
        try vault.queue.write { db in
            try db.execute(
                sql: "UPDATE items SET password = (SELECT password FROM items WHERE id = ?) WHERE id = ?",
                arguments: [ids[0], ids[1]])
        }
        let passwords = try vault.passwords(of: ids.prefix(3) + ["nobody", ids[2]])
        #expect(Set(passwords.keys) == [ids[0], ids[2]])
        #expect(passwords[ids[0]] == SecretBytes(utf8: "password-0"))
        #expect(passwords[ids[2]] == SecretBytes(utf8: "password-2"))
        #expect(try vault.passwords(of: []).isEmpty)
        vault.close()
        #expect(throws: VaultError.self) { try vault.passwords(of: ids) }
    }

    @Test func refusesAPasswordMovedIntoTheNotes() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        try vault.queue.write { try $0.execute(sql: "UPDATE items SET notes = password") }
        #expect { try vault.notes(of: id) } throws: { code($0) == .damaged }
        #expect(try vault.password(of: id) == SecretBytes(utf8: "password-1"))
    }

    @Test(arguments: [
        "DELETE FROM items WHERE rowid_free = 1", "DELETE FROM items", "UPDATE items SET id = 'x' || id",
        "INSERT INTO items SELECT 'copy', meta, password, notes, history FROM items LIMIT 1",
        "DELETE FROM items WHERE id = (SELECT min(id) FROM items)", "UPDATE items SET meta = x''",
        "UPDATE items SET meta = zeroblob(64)", "DELETE FROM meta WHERE name = 'manifest'",
        "UPDATE meta SET value = x'01' WHERE name = 'manifest'", "DROP TABLE items", "DROP TABLE meta",
    ])
    func refusesRowsThatWentMissingOrCameUp(statement: String) throws {
        let vault = try fixture.open()
        try vault.add((0..<5).map { VaultFixture.item($0) })
        try vault.queue.write { db in
            try db.execute(sql: statement.replacing("rowid_free = 1", with: "id > (SELECT min(id) FROM items)"))
        }
        #expect { try vault.items() } throws: { code($0) == .damaged }
        #expect { try vault.verify() } throws: { code($0) == .damaged }
    }

    @Test func anOlderStateOfARowIsNoticed() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        let old = try vault.queue.read { try Row.fetchOne($0, sql: "SELECT meta FROM items")?.bytes(at: 0) ?? [] }
        try vault.edit(id, ItemChanges(user: "new"))
        try vault.queue.write { try $0.execute(sql: "UPDATE items SET meta = ?", arguments: [Data(old)]) }
        #expect { try vault.items() } throws: { code($0) == .damaged }
    }

    @Test(arguments: [0, 1, 99, 100, 512, 4095, 4096, 5000]) func refusesATruncatedFile(size: Int) throws {
        let vault = try fixture.open()
        try vault.add((0..<20).map { VaultFixture.item($0) })
        vault.close()
        let whole = try readFile(fixture.folder.vaultPath)
        try writeFile(Array(whole.prefix(size)), to: fixture.folder.vaultPath)
        #expect { try fixture.open().verify() } throws: { code($0) == .damaged }
        #expect(try readFile(fixture.folder.vaultPath).count == size, "left as it was found")
    }

    /// Damages one row, whose columns then open no more, or a page in the middle, behind which SQLite reads no further, or cuts the end off,
    /// where the last change was written.
    private func damage(_ how: String, _ ids: [String]) throws {
        if how == "row" {
            let vault = try fixture.open()
            try vault.queue.write {
                try $0.execute(sql: "UPDATE items SET meta = zeroblob(64) WHERE id = ?", arguments: [ids[0]])
            }
            return vault.close()
        }
        var bytes = try readFile(fixture.folder.vaultPath)
        if how == "page" {
            let middle = bytes.count / 8192 * 4096
            bytes.replaceSubrange(middle..<middle + 4096, with: repeatElement(0xFF, count: 4096))
        } else {
            bytes.removeLast(8192)
        }
        try writeFile(bytes, to: fixture.folder.vaultPath)
    }

    @Test(arguments: ["row", "page", "end"]) func whatCanBeReadIsKeptByARepair(how: String) throws {
        var vault = try fixture.open()
        let ids = try vault.add(
            (0..<40).map { VaultFixture.item($0, notes: String(repeating: "n", count: 300)) }
        ).map(\.id)
        var long = ItemChanges()
        long.notes = String(repeating: "n", count: 30_000)
        _ = try vault.edit(ids[39], long)
        vault.close()
        try damage(how, ids)
        let damaged = try readFile(fixture.folder.vaultPath)

        let rest = try Vault(salvaging: fixture.folder.path, key: fixture.key)
        let (readable, unreadable) = try rest.readableItems()
        let missing = try #require(unreadable)
        #expect((missing > 0) == (how != "end") && readable.count > 10 && readable.count + missing == 40)
        #expect(throws: VaultError.self) { try rest.add([VaultFixture.item(99)]) }
        rest.close()

        let repaired = try Vault.repair(folder: fixture.folder.path, key: fixture.key)
        #expect(repaired.kept + repaired.lost == 40 && repaired.kept > 10)
        #expect(try readFile(fixture.folder.vaultPath + ".damaged-1") == damaged)
        vault = try fixture.open()
        try vault.verify()
        let (kept, none) = try vault.readableItems()
        #expect(none == nil && kept.count == repaired.kept)
        for item in kept {
            let old = try #require(readable.first { $0.id == item.id })
            #expect(item == old && ids.contains(item.id))
            let notes = try vault.notes(of: item.id).utf8.count
            #expect(notes == (item.id == ids.last ? 30_000 : 300) || how == "end")
            #expect(try vault.password(of: item.id).count > 0)
        }
        #expect(try vault.pendingIdentityChanges().count == kept.count)
        vault.close()
        #expect(try Vault.repair(folder: fixture.folder.path, key: fixture.key) == .init(kept: kept.count, lost: 0))
        #expect(SetAside.files(in: fixture.folder.path).count == 1, "a whole vault is left alone")
    }

    @Test(arguments: [[], Array(repeating: UInt8(0), count: 8192)]) func aVaultOfNothingIsNotMadeAnew(bytes: [UInt8])
        throws
    {
        try fixture.open().add([VaultFixture.item(1)])
        try writeFile(bytes, to: fixture.folder.vaultPath)
        #expect { try Vault.repair(folder: fixture.folder.path, key: fixture.key) } throws: { code($0) == .damaged }
        #expect(try readFile(fixture.folder.vaultPath) == bytes && SetAside.files(in: fixture.folder.path).isEmpty)
    }

    @Test func aMissingVaultIsNotMadeAnewInSilence() throws {
        try fixture.open().add([VaultFixture.item(1)])
        let vault = try readFile(fixture.folder.vaultPath)
        try FileManager.default.removeItem(atPath: fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .damaged }
        #expect { try Vault(salvaging: fixture.folder.path, key: fixture.key) } throws: { _ in true }

        try writeFile(vault, to: fixture.folder.vaultPath)
        #expect(try fixture.open().items().count == 1, "put back, it is there again")
        try FileManager.default.removeItem(atPath: fixture.folder.vaultPath)
        #expect(try Vault.repair(folder: fixture.folder.path, key: fixture.key) == .init(kept: 0, lost: 0))
        #expect(try fixture.open().items().isEmpty)
    }

    @Test func refusesSomebodyElsesDatabase() throws {
        let queue = try DatabaseQueue(path: fixture.folder.vaultPath)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (x); PRAGMA user_version = 2") }
        try queue.close()
        #expect { try fixture.open() } throws: { code($0) == .damaged }
        try writeFile(Array(repeating: 0x41, count: 10_000), to: fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .damaged }
    }

    /// A copy taken in the middle of a transaction, when SQLite has written half of it to the file already, is what a
    /// power cut leaves: the journal beside it brings the state before back.
    @Test func aTransactionCutOffInTheMiddleNeverHappened() throws {
        let vault = try fixture.open()
        let added = try vault.add((0..<40).map { VaultFixture.item($0, notes: String(repeating: "n", count: 3000)) })
        let journal = vault.path + "-journal"
        var copies: [String: [UInt8]] = [:]
        try vault.queue.inTransaction { db in
            try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
            try db.execute(sql: "UPDATE items SET notes = zeroblob(5000), meta = zeroblob(64)")
            try db.execute(sql: "PRAGMA cache_size = 1")
            copies = ["": try readFile(vault.path), "-journal": try readFile(journal)]
            return .rollback
        }
        let other = TemporaryFolder()
        for (suffix, bytes) in copies { try writeFile(bytes, to: other.vaultPath + suffix) }
        #expect(try readFile(other.vaultPath) != readFile(vault.path), "the copy has the half-written state")
        let copy = try Vault(folder: other.path, key: fixture.key, now: fixture.clock.now)
        try copy.verify()
        #expect(try copy.items().map(\.id).sorted() == added.map(\.id).sorted())
    }

    @Test func aLeftOverOfAnInterruptedCreationIsIgnored() throws {
        try writeFile([1, 2, 3], to: AtomicFile.temporaryName(in: fixture.folder.path))
        try fixture.open().add([VaultFixture.item(1)])
        #expect(try fixture.open().items().count == 1)
    }
}
