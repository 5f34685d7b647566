// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct AttemptLimiterTests {
    private var limiter = AttemptLimiter()

    @Test mutating func threeTriesAreFree() {
        for _ in 0..<3 {
            #expect(limiter.wait(at: start) == nil)
            limiter.begin(at: start)
        }
        #expect(limiter.wait(at: start) == .seconds(1))
    }

    @Test mutating func waitsDoubleUpToFiveMinutes() {
        var now = start
        var waits: [Duration] = []
        for _ in 0..<15 {
            limiter.begin(at: now)
            let wait = limiter.wait(at: now) ?? .zero
            waits.append(wait)
            now += wait
            #expect(limiter.wait(at: now) == nil)
        }
        #expect(waits == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300].map { .seconds($0) })
    }

    @Test mutating func hundredThousandTriesDoNotOverflow() {
        for _ in 0..<100_000 { limiter.begin(at: start) }
        #expect(limiter.wait(at: start) == .seconds(300))
    }

    @Test mutating func triesThatAreStillUnderWayCount() {
        for _ in 0..<3 { limiter.begin(at: start) }
        #expect(limiter.wait(at: start) != nil)
    }

    @Test mutating func waitRunsOut() {
        for _ in 0..<5 { limiter.begin(at: start) }
        #expect(limiter.wait(at: start + .seconds(3)) == .seconds(1))
        #expect(limiter.wait(at: start + .seconds(4)) == nil)
        #expect(limiter.wait(at: start + .seconds(1000)) == nil)
    }

    @Test mutating func waitThatRanOutIsNotForgotten() {
        for _ in 0..<5 { limiter.begin(at: start) }
        limiter.begin(at: start + .seconds(100))
        #expect(limiter.wait(at: start + .seconds(100)) == .seconds(8))
    }

    @Test mutating func successStartsAnew() {
        for _ in 0..<9 { limiter.begin(at: start) }
        limiter.succeed()
        #expect(limiter.wait(at: start) == nil)
        for _ in 0..<2 { limiter.begin(at: start) }
        #expect(limiter.wait(at: start) == nil)
    }
}
