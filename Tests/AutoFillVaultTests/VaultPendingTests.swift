// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultPendingTests {
    let fixture = VaultFixture()

    private func new(_ password: String, service: String = "a.example") -> NewPendingPassword {
        .init(service: service, user: "", kind: "STRONG", session: "S", password: SecretBytes(utf8: password))
    }

    @Test func keepsWhatWasGeneratedUntilItIsSaved() throws {
        let vault = try fixture.open()
        let first = try vault.keep(new("one"))
        try vault.keep(new("two"))
        vault.close()
        let reopened = try fixture.open()
        #expect(try reopened.pending().map(\.password) == [SecretBytes(utf8: "one"), SecretBytes(utf8: "two")])
        #expect(try reopened.pending().first == first)
        try reopened.settlePending(service: "a.example", password: SecretBytes(utf8: "one"))
        try reopened.settlePending(service: "b.example", password: SecretBytes(utf8: "two"))
        #expect(try reopened.pending().map(\.password) == [SecretBytes(utf8: "two")])
        try reopened.verify()
    }

    @Test func sameOneAgainTakesThePlaceOfTheFirst() throws {
        let vault = try fixture.open()
        try vault.keep(new("one"))
        try vault.keep(new("one"))
        #expect(try vault.pending().count == 1)
    }

    @Test func goesAfterThirtyDays() throws {
        try fixture.open().keep(new("one"))
        try fixture.use(days: 25)
        try fixture.open().keep(new("two"))
        #expect(try fixture.open().pending().count == 2)
        try fixture.use(days: 5)
        #expect(try fixture.open().pending().map(\.password) == [SecretBytes(utf8: "two")])
    }

    @Test func staysWhereTheClockIsWrongOnce() throws {
        try fixture.open().keep(new("one"))
        fixture.clock.advance(days: 3_650)
        let wrong = try fixture.open()
        try wrong.keep(new("two"))
        #expect(try wrong.pending().count == 2)
        fixture.clock.advance(days: -3_650)
        #expect(try fixture.open().pending().count == 2)
    }

    @Test func oldestGoesBeyondTheLimit() throws {
        let vault = try fixture.open()
        for number in 0..<(PendingTable.limit + 5) { try vault.keep(new("password \(number)")) }
        #expect(try vault.pending().count == PendingTable.limit)
        #expect(try vault.pending().first?.password == SecretBytes(utf8: "password 5"))
    }

    @Test func refusesWhatIsBeyondTheLimitsAndForgetsOnlyWhatThereIs() throws {
        let vault = try fixture.open()
        var long = new("one")
        long.session = String(repeating: "x", count: 129)
        #expect(throws: VaultError.self) { try vault.keep(long) }
        #expect(throws: VaultError.self) { try vault.keep(new(String(repeating: "x", count: 4_097))) }
        #expect(throws: VaultError.self) { try vault.forgetPending("nothing") }
        #expect(try vault.pending().isEmpty)
    }

    @Test func damageIsFound() throws {
        let vault = try fixture.open()
        try vault.keep(new("one"))
        try vault.queue.write { db in
            try db.execute(sql: "UPDATE meta SET value = x'00' WHERE name = 'generated'")
        }
        #expect(throws: VaultError.self) { try vault.pending() }
        #expect(throws: VaultError.self) { try vault.verify() }
        // What could be lost is not written over.
        #expect(throws: VaultError.self) { try vault.keep(new("two")) }
    }

    @Test("S30: nothing of a generated password is readable in the file")
    func nothingIsReadableInTheFile() throws {
        let vault = try fixture.open()
        try vault.keep(new("canary of the generator", service: "canary.example"))
        vault.close()
        #expect(try !readFile(vault.path).contains(sequence: Array("canary".utf8)))
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
