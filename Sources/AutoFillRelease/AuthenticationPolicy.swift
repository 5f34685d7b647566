// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// When the user has to be asked before a release, and what for (section 8, step 4, of `docs/protocol.md`).
package struct AuthenticationPolicy: Sendable {
    /// The user's preference.
    package enum Preference: Hashable, Sendable {
        case always
        case after(Duration)
        case never
    }

    /// Where the user's act took place.
    package typealias Surface = UserAct.Surface
    /// What has to happen first.
    package typealias Requirement = UserAct.Requirement

    package var preference: Preference
    private var authenticatedAt: ContinuousClock.Instant?

    package init(preference: Preference) {
        self.preference = preference
    }

    package mutating func authenticated(at now: ContinuousClock.Instant) {
        authenticatedAt = now
    }

    package mutating func forget() {
        authenticatedAt = nil
    }

    /// - Parameters:
    ///   - wasReleasedBefore: whether this credential went to this origin before.
    ///   - guardHeld: whether the bar was visible, whole and unzoomed for long enough.
    ///   - consent: what the match itself demands, whatever the surface and the preference.
    ///   - followsPassword: whether this is a code, and the same document was given the password of the same account a moment ago
    ///     (`TabAccounts.codeLifetime`). That was the user's yes to both, unless the user wants to be asked always.
    package func requirement(
        on surface: Surface, wasReleasedBefore: Bool, guardHeld: Bool, consent: Requirement = .nothing,
        followsPassword: Bool = false, at now: ContinuousClock.Instant
    ) -> Requirement {
        let follows = followsPassword && preference != .always
        if consent == .authentication || !(follows || isAuthenticated(at: now)) { return .authentication }
        if consent == .confirmation { return .confirmation }
        if surface == .bar && !((wasReleasedBefore || follows) && guardHeld) { return .confirmation }
        return .nothing
    }

    /// Whether the preference is satisfied without asking again.
    package func isAuthenticated(at now: ContinuousClock.Instant) -> Bool {
        switch preference {
        case .always: false
        case .never: true
        case .after(let span): authenticatedAt.map { now < $0 + span } ?? false
        }
    }
}
