// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillRelease
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// How many accounts are filled before the passphrase is asked for.
@Suite struct FillLimitTests {
    private let epoch = UserAct.Epoch(0)

    private func account(_ number: Int) -> FillLimit.Account {
        .init(
            CredentialIdentity(
                type: .password, service: ServiceIdentifier(kind: .domain, value: "site\(number).example"),
                user: "user", recordIdentifier: nil), of: .builtIn)
    }

    private func filled(_ count: Int, every seconds: Int = 1) -> FillLimit {
        var limit = FillLimit()
        for number in 0..<count {
            limit.count(account(number), wasProven: false, in: epoch, at: start + .seconds(number * seconds))
        }
        return limit
    }

    @Test("S71: the twenty-first account within ten minutes takes the passphrase, one of the twenty does not")
    func twenty() {
        #expect(!filled(19).isReached(by: account(19), in: epoch, at: start + .seconds(20)))
        #expect(filled(20).isReached(by: account(20), in: epoch, at: start + .seconds(20)))
        #expect(!filled(20).isReached(by: account(3), in: epoch, at: start + .seconds(20)))
    }

    @Test func olderFillsDoNotCount() {
        let limit = filled(20, every: 10)
        #expect(limit.isReached(by: account(20), in: epoch, at: start + .seconds(599)))
        #expect(!limit.isReached(by: account(20), in: epoch, at: start + .seconds(600)))
    }

    @Test("S71: filling one account again and again keeps none of the others from counting")
    func againAndAgain() {
        var limit = filled(20)
        for _ in 0..<50 { limit.count(account(0), wasProven: false, in: epoch, at: start + .seconds(30)) }
        #expect(limit.isReached(by: account(20), in: epoch, at: start + .seconds(31)))
    }

    @Test func thePassphraseAndAnUnlockBeginAnew() {
        var limit = filled(20)
        #expect(!limit.isReached(by: account(20), in: UserAct.Epoch(1), at: start + .seconds(20)))
        limit.count(account(20), wasProven: true, in: epoch, at: start + .seconds(20))
        #expect(!limit.isReached(by: account(21), in: epoch, at: start + .seconds(20)))
    }
}
