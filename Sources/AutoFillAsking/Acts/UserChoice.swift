// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease

/// A choice that the user made, and what is known about the way it was made.
package struct UserChoice: Sendable {
    package let surface: UserAct.Surface
    /// Whether it fills a form, or answers an app that asked for a password: the preference for fills counts then.
    package let isFill: Bool
    /// Whether this credential went to this origin before.
    package var wasReleasedBefore = true
    /// Whether the bar was visible, whole and unzoomed for long enough.
    package var guardHeld = true
    /// The requirement of the match itself, independent of surface and preference.
    package var demanded: UserAct.Requirement = .nothing
    /// Whether this is a one-time code that follows its account's password into the same document.
    package var followsPassword = false

    package init(
        surface: UserAct.Surface, isFill: Bool, wasReleasedBefore: Bool = true, guardHeld: Bool = true,
        demanded: UserAct.Requirement = .nothing, followsPassword: Bool = false
    ) {
        self.surface = surface
        self.isFill = isFill
        self.wasReleasedBefore = wasReleasedBefore
        self.guardHeld = guardHeld
        self.demanded = demanded
        self.followsPassword = followsPassword
    }
}
