// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillRelease

/// A choice that the user made, and what is known about the way it was made.
package struct UserChoice: Sendable {
    package let surface: UserAct.Surface
    /// Whether it fills a form, or answers an app that asked for a password: the preference for fills counts then.
    package let isFill: Bool
    /// Whether account and place need no yes: it was saved for exactly this, or the user has said so before.
    package var isSettled = true
    /// Whether the row that was chosen is known to have been in plain sight for long enough.
    package var guardHeld = true
    /// The requirement of the match itself, independent of surface and preference.
    package var demanded: UserAct.Requirement = .nothing
    /// Whether this is a one-time code that follows its account's password into the same document.
    package var followsPassword = false

    package init(
        surface: UserAct.Surface, isFill: Bool, isSettled: Bool = true, guardHeld: Bool = true,
        demanded: UserAct.Requirement = .nothing, followsPassword: Bool = false
    ) {
        self.surface = surface
        self.isFill = isFill
        self.isSettled = isSettled
        self.guardHeld = guardHeld
        self.demanded = demanded
        self.followsPassword = followsPassword
    }
}
