// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillRelease
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct AuthenticationPolicyTests {
    typealias Surface = AuthenticationPolicy.Surface
    typealias Requirement = AuthenticationPolicy.Requirement

    private func requirement(
        _ policy: AuthenticationPolicy, _ surface: Surface, before: Bool = true, guarded: Bool = true,
        after seconds: Int = 0
    ) -> Requirement {
        policy.requirement(
            on: surface, isSettled: before, guardHeld: guarded, at: start + .seconds(seconds))
    }

    @Test(arguments: [Surface.bar, .popup, .window, .terminal])
    func alwaysAsksEveryTime(surface: Surface) {
        var policy = AuthenticationPolicy(preference: .always)
        policy.authenticated(at: start)
        #expect(requirement(policy, surface) == .authentication)
    }

    @Test(arguments: [Surface.bar, .popup, .window, .terminal])
    func withoutAnyAuthenticationItIsAskedFor(surface: Surface) {
        #expect(requirement(AuthenticationPolicy(preference: .after(.seconds(300))), surface) == .authentication)
    }

    @Test(arguments: [(0, Requirement.nothing), (299, .nothing), (300, .authentication), (301, .authentication)])
    func anAuthenticationLastsAsLongAsThePreferenceSays(seconds: Int, expected: Requirement) {
        var policy = AuthenticationPolicy(preference: .after(.seconds(300)))
        policy.authenticated(at: start)
        #expect(requirement(policy, .popup, after: seconds) == expected)
    }

    @Test(
        "Fills have a preference of their own, which counts for them alone", arguments: [Surface.bar, .popup, .window])
    func fillsByThemselves(surface: Surface) {
        var policy = AuthenticationPolicy(preference: .after(.seconds(300)), fills: .never)
        policy.authenticated(at: start)
        func asked(isFill: Bool) -> Requirement {
            policy.requirement(
                on: surface, isSettled: true, guardHeld: true, isFill: isFill, at: start + .seconds(301))
        }
        #expect(asked(isFill: true) == .nothing)
        #expect(asked(isFill: false) == .authentication)
        (policy.preference, policy.fills) = (.never, .always)
        #expect(asked(isFill: true) == .authentication)
        #expect(asked(isFill: false) == .nothing)
    }

    @Test func lockForgetsTheAuthentication() {
        var policy = AuthenticationPolicy(preference: .after(.seconds(300)))
        policy.authenticated(at: start)
        policy.forget()
        #expect(requirement(policy, .popup) == .authentication)
    }

    @Test(
        "S1: an account that was saved for another place is confirmed outside the page, whatever the preference",
        arguments: [
            AuthenticationPolicy.Preference.never, .after(.seconds(300)),
        ])
    func anotherPlaceIsConfirmed(preference: AuthenticationPolicy.Preference) {
        var policy = AuthenticationPolicy(preference: preference)
        policy.authenticated(at: start)
        #expect(requirement(policy, .bar, before: false) == .confirmation)
        #expect(requirement(policy, .popup, before: false) == .confirmation)
        #expect(requirement(policy, .bar) == .nothing)
        #expect(requirement(policy, .popup) == .nothing)
    }

    @Test(
        "S1, S2: where the row was not in plain sight, the release is confirmed outside the page",
        arguments: [
            AuthenticationPolicy.Preference.never, .after(.seconds(300)),
        ])
    func brokenGuardIsConfirmed(preference: AuthenticationPolicy.Preference) {
        var policy = AuthenticationPolicy(preference: preference)
        policy.authenticated(at: start)
        #expect(requirement(policy, .bar, guarded: false) == .confirmation)
        #expect(requirement(policy, .popup, guarded: false) == .confirmation)
        #expect(requirement(policy, .bar, before: false, guarded: false) == .confirmation)
    }

    @Test(arguments: [Surface.window, .terminal])
    func choiceOutsideThePageIsItsOwnConfirmation(surface: Surface) {
        let policy = AuthenticationPolicy(preference: .never)
        #expect(requirement(policy, surface, before: false, guarded: false) == .nothing)
    }

    @Test(
        "S6, S19: what the match demands is asked for on every surface, whatever the preference",
        arguments: [Surface.bar, .popup, .window, .terminal])
    func matchDemandsOnEverySurface(surface: Surface) {
        var policy = AuthenticationPolicy(preference: .never)
        func demanded(_ consent: Requirement) -> Requirement {
            policy.requirement(on: surface, isSettled: true, guardHeld: true, consent: consent, at: start)
        }
        #expect(demanded(.nothing) == .nothing)
        #expect(demanded(.confirmation) == .confirmation)
        #expect(demanded(.authentication) == .authentication)
        policy.fills = .always
        #expect(demanded(.confirmation) == .authentication)
    }

    @Test func authenticationComesBeforeConfirmation() {
        let policy = AuthenticationPolicy(preference: .always)
        #expect(requirement(policy, .bar, before: false, guarded: false) == .authentication)
    }

    @Test("S48 a code that follows its password asks nothing, unless the user wants to be asked always")
    func codeFollowsItsPassword() {
        func requirement(
            _ preference: AuthenticationPolicy.Preference, guarded: Bool = true, consent: Requirement = .nothing
        ) -> Requirement {
            AuthenticationPolicy(preference: preference).requirement(
                on: .bar, isSettled: false, guardHeld: guarded, consent: consent, followsPassword: true,
                at: start)
        }
        #expect(requirement(.after(.seconds(60))) == .nothing)
        #expect(requirement(.never) == .nothing)
        #expect(requirement(.always) == .authentication)
        // What the guard and the match demand, it does not replace.
        #expect(requirement(.after(.seconds(60)), guarded: false) == .confirmation)
        #expect(requirement(.after(.seconds(60)), consent: .confirmation) == .confirmation)
        #expect(requirement(.after(.seconds(60)), consent: .authentication) == .authentication)
    }

    @Test func shorterPreferenceCountsFromTheSameMoment() {
        var policy = AuthenticationPolicy(preference: .after(.seconds(300)))
        policy.authenticated(at: start)
        policy.fills = .after(.seconds(60))
        #expect(requirement(policy, .popup, after: 61) == .authentication)
    }
}
