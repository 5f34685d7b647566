// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// How often the popup copies before the passphrase is asked for.
@Suite struct CopyLimitTests {
    private let epoch = UserAct.Epoch(0)

    /// Whether copies at these seconds after the start need no passphrase.
    private func reserved(_ seconds: [Int], in limit: inout CopyLimit) -> [Bool] {
        seconds.map { limit.reserve(in: epoch, at: start + .seconds($0)) }
    }

    @Test("S71: the eleventh copy within ten minutes takes the passphrase")
    func eleventh() {
        var limit = CopyLimit()
        #expect(reserved(Array(0..<10), in: &limit) == Array(repeating: true, count: 10))
        #expect(reserved([20, 599, 600], in: &limit) == [false, false, true])
    }

    @Test func thePassphraseAndAnUnlockBeginAnew() {
        var (proven, unlocked) = (CopyLimit(), CopyLimit())
        _ = (reserved(Array(0..<10), in: &proven), reserved(Array(0..<10), in: &unlocked))
        proven.wasProven(at: start + .seconds(20))
        #expect(reserved([21], in: &proven) == [true])
        let isFree = unlocked.reserve(in: UserAct.Epoch(1), at: start + .seconds(20))
        #expect(isFree)
    }

    /// One that was refused does not put the next one off.
    @Test("S71: there is a second between two copies, however they are asked for")
    func oneASecond() {
        var limit = CopyLimit()
        let begun = [0, 999, 1_000].map { limit.begin(at: start + .milliseconds($0)) }
        #expect(begun == [true, false, true])
    }
}
