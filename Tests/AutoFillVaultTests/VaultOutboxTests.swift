// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import GRDB
import Testing

@testable import AutoFillVault

@Suite struct VaultOutboxTests {
    let fixture = VaultFixture()

    @Test func everyChangeIsPendingInOrderUntilAcknowledged() throws {
        let vault = try fixture.open()
        let ids = try vault.add([VaultFixture.item(1), VaultFixture.item(2)]).map(\.id)
        try vault.edit(ids[0], ItemChanges(user: "other"))
        try vault.remove(ids[1])
        try vault.restore(ids[1])
        vault.close()

        let reopened = try fixture.open()
        let pending = try reopened.pendingIdentityChanges()
        #expect(
            pending.map(\.change) == [
                .save(itemID: ids[0]), .save(itemID: ids[1]), .save(itemID: ids[0]), .remove(itemID: ids[1]),
                .save(itemID: ids[1]),
            ]
        )
        #expect(pending.map(\.sequence) == pending.map(\.sequence).sorted())
        try reopened.acknowledge(upTo: pending[2].sequence)
        #expect(try reopened.pendingIdentityChanges() == Array(pending.dropFirst(3)))
        try reopened.acknowledge(upTo: .max)
        #expect(try reopened.pendingIdentityChanges().isEmpty)
    }

    @Test func sequencesAreNeverUsedAgain() throws {
        let vault = try fixture.open()
        try vault.add([VaultFixture.item(1)])
        let first = try #require(try vault.pendingIdentityChanges().last?.sequence)
        try vault.acknowledge(upTo: first)
        try vault.add([VaultFixture.item(2)])
        #expect(try #require(try vault.pendingIdentityChanges().first?.sequence) > first)
    }

    @Test func aRefusedChangeLeavesNothingPending() throws {
        let vault = try fixture.open()
        #expect(throws: VaultError.self) { try vault.remove("missing") }
        #expect(throws: VaultError.self) { try vault.edit("missing", ItemChanges(user: "x")) }
        #expect(try vault.pendingIdentityChanges().isEmpty)
    }

    @Test func aForgedChangeIsDamage() throws {
        let vault = try fixture.open()
        try vault.add([VaultFixture.item(1), VaultFixture.item(2)])
        try vault.queue.write { db in
            try db.execute(
                sql: """
                    UPDATE outbox SET change = (SELECT change FROM outbox ORDER BY sequence LIMIT 1)
                    WHERE sequence = (SELECT max(sequence) FROM outbox)
                    """
            )
        }
        #expect { try vault.pendingIdentityChanges() } throws: { code($0) == .damaged }
    }
}
