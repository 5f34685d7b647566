// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillDaemon

/// The way of an account to Sign in with Apple, step by step.
@Suite struct AppleConversionTests {
    /// Everything up to the first question to the extension.
    private static let begun: [AppleConversion.Event] = [.prepared(true)]
    private static let done: [AppleConversion.Event] = begun + [.converted(isAuthorized: true)]

    private func run(_ events: [AppleConversion.Event]) -> AppleConversion.Step {
        var conversion = AppleConversion()
        var step = conversion.first
        for event in events { step = conversion.take(event) }
        return step
    }

    private func ending(_ events: [AppleConversion.Event]) -> AppleConversion.Ending? {
        if case .end(let ending) = run(events) { ending } else { nil }
    }

    @Test func passwordIsRemovedLastAndAfterItIsWrittenDown() {
        var conversion = AppleConversion()
        #expect(conversion.first == .prepare && !conversion.mayHaveChanged)
        #expect(conversion.take(.prepared(true)) == .convert(withInterface: false))
        #expect(conversion.mayHaveChanged)
        #expect(conversion.take(.converted(isAuthorized: true)) == .record)
        #expect(conversion.take(.recorded(true)) == .remove)
        #expect(conversion.take(.removed(.removed)) == .end(.converted(.removed)))
    }

    @Test func interfaceFollowsWhereTheExtensionAsksForIt() {
        #expect(run(Self.begun + [.needsUser(canAsk: true)]) == .convert(withInterface: true))
        #expect(run(Self.begun + [.needsUser(canAsk: true), .converted(isAuthorized: true)]) == .record)
    }

    /// However it comes to an end, nothing but this one way leads to the removal.
    @Test func nothingElseRemovesThePassword() {
        let events: [AppleConversion.Event] = [
            .prepared(true), .prepared(false), .converted(isAuthorized: true), .converted(isAuthorized: false),
            .needsUser(canAsk: true), .needsUser(canAsk: false), .failed(nil), .canceled, .lost(.ended),
            .recorded(true),
            .recorded(false), .removed(.removed),
        ]
        var ways = 0
        func walk(_ taken: [AppleConversion.Event]) {
            if run(taken) == .remove {
                ways += 1
                #expect(taken.first == .prepared(true) && taken.last == .recorded(true))
                #expect(taken.dropLast().last == .converted(isAuthorized: true))
            }
            guard taken.count < 5, ending(taken) == nil else { return }
            for event in events { walk(taken + [event]) }
        }
        walk([])
        #expect(ways == 2)
    }

    @Test(
        arguments: [
            ([.prepared(false)], AppleConversion.Reason.notPrepared), ([.canceled], .canceled),
            (begun + [.needsUser(canAsk: false)], .nowhereToAsk), ([.converted(isAuthorized: true)], .malfunction),
            ([.recorded(true)], .malfunction), ([.removed(.removed)], .malfunction), ([.failed("x")], .malfunction),
            ([.lost(.ended)], .malfunction),
        ] as [([AppleConversion.Event], AppleConversion.Reason)])
    func endsUntouched(events: [AppleConversion.Event], reason: AppleConversion.Reason) {
        #expect(ending(events) == .untouched(reason))
    }

    @Test(
        arguments: [
            (begun + [.failed("Policy says no.")], .failed("Policy says no.")), (begun + [.failed(nil)], .failed(nil)),
            (begun + [.canceled], .canceled), (begun + [.lost(.timeUp)], .unknown(.timeUp)),
            (begun + [.lost(.ended)], .unknown(.ended)), (begun + [.lost(.interrupted)], .unknown(.interrupted)),
            // Who was given no credential has converted nothing, whatever it says.
            (begun + [.converted(isAuthorized: false)], .unknown(.malfunction)),
            (begun + [.needsUser(canAsk: true), .converted(isAuthorized: false)], .unknown(.malfunction)),
            (begun + [.needsUser(canAsk: true), .needsUser(canAsk: true)], .failed(nil)),
            (begun + [.needsUser(canAsk: true), .needsUser(canAsk: false)], .failed(nil)),
            (begun + [.removed(.removed)], .unknown(.malfunction)), (begun + [.recorded(true)], .unknown(.malfunction)),
            (done + [.recorded(false)], .notRecorded), (done + [.removed(.removed)], .unknown(.malfunction)),
            (done + [.canceled], .unknown(.malfunction)),
        ] as [([AppleConversion.Event], AppleConversion.Ending)])
    func passwordStays(events: [AppleConversion.Event], expected: AppleConversion.Ending) {
        #expect(ending(events) == expected)
    }

    @Test(arguments: [PasswordFate.removed, .detached, .kept, .notSaved, .pending])
    func whateverBecomesOfThePasswordTheAccountIsConverted(fate: PasswordFate) {
        #expect(ending(Self.done + [.recorded(true), .removed(fate)]) == .converted(fate))
        #expect(ending(Self.done + [.recorded(true), .lost(.ended)]) == .converted(.pending))
    }
}
