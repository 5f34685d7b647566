// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct LockBudgetTests {
    @Test func takesUpToItsLimit() {
        let budget = LockBudget(limit: 100)
        #expect(budget.take(60))
        #expect(!budget.take(41))
        #expect(budget.take(40))
        #expect(!budget.take(1))
        budget.giveBack(60)
        #expect(budget.take(60))
    }

    @Test(arguments: [0, -1, Int.min])
    func withoutALimitThereIsNothing(limit: Int) {
        #expect(!LockBudget(limit: limit).take(1))
    }

    @Test func countsInTheWholeToo() {
        let whole = LockBudget(limit: 100)
        let parts = [LockBudget(limit: 80, of: whole), LockBudget(limit: 80, of: whole)]
        #expect(parts[0].take(80))
        #expect(!parts[1].take(21))
        // What did not fit into the whole is charged to nobody.
        #expect(parts[1].take(20))
        parts[0].giveBack(80)
        #expect(parts[1].take(60))
    }

    @Test("S52: what peers take up leaves room for keys, and for other kinds of peers", arguments: [16, 2048, 100_000])
    func peersLeaveRoom(size: Int) {
        let limit = 1 << 20
        let besideKeys = LockBudget(limit: limit - limit / 4)
        let arenas = (0..<2).map { _ in SecretArena(budget: LockBudget(limit: limit / 16, of: besideKeys)) }
        let flood = (0..<(limit / size)).map { _ in SecretBytes(count: size, in: arenas[0]) }
        let isLockable = SecretBytes(count: 16, in: .keys).isLocked
        #expect(flood.contains { $0.isLocked } == (isLockable && size <= limit / 16))
        #expect(flood.contains { !$0.isLocked })
        let keys = SecretArena(budget: LockBudget(limit: limit / 4))
        #expect(SecretBytes(count: 32, in: keys).isLocked == isLockable)
        #expect(SecretBytes(count: 32, in: arenas[1]).isLocked == isLockable)
    }

    @Test("S52: keys are kept apart from everything else")
    func keysHaveTheirOwn() throws {
        let (keyring, _, _) = try Keyring.create(passphrase: SecretBytes(utf8: "long enough"), cost: .testOnlyFast)
        let key = try keyring.unlock(passphrase: SecretBytes(utf8: "long enough"))
        for secret in [key.secret, key.auditKeySeed, key.containerKey(for: "x", salt: [])] {
            #expect(secret.arena === SecretArena.keys.allocator)
        }
        #expect(SecretBytes(count: 32).arena !== SecretArena.keys.allocator)
    }

    @Test func whatIsFreedMayBeLockedAgain() {
        let budget = LockBudget(limit: 1 << 16)
        let arena = SecretArena(budget: budget)
        let isLockable = SecretBytes(count: 16, in: .keys).isLocked
        for _ in 0..<100 { #expect(SecretBytes(count: 1 << 16, in: arena).isLocked == isLockable) }
        #expect(budget.take(1 << 16))
    }
}
