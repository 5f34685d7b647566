// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct IdlePolicyTests {
    @Test func locksAfterTheSpan() {
        let policy = IdlePolicy(span: .seconds(900), now: start)
        #expect(policy.deadline == start + .seconds(900))
    }

    @Test func activityPutsItOff() {
        var policy = IdlePolicy(span: .seconds(900), now: start)
        policy.active(at: start + .seconds(100))
        #expect(policy.deadline == start + .seconds(1000))
    }

    @Test func activityFromThePastDoesNotBringItForward() {
        var policy = IdlePolicy(span: .seconds(900), now: start)
        policy.active(at: start + .seconds(100))
        policy.active(at: start)
        #expect(policy.deadline == start + .seconds(1000))
    }

    @Test func withoutASpanItNeverLocks() {
        var policy = IdlePolicy(span: nil, now: start)
        policy.active(at: start + .seconds(100))
        #expect(policy.deadline == nil)
    }

    @Test func newSpanCountsFromTheLastActivity() {
        var policy = IdlePolicy(span: .seconds(900), now: start)
        policy.span = .seconds(60)
        #expect(policy.deadline == start + .seconds(60))
    }
}
