// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultAuthenticatorTests {
    let fixture = VaultFixture()
    private let link = SecretBytes(utf8: "otpauth://totp/Shiny:rm?secret=GEZDGNBVGY3TQOJQ")

    private func add(_ vault: Vault, _ number: Int, with link: SecretBytes?) throws -> VaultItem {
        var item = VaultFixture.item(number)
        item.authenticator = link
        return try #require(try vault.add([item]).first)
    }

    @Test func anItemKeepsItsKeyThroughOtherChangesAndRemoval() throws {
        let vault = try fixture.open()
        let item = try add(vault, 1, with: link)
        #expect(item.hasAuthenticator)
        #expect(try vault.edit(item.id, ItemChanges(user: "other")).hasAuthenticator)
        try vault.remove(item.id)
        #expect(try vault.restore(item.id).hasAuthenticator)
        #expect(try vault.authenticator(of: item.id) == link)
        #expect(try vault.items() == [vault.item(item.id)])
    }

    @Test func aKeyIsReplacedAndTakenAway() throws {
        let vault = try fixture.open()
        let item = try add(vault, 1, with: link)
        let other = SecretBytes(utf8: "otpauth://totp/?secret=MFRGGZDF")
        try vault.edit(item.id, ItemChanges(authenticator: other))
        #expect(try vault.authenticator(of: item.id) == other)
        #expect(try !vault.edit(item.id, ItemChanges(authenticator: SecretBytes(utf8: ""))).hasAuthenticator)
        #expect(try vault.authenticator(of: item.id) == nil)
        #expect(try vault.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM authenticators") } == 0)
        try vault.verify()
    }

    @Test func aKeyGoesWithItsItem() throws {
        let vault = try fixture.open()
        let item = try add(vault, 1, with: link)
        try vault.remove(item.id)
        try fixture.use(days: 30)
        #expect(try vault.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM authenticators") } == 0)
        try vault.verify()
    }

    @Test func refusesAKeyBeyondTheLimitWhole() throws {
        let vault = try fixture.open()
        let long = SecretBytes(utf8: String(repeating: "x", count: 4097))
        #expect { try add(vault, 1, with: long) } throws: { code($0) == .invalidItem }
        let item = try add(vault, 1, with: link)
        #expect { try vault.edit(item.id, ItemChanges(user: "x", authenticator: long)) } throws: {
            code($0) == .invalidItem
        }
        #expect(try vault.item(item.id) == item)
    }

    @Test func theKeyIsNowhereInTheFile() throws {
        let vault = try fixture.open()
        _ = try add(vault, 1, with: link)
        vault.close()
        let bytes = try readFile(fixture.folder.vaultPath)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("GEZDGNBVGY3TQOJQ"))
    }

    @Test(arguments: [
        "DELETE FROM authenticators", "DELETE FROM authenticators WHERE item = (SELECT min(item) FROM authenticators)",
        "INSERT INTO authenticators SELECT 'copy', link FROM authenticators LIMIT 1",
        "UPDATE authenticators SET item = 'x' || item", "UPDATE authenticators SET link = x''",
        "UPDATE authenticators SET link = zeroblob(64)", "DROP TABLE authenticators",
    ])
    func refusesKeysThatWentMissingOrCameUp(statement: String) throws {
        let vault = try fixture.open()
        for number in 0..<3 { _ = try add(vault, number, with: link) }
        try vault.queue.write { try $0.execute(sql: statement) }
        #expect { try vault.items() } throws: { code($0) == .damaged }
        #expect { try vault.verify() } throws: { code($0) == .damaged }
    }

    @Test func anOlderKeyAndAKeyOfAnotherItemAreNoticed() throws {
        let vault = try fixture.open()
        let (one, other) = (try add(vault, 1, with: link), try add(vault, 2, with: SecretBytes(utf8: "otpauth://y")))
        let old = try vault.queue.read { try AuthenticatorTable.sealed($0, of: one.id) ?? [] }
        try vault.edit(one.id, ItemChanges(authenticator: SecretBytes(utf8: "otpauth://z")))
        let put = "UPDATE authenticators SET link = ? WHERE item = ?"
        try vault.queue.write { try $0.execute(sql: put, arguments: [Data(old), one.id]) }
        #expect { try vault.verify() } throws: { code($0) == .damaged }
        try vault.queue.write { try $0.execute(sql: put, arguments: [Data(old), other.id]) }
        #expect { try vault.authenticator(of: other.id) } throws: { code($0) == .damaged }
    }
}
