// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

/// The way of an account to a strong password, step by step.
@Suite struct PasswordUpgradeTests {
    private typealias Event = PasswordUpgrade.Event
    private typealias Step = PasswordUpgrade.Step

    /// Everything up to the first question to the extension.
    private static let begun: [PasswordUpgrade.Event] = [.made(true), .kept(true), .noted(true)]

    private func run(_ events: [PasswordUpgrade.Event]) -> (PasswordUpgrade, last: PasswordUpgrade.Step) {
        var upgrade = PasswordUpgrade()
        var step = upgrade.first
        for event in events { step = upgrade.take(event) }
        return (upgrade, step)
    }

    private func ending(_ events: [PasswordUpgrade.Event]) -> PasswordUpgrade.Ending? {
        if case .end(let ending) = run(events).last { ending } else { nil }
    }

    @Test func candidateIsKeptAndNotedBeforeTheExtensionIsAsked() {
        var upgrade = PasswordUpgrade()
        #expect(upgrade.first == .make)
        #expect(upgrade.take(.made(true)) == .keep)
        #expect(upgrade.take(.kept(true)) == .note)
        #expect(!upgrade.mayHaveChanged)
        #expect(upgrade.take(.noted(true)) == .change(withInterface: false))
        #expect(upgrade.mayHaveChanged)
        #expect(upgrade.take(.changed(isProposed: true)) == .save)
        #expect(upgrade.take(.saved(true)) == .end(.changed))
    }

    @Test func interfaceFollowsWhereTheExtensionAsksForIt() {
        #expect(run(Self.begun + [.needsUser(canAsk: true)]).last == .change(withInterface: true))
        #expect(ending(Self.begun + [.needsUser(canAsk: true), .changed(isProposed: true), .saved(true)]) == .changed)
    }

    @Test func anotherPasswordThanProposedIsKeptBeforeItIsSaved() {
        let other = Self.begun + [.changed(isProposed: false)]
        #expect(run(other).last == .keepOther)
        #expect(run(other + [.otherKept(true)]).last == .save)
        // To save it is all that is left where it cannot be kept as pending.
        #expect(run(other + [.otherKept(false)]).last == .save)
    }

    /// Nothing has been asked of the service, so nothing is uncertain.
    @Test(
        arguments: [
            ([.made(false)], PasswordUpgrade.Reason.notMade), ([.made(true), .kept(false)], .notKept),
            ([.made(true), .kept(true), .noted(false)], .notNoted),
            (begun + [.needsUser(canAsk: false)], .nowhereToAsk), ([.canceled], .canceled),
            ([.made(true), .canceled], .canceled), ([.made(true), .kept(true), .canceled], .canceled),
            ([.kept(true)], .malfunction), ([.changed(isProposed: true)], .malfunction), ([.saved(true)], .malfunction),
            ([.made(true), .changed(isProposed: true)], .malfunction),
            ([.made(true), .kept(true), .changed(isProposed: true)], .malfunction),
            ([.made(true), .noted(true)], .malfunction),
        ] as [([PasswordUpgrade.Event], PasswordUpgrade.Reason)])
    func endsUntouched(events: [PasswordUpgrade.Event], reason: PasswordUpgrade.Reason) {
        #expect(ending(events) == .untouched(reason))
        #expect(ending(events)?.isUnsettled == false)
    }

    /// The service may have been told: both passwords stay.
    @Test(arguments: [
        (begun + [.failed("Policy says no.")], PasswordUpgrade.Ending.failed("Policy says no.")),
        (begun + [.failed(nil)], .failed(nil)), (begun + [.canceled], .canceled),
        (begun + [.lost(.timeUp)], .unknown(.timeUp)), (begun + [.lost(.ended)], .unknown(.ended)),
        (begun + [.lost(.interrupted)], .unknown(.interrupted)),
        (begun + [.needsUser(canAsk: true), .needsUser(canAsk: true)], .failed(nil)),
        (begun + [.needsUser(canAsk: true), .needsUser(canAsk: false)], .failed(nil)),
        (begun + [.needsUser(canAsk: true), .canceled], .canceled),
        (begun + [.needsUser(canAsk: true), .failed("x")], .failed("x")),
        (begun + [.needsUser(canAsk: true), .lost(.ended)], .unknown(.ended)),
        (begun + [.changed(isProposed: true), .saved(false)], .notSaved),
        (begun + [.changed(isProposed: false), .otherKept(true), .saved(false)], .notSaved),
        (begun + [.changed(isProposed: false), .otherKept(false), .saved(false)], .notSaved),
        (begun + [.made(true)], .unknown(.malfunction)), (begun + [.saved(true)], .unknown(.malfunction)),
        (begun + [.changed(isProposed: true), .changed(isProposed: true)], .unknown(.malfunction)),
        (begun + [.changed(isProposed: true), .failed(nil)], .unknown(.malfunction)),
    ])
    func keepsBoth(events: [PasswordUpgrade.Event], expected: PasswordUpgrade.Ending) {
        #expect(ending(events) == expected)
        #expect(ending(events)?.isUnsettled == true)
    }

    @Test func nothingFollowsAnEnd() {
        for events in [[Event.made(false)], Self.begun + [.lost(.ended)]] {
            var (upgrade, _) = run(events)
            #expect(upgrade.take(.changed(isProposed: true)) == .end(.untouched(.malfunction)))
            #expect(!upgrade.mayHaveChanged)
        }
    }

    /// Whatever comes, in whatever order: the extension is asked only after the candidate is kept and noted, and only an answer of
    /// its own with a provider's acknowledgement behind it counts as changed.
    @Test func noOrderOfEventsSkipsAStep() {
        let all: [Event] = [
            .made(true), .made(false), .kept(true), .kept(false), .noted(true), .noted(false),
            .changed(isProposed: true), .changed(isProposed: false), .needsUser(canAsk: true),
            .needsUser(canAsk: false),
            .failed(nil), .canceled, .lost(.ended), .otherKept(true), .otherKept(false), .saved(true), .saved(false),
        ]
        func walk(_ upgrade: PasswordUpgrade, _ past: [Event], depth: Int) {
            guard depth > 0 else { return }
            for event in all {
                var next = upgrade
                let step = next.take(event)
                let events = past + [event]
                switch step {
                case .change:
                    #expect(events.starts(with: Self.begun))
                case .end(.changed):
                    #expect(events.starts(with: Self.begun) && events.last == .saved(true))
                    #expect(events.contains(.changed(isProposed: true)) || events.contains(.changed(isProposed: false)))
                case .end: break
                default: break
                }
                if case .end = step { continue }
                walk(next, events, depth: depth - 1)
            }
        }
        walk(PasswordUpgrade(), [], depth: 7)
    }
}
