// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

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
        #expect(!fresh.spend(for: request(), at: now))
        fresh.give(to: 1, for: "preferences.set", at: now)
        #expect(fresh.spend(for: request(), at: now))
        #expect(!fresh.spend(for: request(), at: now))
    }

    @Test("S36 a passphrase is good for its own connection and its own method")
    func isBound() {
        var fresh = FreshAuthentications()
        fresh.give(to: 1, for: "items.reveal", at: now)
        #expect(!fresh.spend(for: request(2, "items.reveal"), at: now))
        #expect(!fresh.spend(for: request(), at: now))
        // Whoever tries it for something else has lost it.
        #expect(!fresh.spend(for: request(1, "items.reveal"), at: now))
        fresh.give(to: 1, for: nil, at: now)
        #expect(fresh.spend(for: request(1, "anything"), at: now))
        #expect(!fresh.spend(for: request(1, "anything"), at: now))
    }

    @Test("S36 a passphrase that nobody used is none after a minute, a lock, or the end of its connection")
    func ends() {
        var fresh = FreshAuthentications()
        fresh.give(to: 1, for: nil, at: now)
        #expect(!fresh.spend(for: request(), at: now + .seconds(60)))
        fresh.give(to: 1, for: nil, at: now)
        fresh.forget(1)
        #expect(!fresh.spend(for: request(), at: now))
        fresh.give(to: 1, for: nil, at: now)
        fresh.forgetAll()
        #expect(!fresh.spend(for: request(), at: now))
    }
}
