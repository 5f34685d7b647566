// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// When the user has to be asked before a release, and what for (section 8, step 4, of `docs/protocol.md`).
struct AuthenticationPolicy: Sendable {
    /// The user's preference.
    enum Preference: Hashable, Sendable {
        case always
        case after(Duration)
        case never
    }

    /// Where the user's act took place.
    enum Surface: String, Hashable, Sendable {
        /// Inside a page: a choice, never an authentication.
        case bar
        case popup
        case window
        /// The command line.
        case terminal
    }

    /// What has to happen first.
    enum Requirement: Hashable, Sendable {
        case nothing
        /// The user agrees on a surface outside the page.
        case confirmation
        /// The user proves who they are, which is agreement too.
        case authentication
    }

    var preference: Preference
    private var authenticatedAt: ContinuousClock.Instant?

    init(preference: Preference) {
        self.preference = preference
    }

    mutating func authenticated(at now: ContinuousClock.Instant) {
        authenticatedAt = now
    }

    mutating func forget() {
        authenticatedAt = nil
    }

    /// - Parameters:
    ///   - wasReleasedBefore: whether this credential went to this origin before.
    ///   - guardHeld: whether the bar was visible, whole and unzoomed for long enough.
    ///   - consent: what the match itself demands, whatever the surface and the preference.
    ///   - followsPassword: whether this is a code, and the same document was given the password of the same account a moment ago
    ///     (`TabAccounts.codeLifetime`). That was the user's yes to both, unless the user wants to be asked always.
    func requirement(
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
    func isAuthenticated(at now: ContinuousClock.Instant) -> Bool {
        switch preference {
        case .always: false
        case .never: true
        case .after(let span): authenticatedAt.map { now < $0 + span } ?? false
        }
    }
}
