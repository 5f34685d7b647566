// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillRelease

/// What asking needs to know of the session.
extension Broker: UserAuthenticating {
    var isUnlocked: Bool { unlocked != nil }

    var asksAlways: Bool { authentication.preference == .always }

    /// The time between the last unlock and the next lock.
    var epoch: UserAct.Epoch { .init(lockCount) }

    /// What has to happen before a choice counts.
    func requirement(of choice: UserChoice) -> UserAct.Requirement {
        authentication.requirement(
            on: choice.surface, wasReleasedBefore: choice.wasReleasedBefore, guardHeld: choice.guardHeld,
            consent: choice.demanded, followsPassword: choice.followsPassword, at: time.now())
    }

    /// How the user counts as authenticated where nobody asks now.
    var standingAuthentication: UserAct.Authentication { authentication.preference == .never ? .notAsked : .recent }

    func spendFreshAuthentication() -> Bool {
        fresh.spend(for: WireRequest.current, at: time.now())
    }

    func checkUnlocked() throws {
        _ = try requireUnlocked()
    }
}
