// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Decides whether the user has to be asked before a release, and for what (section 8, step 4, of `docs/protocol.md`).
package struct AuthenticationPolicy: Sendable {
    /// The user's preference.
    package enum Preference: Hashable, Sendable {
        case always
        case after(Duration)
        case never
    }

    /// What proved that the user is there.
    package enum Means: String, Hashable, Sendable {
        case passphrase = "the passphrase"
        case pin = "the PIN"
        /// The password with which the user logged in to the computer.
        case login = "the login"

        /// The same, once some time has passed.
        package var recent: UserAct.Authentication {
            switch self {
            case .passphrase: .recent
            case .pin: .recentPIN
            case .login: .recentLogin
            }
        }
    }

    /// The surface on which the user acted.
    package typealias Surface = UserAct.Surface
    /// The requirement to meet before the release.
    package typealias Requirement = UserAct.Requirement

    /// When the passphrase is asked for again before something is shown, copied or given to a program. A browser's popup copies as it fills,
    /// unless this is `always`.
    package var preference: Preference
    /// The same before a fill.
    package var fills: Preference
    private var authenticatedAt: ContinuousClock.Instant?
    /// How the user was authenticated last.
    package private(set) var means = Means.passphrase

    /// - Parameter fills: The preference for fills; `nil` where it is the same.
    package init(preference: Preference, fills: Preference? = nil) {
        self.preference = preference
        self.fills = fills ?? preference
    }

    package mutating func authenticated(at now: ContinuousClock.Instant, by means: Means = .passphrase) {
        authenticatedAt = now
        self.means = means
    }

    package mutating func forget() {
        authenticatedAt = nil
    }

    /// The requirement for a choice.
    ///
    /// - Parameters:
    ///   - isSettled: Whether account and place need no yes: it was saved for exactly this, or the user has said so before.
    ///   - guardHeld: Whether the row that was chosen is known to have been in plain sight for long enough.
    ///   - isFill: Whether it fills a form, or answers an app that asked for a password.
    ///   - consent: The requirement of the match itself, independent of surface and preference.
    ///   - followsPassword: Whether this is a one-time code, and the same document just received the password of the
    ///     same account (`TabAccounts.codeLifetime`). The user's consent then covered both, unless the user wants to be
    ///     asked each time.
    package func requirement(
        on surface: Surface, isSettled: Bool, guardHeld: Bool, isFill: Bool = true,
        consent: Requirement = .nothing, followsPassword: Bool = false, at now: ContinuousClock.Instant
    ) -> Requirement {
        let preference = isFill ? fills : preference
        let follows = followsPassword && preference != .always
        if consent == .authentication || !(follows || satisfies(preference, at: now)) { return .authentication }
        if consent == .confirmation { return .confirmation }
        let isInBrowser = surface == .bar || surface == .popup
        if isInBrowser && !((isSettled || follows) && guardHeld) { return .confirmation }
        return .nothing
    }

    /// Whether the preference for everything but fills is satisfied without asking again.
    package func isAuthenticated(at now: ContinuousClock.Instant) -> Bool {
        satisfies(preference, at: now)
    }

    private func satisfies(_ preference: Preference, at now: ContinuousClock.Instant) -> Bool {
        switch preference {
        case .always: false
        case .never: true
        case .after(let span): authenticatedAt.map { now < $0 + span } ?? false
        }
    }
}
