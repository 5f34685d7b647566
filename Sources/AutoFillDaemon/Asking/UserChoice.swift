// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillRelease

/// A choice that the user made, and what is known about the way it was made.
struct UserChoice: Sendable {
    let surface: UserAct.Surface
    /// Whether this credential went to this origin before.
    var wasReleasedBefore = true
    /// Whether the bar was visible, whole and unzoomed for long enough.
    var guardHeld = true
    /// What the match itself demands, whatever the surface and the preference.
    var demanded: UserAct.Requirement = .nothing
    /// Whether it is a code that follows the password of its account into the same document.
    var followsPassword = false
}

extension Broker {
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
}
