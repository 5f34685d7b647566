// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Testing

@testable import AutoFillDaemon

@Suite struct FreshAuthenticationsTests {
    private let now = ContinuousClock.now
    private func request(_ client: Int = 1, _ method: String = "preferences.set") -> WireRequest {
        WireRequest(client: client, program: "/usr/bin/latchkey", method: method)
    }

    @Test("S36 a passphrase is good for one request")
    func isSpentOnce() {
        var fresh = FreshAuthentications()
        let spent1 = fresh.spend(for: request(), at: now)
        #expect(spent1 == nil)
        fresh.give(.passphrase, to: 1, for: "preferences.set", at: now)
        let spent2 = fresh.spend(for: request(), at: now)
        #expect(spent2 == .passphrase)
        let spent3 = fresh.spend(for: request(), at: now)
        #expect(spent3 == nil)
    }

    @Test("S36 a passphrase is good for its own connection and its own method")
    func isBound() {
        var fresh = FreshAuthentications()
        fresh.give(.passphrase, to: 1, for: "items.reveal", at: now)
        let spent4 = fresh.spend(for: request(2, "items.reveal"), at: now)
        #expect(spent4 == nil)
        let spent5 = fresh.spend(for: request(), at: now)
        #expect(spent5 == nil)
        // Whoever tries it for something else has lost it.
        let spent6 = fresh.spend(for: request(1, "items.reveal"), at: now)
        #expect(spent6 == nil)
        fresh.give(.passphrase, to: 1, for: nil, at: now)
        let spent7 = fresh.spend(for: request(1, "anything"), at: now)
        #expect(spent7 == .passphrase)
        let spent8 = fresh.spend(for: request(1, "anything"), at: now)
        #expect(spent8 == nil)
    }

    @Test("S36 a passphrase that nobody used is none after a minute, a lock, or the end of its connection")
    func ends() {
        var fresh = FreshAuthentications()
        fresh.give(.passphrase, to: 1, for: nil, at: now)
        let spent9 = fresh.spend(for: request(), at: now + .seconds(60))
        #expect(spent9 == nil)
        fresh.give(.passphrase, to: 1, for: nil, at: now)
        fresh.forget(1)
        let spent10 = fresh.spend(for: request(), at: now)
        #expect(spent10 == nil)
        fresh.give(.passphrase, to: 1, for: nil, at: now)
        fresh.forgetAll()
        let spent11 = fresh.spend(for: request(), at: now)
        #expect(spent11 == nil)
    }
}
