// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultHiddenTests {
    let fixture = VaultFixture()

    private func add(_ vault: Vault) throws -> String {
        try #require(
            try vault.add([NewItem(services: ["a.example"], user: "u", password: SecretBytes(utf8: "p"))]).first
        ).id
    }

    @Test func remembersWhatIsHidden() throws {
        let vault = try fixture.open()
        let id = try add(vault)
        #expect(try vault.hidden().isEmpty)
        try vault.hide(["weak", "reused"], of: id)
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.hidden() == [id: ["weak", "reused"]])
        try reopened.hide([], of: id)
        #expect(try reopened.hidden().isEmpty)
        try reopened.verify()
    }

    @Test func refusesAnItemThatIsNotThere() throws {
        let vault = try fixture.open()
        #expect(throws: VaultError.self) { try vault.hide(["weak"], of: "none") }
        #expect(try vault.hidden().isEmpty)
    }

    @Test func forgetsItemsThatAreGone() throws {
        let vault = try fixture.open()
        let (gone, kept) = (try add(vault), try add(vault))
        try vault.hide(["weak"], of: gone)
        try vault.remove(gone)
        try fixture.use(days: 30)
        try vault.hide(["weak"], of: kept)
        #expect(try vault.hidden() == [kept: ["weak"]])
    }

    @Test func isSealed() throws {
        let vault = try fixture.open()
        try vault.hide(["a word to look for"], of: add(vault))
        let stored = try vault.queue.read { try MetaTable.read($0, "hidden") }
        let bytes = try #require(stored)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("a word"))
        try vault.queue.write { try MetaTable.write($0, "hidden", bytes.map { $0 ^ 1 }) }
        #expect(throws: VaultError.self) { try vault.hidden() }
    }
}
