// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Crypto
import FoundationEssentials
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultMigrationTests {
    let fixture = VaultFixture()

    /// Version 1 as it was, written out: the statements must never follow the library's.
    private func makeVersion1(items: [VaultItem]) throws {
        let keys = try #require(VaultKeys(container: fixture.key))
        let queue = try DatabaseQueue(path: fixture.folder.vaultPath)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1');
                    CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
                    CREATE TABLE items (
                        id TEXT NOT NULL PRIMARY KEY, meta BLOB NOT NULL, password BLOB NOT NULL, notes BLOB NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    PRAGMA application_id = 1280005716;
                    PRAGMA user_version = 1;
                    """
            )
            var check = RecordEncoder()
            check.append("latchkey-vault")
            check.append(Int64(1))
            let sealed = keys.seal.seal(check.finish(), associated: Array("latchkey-vault/1 meta check".utf8))
            let value = Data(sealed) + Data(SHA256.hash(data: sealed).prefix(16))
            try db.execute(sql: "INSERT INTO meta VALUES ('check', ?)", arguments: [value])
            for item in items {
                let place: (String) -> [UInt8] = { Array("latchkey-vault/1 item \($0) \(item.id)".utf8) }
                let columns = [
                    keys.seal.seal(Self.oldMeta(item), associated: place("meta")),
                    keys.seal.seal(
                        ItemRow.encode(secret: SecretBytes(utf8: "old \(item.user)")),
                        associated: place("password")
                    ),
                    keys.seal.seal(ItemRow.encode(text: "notes \(item.user)"), associated: place("notes")),
                ].map { Data($0) }
                try db.execute(
                    sql: "INSERT INTO items VALUES (?, ?, ?, ?)",
                    arguments: [item.id, columns[0], columns[1], columns[2]]
                )
            }
        }
        try queue.close()
    }

    /// What `meta` held before version 3.
    private static func oldMeta(_ item: VaultItem) -> SecretBytes {
        var record = RecordEncoder()
        record.append(Int64(item.services.count))
        for service in item.services { record.append(service) }
        record.append(item.user)
        for date in [item.created, item.modified] { record.append(Int64(date.timeIntervalSince1970 * 1000)) }
        record.append(Int64(item.removed == nil ? 0 : 1))
        record.append(item.removed.map { Int64($0.timeIntervalSince1970 * 1000) } ?? 0)
        return record.finish()
    }

    /// Version 2, made of version 1 by the step that made it.
    private func makeVersion2(items: [VaultItem]) throws -> DatabaseQueue {
        try makeVersion1(items: items)
        let keys = try #require(VaultKeys(container: fixture.key))
        let queue = try DatabaseQueue(path: fixture.folder.vaultPath, configuration: VaultFile.configuration)
        try VaultSchema(keys: keys).migrator.migrate(queue, upTo: "2")
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 2)
        return queue
    }

    private func items() -> [VaultItem] {
        let date = ItemRow.truncated(fixture.clock.now())
        return (0..<5).map { number in
            VaultItem(
                id: ItemIdentifier.random(),
                services: ["s\(number).test"],
                user: "u\(number)",
                isStrict: false,
                created: date,
                modified: date,
                removed: number == 4 ? date : nil
            )
        }
    }

    @Test func version1BecomesTheCurrentOne() throws {
        let items = items()
        try makeVersion1(items: items)
        let vault = try fixture.open()
        #expect(try Set(vault.items(includingRemoved: true)) == Set(items))
        for item in items {
            #expect(try vault.password(of: item.id) == SecretBytes(utf8: "old \(item.user)"))
            #expect(try vault.notes(of: item.id) == "notes \(item.user)")
            #expect(try vault.history(of: item.id).isEmpty)
        }
        let announced = try vault.pendingIdentityChanges().map(\.change)
        #expect(Set(announced) == Set(items.dropLast().map { .save(itemID: $0.id) }))
        try vault.verify()
        try vault.edit(items[0].id, ItemChanges(password: SecretBytes(utf8: "new")))
        vault.close()

        let reopened = try fixture.open()
        #expect(try reopened.history(of: items[0].id).map(\.password) == [SecretBytes(utf8: "old u0")])
        #expect(try reopened.pendingIdentityChanges().count == 5)
    }

    @Test func noItemOfVersion2IsStrictUntilItIsMadeSo() throws {
        let items = items()
        try makeVersion2(items: items).close()
        let vault = try fixture.open()
        #expect(try Set(vault.items(includingRemoved: true)) == Set(items))
        try vault.verify()
        // What the items say has not changed: nothing is announced again but what version 2 announced.
        #expect(try vault.pendingIdentityChanges().count == 4)
        try vault.edit(items[0].id, ItemChanges(isStrict: true))
        try vault.edit(items[0].id, ItemChanges(user: "other"))
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.item(items[0].id).isStrict)
        #expect(try !reopened.item(items[1].id).isStrict)
        try reopened.verify()
    }

    @Test func itemsOfVersion3HaveNoAuthenticatorUntilTheyAreGivenOne() throws {
        let items = items()
        let queue = try makeVersion2(items: items)
        let keys = try #require(VaultKeys(container: fixture.key))
        try VaultSchema(keys: keys).migrator.migrate(queue, upTo: "3")
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
        try queue.close()
        let vault = try fixture.open()
        #expect(try Set(vault.items(includingRemoved: true)) == Set(items))
        try vault.verify()
        let link = SecretBytes(utf8: "otpauth://totp/x?secret=ABCD")
        #expect(try vault.edit(items[0].id, ItemChanges(authenticator: link)).hasAuthenticator)
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.authenticator(of: items[0].id) == link)
        #expect(try reopened.authenticator(of: items[1].id) == nil)
        #expect(try reopened.items().filter(\.hasAuthenticator).map(\.id) == [items[0].id])
        try reopened.verify()
    }

    /// Version 4, made of version 2 by the steps that made it, with an authenticator.
    private func makeVersion4(items: [VaultItem], link: SecretBytes) throws -> DatabaseQueue {
        let queue = try makeVersion2(items: items)
        let keys = try #require(VaultKeys(container: fixture.key))
        try VaultSchema(keys: keys).migrator.migrate(queue, upTo: "4")
        try queue.write { db in
            var manifest: VaultManifest? = try VaultManifest.read(db, keys: keys)
            try AuthenticatorTable.replace(db, link: link, of: items[1].id, keys: keys, manifest: &manifest)
            try manifest?.write(db, keys: keys)
        }
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 4)
        return queue
    }

    @Test func itemsOfVersion4HaveNoLabelsUntilTheyAreGivenSome() throws {
        let items = items()
        let link = SecretBytes(utf8: "otpauth://totp/x?secret=ABCD")
        try makeVersion4(items: items, link: link).close()
        let vault = try fixture.open()
        #expect(try vault.items(includingRemoved: true).allSatisfy { !$0.isFavorite && $0.tags.isEmpty })
        #expect(try vault.authenticator(of: items[1].id) == link)
        #expect(try vault.pendingIdentityChanges().count == 4)
        try vault.verify()
        #expect(try vault.edit(items[0].id, ItemChanges(isFavorite: true, tags: ["Work", "Zürich"])).isFavorite)
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.item(items[0].id).tags == ["Work", "Zürich"])
        #expect(try reopened.items().filter(\.isFavorite).map(\.id) == [items[0].id])
        try reopened.verify()
    }

    /// Version 5, made of version 4 by the step that made it.
    private func makeVersion5(items: [VaultItem]) throws {
        let queue = try makeVersion4(items: items, link: SecretBytes(utf8: "otpauth://totp/x?secret=ABCD"))
        let keys = try #require(VaultKeys(container: fixture.key))
        try VaultSchema(keys: keys).migrator.migrate(queue, upTo: "5")
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 5)
        try queue.close()
    }

    @Test func itemsOfVersion5HaveAPasswordAndNoTitleUntilTheyAreGivenOne() throws {
        let items = items()
        try makeVersion5(items: items)
        let vault = try fixture.open()
        #expect(try vault.items(includingRemoved: true).allSatisfy { $0.title.isEmpty && $0.hasPassword })
        #expect(try vault.pendingIdentityChanges().count == 4)
        try vault.verify()
        #expect(try vault.edit(items[0].id, ItemChanges(title: "The shop")).title == "The shop")
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.item(items[0].id).title == "The shop")
        try reopened.verify()
    }

    /// A user who goes back to the earlier Latchkey finds the vault as that one has left it, for 30 days.
    @Test func theVaultOfAnEarlierVersionStaysForAWhile() throws {
        let items = items()
        try makeVersion5(items: items)
        let kept = VaultFile.kept(fixture.folder.vaultPath, version: 5)
        let vault = try fixture.open()
        try vault.remove(items[0].id)
        vault.close()
        let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let queue = try DatabaseQueue(path: kept)
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 5)
        try queue.close()
        // It is a whole vault: put in the place of the later one, it opens with everything.
        try FileManager.default.removeItem(atPath: fixture.folder.vaultPath)
        try FileManager.default.copyItem(atPath: kept, toPath: fixture.folder.vaultPath)
        let again = try fixture.open()
        #expect(try again.items().count == 4)
        again.close()

        func open(afterDays days: Double) throws {
            let date = fixture.clock.now().addingTimeInterval(-days * 86_400)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: kept)
            try fixture.open().close()
        }
        try open(afterDays: 29)
        #expect(FileManager.default.fileExists(atPath: kept))
        try open(afterDays: 31)
        #expect(!FileManager.default.fileExists(atPath: kept))
    }

    @Test(arguments: ["items WHERE id", "authenticators WHERE item"])
    func version4WithoutOneOfItsRowsStaysAsItIs(table: String) throws {
        let items = items()
        let queue = try makeVersion4(items: items, link: SecretBytes(utf8: "otpauth://totp/x?secret=ABCD"))
        try queue.write { try $0.execute(sql: "DELETE FROM \(table) = ?", arguments: [items[1].id]) }
        try queue.close()
        let before = try readFile(fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .damaged }
        #expect(try readFile(fixture.folder.vaultPath) == before)
    }

    @Test func version2WithoutOneOfItsRowsStaysAsItIs() throws {
        let items = items()
        let queue = try makeVersion2(items: items)
        try queue.write { try $0.execute(sql: "DELETE FROM items WHERE id = ?", arguments: [items[2].id]) }
        try queue.close()
        let before = try readFile(fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .damaged }
        #expect(try readFile(fixture.folder.vaultPath) == before)
    }

    @Test func aDamagedVersion1StaysAsItIs() throws {
        try makeVersion1(items: items())
        let queue = try DatabaseQueue(path: fixture.folder.vaultPath)
        try queue.write { db in
            try db.execute(sql: "UPDATE items SET meta = zeroblob(128) WHERE id = (SELECT max(id) FROM items)")
        }
        try queue.close()
        let before = try readFile(fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .damaged }
        #expect(try readFile(fixture.folder.vaultPath) == before)
    }

    @Test func version1UnderAnotherKeyStaysAsItIs() throws {
        try makeVersion1(items: items())
        let before = try readFile(fixture.folder.vaultPath)
        #expect { try Vault(folder: fixture.folder.path, key: .random(count: 32)) } throws: { code($0) == .wrongKey }
        #expect(try readFile(fixture.folder.vaultPath) == before)
    }

    @Test(arguments: [7, 8, 1000, Int32.max, -1]) func refusesANewerVersionAndLeavesItUntouched(version: Int32) throws {
        let vault = try fixture.open()
        try vault.add([VaultFixture.item(1)])
        try vault.queue.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        vault.close()
        let before = try readFile(fixture.folder.vaultPath)
        #expect { try fixture.open() } throws: { code($0) == .tooNew }
        #expect(try readFile(fixture.folder.vaultPath) == before)
        #expect(try fixture.folder.names == TemporaryFolder.ofAVault)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5]) func refusesAVersionThatIsNotTheSealedOne(version: Int) throws {
        let vault = try fixture.open()
        try vault.queue.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
        vault.close()
        #expect { try fixture.open() } throws: { code($0) == .damaged }
    }
}
