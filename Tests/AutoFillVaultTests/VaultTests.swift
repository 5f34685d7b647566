// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultTests {
    let fixture = VaultFixture()

    @Test func keepsWhatWasAdded() throws {
        let vault = try fixture.open()
        let added = try vault.add([VaultFixture.item(1, notes: "two\nlines"), VaultFixture.item(2)])
        vault.close()

        let reopened = try fixture.open()
        #expect(try reopened.items().map(\.id).sorted() == added.map(\.id).sorted())
        #expect(try reopened.item(added[0].id) == added[0])
        #expect(try reopened.password(of: added[0].id) == SecretBytes(utf8: "password-1"))
        #expect(try reopened.notes(of: added[0].id) == "two\nlines")
        #expect(try reopened.history(of: added[0].id).isEmpty)
        try reopened.verify()
    }

    @Test func identifiersAreRandomAndOfOneShape() {
        let identifiers = Set((0..<500).map { _ in ItemIdentifier.random() })
        #expect(identifiers.count == 500)
        #expect(identifiers.allSatisfy { $0.utf8.count == 26 && $0.allSatisfy { $0.isLowercase || $0.isNumber } })
    }

    @Test func searchesServicesAndUsersInEitherCase() throws {
        let vault = try fixture.open()
        try vault.add([
            NewItem(services: ["shiny.example.com"], user: "Anna", password: SecretBytes(utf8: "x")),
            NewItem(services: ["a.test", "GRÜN.test"], user: "bob", password: SecretBytes(utf8: "shiny")),
        ])
        #expect(try vault.items(search: "SHINY").map(\.user) == ["Anna"])
        #expect(try vault.items(search: "anna").map(\.user) == ["Anna"])
        #expect(try vault.items(search: "grün").map(\.user) == ["bob"])
        #expect(try vault.items(search: "").count == 2)
        #expect(try vault.items(search: "nothing").isEmpty)
    }

    @Test func keepsLabelsWithoutCallingThatAChange() throws {
        let vault = try fixture.open()
        let labelled = NewItem(
            services: ["a.test"], user: "a", password: SecretBytes(utf8: "x"), isFavorite: true,
            tags: ["Work", "Zürich"])
        let added = try #require(try vault.add([labelled]).first)
        #expect(added.isFavorite && added.tags == ["Work", "Zürich"])
        let announced = try vault.pendingIdentityChanges().count
        fixture.clock.advance(days: 1)
        let edited = try vault.edit(added.id, ItemChanges(isFavorite: false, tags: ["Home"]))
        #expect(edited.modified == added.modified && edited.tags == ["Home"] && !edited.isFavorite)
        #expect(try vault.pendingIdentityChanges().count == announced)
        let renamed = try vault.edit(added.id, ItemChanges(user: "b"))
        #expect(renamed.modified > added.modified && renamed.tags == ["Home"])
        try vault.remove(added.id)
        #expect(try vault.restore(added.id).tags == ["Home"])
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.item(added.id).tags == ["Home"])
        try reopened.verify()
    }

    @Test(arguments: [
        [""], ["a,b"], [" a"], ["a "], ["a\nb"], ["a\0"], ["Work", "work"], [String(repeating: "x", count: 129)],
        (0..<33).map { "tag \($0)" },
    ])
    func refusesTagsThatCannotBeListed(tags: [String]) throws {
        let vault = try fixture.open()
        let item = try #require(try vault.add([VaultFixture.item(1)]).first)
        #expect { try vault.edit(item.id, ItemChanges(tags: tags)) } throws: { code($0) == .invalidItem }
        let new = NewItem(services: ["a.test"], user: "a", password: SecretBytes(utf8: "x"), tags: tags)
        #expect { try vault.add([new]) } throws: { code($0) == .invalidItem }
        #expect(try vault.items().map(\.tags) == [[]])
    }

    @Test func whatIsForNoSiteHasATitleAndPerhapsAPassword() throws {
        let vault = try fixture.open()
        let note = NewItem(services: [], user: "", password: SecretBytes(count: 0), notes: "1234", title: "Door")
        let network = NewItem(services: [], user: "me", password: SecretBytes(utf8: "pw"), title: "Wi-Fi")
        let added = try vault.add([note, network])
        #expect(added.map(\.hasPassword) == [false, true] && added.map(\.title) == ["Door", "Wi-Fi"])
        #expect(try vault.items(search: "wi-f").map(\.id) == [added[1].id])
        #expect(try vault.notes(of: added[0].id) == "1234")
        // A note that is given a password has had none before.
        #expect(try vault.edit(added[0].id, ItemChanges(password: SecretBytes(utf8: "new"))).hasPassword)
        #expect(try vault.history(of: added[0].id).isEmpty)
        #expect(try !vault.edit(added[0].id, ItemChanges(password: SecretBytes(count: 0))).hasPassword)
        #expect(try vault.history(of: added[0].id).map(\.password) == [SecretBytes(utf8: "new")])
        try vault.verify()
    }

    @Test func anItemHasASiteOrATitleAndASiteHasAPassword() throws {
        let vault = try fixture.open()
        let password = SecretBytes(utf8: "pw")
        for bad in [
            NewItem(services: [], user: "me", password: password),
            NewItem(services: ["a.test"], user: "me", password: SecretBytes(count: 0), title: "A"),
            NewItem(services: ["a.test"], user: "me", password: password, title: "a\nb"),
            NewItem(services: ["a.test"], user: "me", password: password, title: String(repeating: "t", count: 1025)),
        ] {
            #expect { try vault.add([bad]) } throws: { code($0) == .invalidItem }
        }
        let item = try #require(try vault.add([VaultFixture.item(1)]).first)
        for change in [ItemChanges(services: []), ItemChanges(password: SecretBytes(count: 0))] {
            #expect { try vault.edit(item.id, change) } throws: { code($0) == .invalidItem }
        }
        #expect(try vault.edit(item.id, ItemChanges(services: [], title: "Once a site")).services.isEmpty)
        #expect { try vault.edit(item.id, ItemChanges(title: "")) } throws: { code($0) == .invalidItem }
        #expect {
            try vault.edit(item.id, ItemChanges(services: ["b.test"], password: SecretBytes(count: 0)))
        } throws: {
            code($0) == .invalidItem
        }
    }

    @Test func aPasswordFromElsewhereGoesIntoTheHistoryOnce() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        let past = SecretBytes(utf8: "from elsewhere")
        for _ in 0..<2 { try vault.edit(id, ItemChanges(pastPassword: past)) }
        // The one that it has is not a past one.
        try vault.edit(id, ItemChanges(pastPassword: SecretBytes(utf8: "password-1")))
        #expect(try vault.history(of: id).map(\.password) == [past])
        #expect(try vault.password(of: id) == SecretBytes(utf8: "password-1"))
        #expect { try vault.edit(id, ItemChanges(pastPassword: .random(count: 4097))) } throws: {
            code($0) == .invalidItem
        }
        try vault.verify()
    }

    @Test func aTitleAloneLeavesTheDateOfTheLastChange() throws {
        let vault = try fixture.open()
        let item = try #require(try vault.add([VaultFixture.item(1)]).first)
        let last = try vault.pendingIdentityChanges().last?.sequence
        fixture.clock.advance(days: 1)
        #expect(try vault.edit(item.id, ItemChanges(title: "The shop")).modified == item.modified)
        #expect(try vault.pendingIdentityChanges().last?.sequence == last)
    }

    @Test func keepsOldPasswords() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(0)]).first?.id)
        for number in 1...25 {
            fixture.clock.advance(days: 1)
            try vault.edit(id, ItemChanges(password: SecretBytes(utf8: "password-\(number)")))
        }
        let history = try vault.history(of: id)
        #expect(history.map(\.password) == (5..<25).map { SecretBytes(utf8: "password-\($0)") })
        #expect(history.map(\.date) == history.map(\.date).sorted())
        #expect(try vault.password(of: id) == SecretBytes(utf8: "password-25"))
    }

    @Test func theSamePasswordMakesNoHistory() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        try vault.edit(id, ItemChanges(user: "other", password: SecretBytes(utf8: "password-1"), notes: "n"))
        #expect(try vault.history(of: id).isEmpty)
        #expect(try vault.item(id).user == "other")
        #expect(try vault.item(id).services == ["site1.example.com"])
        #expect(try vault.notes(of: id) == "n")
    }

    @Test func aRemovedItemCanBeRestoredForThirtyDays() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        try vault.remove(id)
        #expect(try vault.items().isEmpty)
        #expect(try vault.items(includingRemoved: true).map(\.id) == [id])
        vault.close()
        try fixture.use(days: 25)

        let later = try fixture.open()
        #expect(try later.restore(id).removed == nil)
        #expect(try later.password(of: id) == SecretBytes(utf8: "password-1"))
        try later.remove(id)
        later.close()
        try fixture.use(days: 25)
        #expect(try fixture.open().password(of: id) == SecretBytes(utf8: "password-1"))
        try fixture.use(days: 5)

        let last = try fixture.open()
        #expect { try last.item(id) } throws: { code($0) == .notFound }
        try last.verify()
    }

    @Test(arguments: [3_650.0, -365]) func aClockThatIsWrongOnceDeletesNothing(days: Double) throws {
        let vault = try fixture.open()
        let ids = try vault.add([VaultFixture.item(1), VaultFixture.item(2)]).map(\.id)
        try vault.remove(ids[0])
        vault.close()
        fixture.clock.advance(days: days)
        let wrong = try fixture.open()
        try wrong.remove(ids[1])
        wrong.close()
        fixture.clock.advance(days: 1 - days)
        let right = try fixture.open()
        #expect(try Set(right.items(includingRemoved: true).map(\.id)) == Set(ids))
        right.close()
        // What was removed under the wrong date goes in its time all the same.
        try fixture.use(days: 40)
        #expect(try fixture.open().items(includingRemoved: true).isEmpty)
    }

    @Test func opensWhereNothingCanBePurgedNow() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        try vault.remove(id)
        vault.close()
        fixture.clock.advance(days: 2)
        let lock = try DatabaseQueue(path: fixture.folder.vaultPath)
        try lock.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            #expect(try fixture.open().item(id).id == id)
            try db.execute(sql: "ROLLBACK")
        }
    }

    @Test func refusesWhatIsNotThereOrInTheWrongState() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        let missing = ItemIdentifier.random()
        for wrong in [missing, "", "' OR 1=1 --", "\0", id.uppercased()] {
            #expect { try vault.item(wrong) } throws: { code($0) == .notFound }
            #expect { try vault.password(of: wrong) } throws: { code($0) == .notFound }
            #expect { try vault.notes(of: wrong) } throws: { code($0) == .notFound }
            #expect { try vault.history(of: wrong) } throws: { code($0) == .notFound }
            #expect { try vault.edit(wrong, ItemChanges()) } throws: { code($0) == .notFound }
            #expect { try vault.remove(wrong) } throws: { code($0) == .notFound }
            #expect { try vault.restore(wrong) } throws: { code($0) == .notFound }
        }
        #expect { try vault.restore(id) } throws: { code($0) == .notFound }
        try vault.remove(id)
        #expect { try vault.remove(id) } throws: { code($0) == .notFound }
        #expect { try vault.edit(id, ItemChanges(user: "x")) } throws: { code($0) == .notFound }
    }

    @Test(arguments: [
        VaultFixture.item(1, services: [""]), VaultFixture.item(1, services: ["a\nb"]),
        VaultFixture.item(1, services: ["a\0b"]), VaultFixture.item(1, services: ["a\u{7F}"]),
        VaultFixture.item(1, services: [String(repeating: "s", count: 2049)]),
        VaultFixture.item(1, services: Array(repeating: "s", count: 65)),
        VaultFixture.item(1, password: String(repeating: "p", count: 4097)),
        VaultFixture.item(1, notes: String(repeating: "n", count: 64 * 1024 + 1)),
        NewItem(services: [], user: String(repeating: "u", count: 1025), password: SecretBytes(count: 1)),
        NewItem(services: [], user: "a\r", password: SecretBytes(count: 1)),
    ])
    func refusesAnItemBeyondTheLimitsAndItsWholeBatch(bad: NewItem) throws {
        let vault = try fixture.open()
        #expect { try vault.add([VaultFixture.item(1), bad]) } throws: { code($0) == .invalidItem }
        #expect(try vault.items().isEmpty)
        #expect(try vault.pendingIdentityChanges().isEmpty)
        let id = try #require(try vault.add([VaultFixture.item(2)]).first?.id)
        let changes = ItemChanges(services: bad.services, user: bad.user, password: bad.password, notes: bad.notes)
        #expect { try vault.edit(id, changes) } throws: { code($0) == .invalidItem }
        #expect(try vault.item(id).user == "user2@example.com")
    }

    @Test func acceptsAnItemAtTheLimits() throws {
        let vault = try fixture.open()
        let item = NewItem(
            services: Array(repeating: String(repeating: "s", count: 2048), count: 64),
            user: String(repeating: "u", count: 1024),
            password: SecretBytes.random(count: 4096),
            notes: String(repeating: "n", count: 64 * 1024)
        )
        let id = try #require(try vault.add([item]).first?.id)
        #expect(try vault.password(of: id) == item.password)
        #expect(try vault.notes(of: id) == item.notes)
        #expect(try vault.item(id).services == item.services)
    }

    @Test func refusesAnotherKey() throws {
        try fixture.open().add([VaultFixture.item(1)])
        let before = try readFile(fixture.folder.vaultPath)
        #expect {
            try Vault(folder: fixture.folder.path, key: .random(count: 32), now: fixture.clock.now)
        } throws: {
            code($0) == .wrongKey
        }
        #expect { try Vault(folder: fixture.folder.path, key: .random(count: 31)) } throws: { code($0) == .wrongKey }
        #expect(try readFile(fixture.folder.vaultPath) == before)
    }

    @Test func onlyTheUserCanReadTheFile() throws {
        let vault = try fixture.open()
        try vault.add([VaultFixture.item(1)])
        #expect(mode(of: vault.path) == 0o600)
        #expect(try fixture.folder.names == TemporaryFolder.ofAVault)
        let nested = try Vault(folder: fixture.folder.path + "/a/b", key: fixture.key, now: fixture.clock.now)
        #expect(mode(of: fixture.folder.path + "/a/b") == 0o700)
        #expect(mode(of: nested.path) == 0o600)
    }

    @Test func nothingOfAnItemIsReadableInTheFile() throws {
        let vault = try fixture.open()
        let added = try vault.add((0..<50).map { VaultFixture.item($0, notes: "canary notes \($0)") })
        for item in added.prefix(10) { try vault.edit(item.id, ItemChanges(password: SecretBytes(utf8: "canary-new"))) }
        for item in added.prefix(5) { try vault.remove(item.id) }
        let text = String(decoding: try readFile(vault.path), as: UTF8.self)
        for canary in ["example.com", "user1", "password-", "canary", "site1"] {
            let isFound = text.contains(canary)
            #expect(!isFound, "\(canary)")
        }
    }

    @Test func aFullDiskLeavesTheVaultAsItWas() throws {
        let vault = try fixture.open()
        let id = try #require(try vault.add([VaultFixture.item(1)]).first?.id)
        try vault.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let large = (0..<200).map { VaultFixture.item($0, notes: String(repeating: "n", count: 2000)) }
        #expect { try vault.add(large) } throws: { code($0) == .diskFull }
        try vault.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        #expect(try vault.items().map(\.id) == [id])
        #expect(try vault.pendingIdentityChanges().count == 1)
        try vault.verify()
        try vault.add(large)
    }

    @Test func aVaultThatIsHeldIsBusy() throws {
        let holder = try fixture.open()
        let other = try fixture.open()
        try holder.queue.inTransaction(.exclusive) { _ in
            #expect { try other.items() } throws: { code($0) == .busy }
            return .commit
        }
        #expect(try other.items().isEmpty)
    }

    @Test func aClosedVaultGivesErrors() throws {
        let vault = try fixture.open()
        vault.close()
        #expect(throws: VaultError.self) { try vault.items() }
        #expect(throws: VaultError.self) { try vault.add([VaultFixture.item(1)]) }
    }

    @Test func aFolderThatCannotBeMadeIsAnError() {
        #expect { try Vault(folder: "/proc/latchkey", key: fixture.key) } throws: {
            code($0) == .file || code($0) == .damaged
        }
    }
}
