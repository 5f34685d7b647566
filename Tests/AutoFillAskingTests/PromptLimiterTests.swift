// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ShownText
import Testing

@testable import AutoFillAsking
@testable import DaemonTesting

@Suite struct PromptLimiterTests {
    private var limiter = PromptLimiter()
    private let site = "https://shiny.example.com"

    @Test func whoWasNeverRefusedMayAsk() {
        #expect(limiter.wait(for: site, at: start) == nil)
    }

    @Test("S28: a refusal is remembered for ten seconds", arguments: [(0, 10), (4, 6), (9, 1)])
    mutating func refusalIsRemembered(seconds: Int, rest: Int) {
        limiter.refused(site, at: start)
        #expect(limiter.wait(for: site, at: start + .seconds(seconds)) == .seconds(rest))
    }

    @Test("S28: after ten seconds it may be asked again")
    mutating func refusalIsForgiven() {
        limiter.refused(site, at: start)
        #expect(limiter.wait(for: site, at: start + .seconds(10)) == nil)
    }

    @Test("S28: three refusals within a minute close the door for a minute")
    mutating func threeRefusalsCloseTheDoor() {
        for seconds in [0, 15, 30] { limiter.refused(site, at: start + .seconds(seconds)) }
        #expect(limiter.wait(for: site, at: start + .seconds(30)) == .seconds(60))
        #expect(limiter.wait(for: site, at: start + .seconds(59)) == .seconds(31))
    }

    @Test("S28: prompt bombing gets through at most once every ten seconds")
    mutating func bombingIsSlowedDown() {
        var asked = 0
        for second in 0..<600 where limiter.wait(for: site, at: start + .seconds(second)) == nil {
            asked += 1
            limiter.refused(site, at: start + .seconds(second))
        }
        #expect(asked <= 60)
        #expect(asked < 40)
    }

    @Test("S28: one requester's refusals do not silence another")
    mutating func requestersAreSeparate() {
        for _ in 0..<5 { limiter.refused(site, at: start) }
        #expect(limiter.wait(for: "https://other.example", at: start) == nil)
        #expect(limiter.wait(for: "unlock", at: start) == nil)
    }

    @Test mutating func agreementForgives() {
        for _ in 0..<5 { limiter.refused(site, at: start) }
        limiter.agreed(site)
        #expect(limiter.wait(for: site, at: start) == nil)
    }

    @Test mutating func oldRefusalsCountNoMore() {
        limiter.refused(site, at: start)
        limiter.refused(site, at: start)
        limiter.refused(site, at: start + .seconds(61))
        #expect(limiter.wait(for: site, at: start + .seconds(61)) == .seconds(10))
    }
}
