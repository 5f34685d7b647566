// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillMatching

/// Fills a newly generated and saved password into the document it was generated for.
package struct GeneratedFill: ReleasePurpose {
    private let chosen: VerifiedOrigin
    private let confirmed: VerifiedOrigin?

    /// - Parameter confirmed: The origin that the browser stated again, after everything else.
    package init(chosen: VerifiedOrigin, confirmed: VerifiedOrigin?) {
        self.chosen = chosen
        self.confirmed = confirmed
    }

    package var destination: Destination { .document(chosen) }
    package var requester: String { chosen.origin.description }
    package var wanted: String? { "a generated password" }
    package var takenBack: String { "the page was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard confirmed == chosen else { throw ReleaseRefusal(reason: "the page has changed since it was made") }
        // A generated password is only for its own place. One with a record identifier is an existing credential, not a new one.
        guard policy.match(SavedService(credential.identity), for: chosen.chain).decision == .exact,
            credential.identity.recordIdentifier == nil
        else { throw ReleaseRefusal(reason: "it was not made for this place") }
        return try policy.basis(of: SavedService(credential.identity), for: chosen, act)
    }
}

/// Shows the same password in a question outside of the page, where the user looks at it first.
package struct GeneratedShown: ReleasePurpose {
    private let chosen: VerifiedOrigin

    package init(_ chosen: VerifiedOrigin) {
        self.chosen = chosen
    }

    package var destination: Destination { .question(about: chosen) }
    package var requester: String { chosen.origin.description }
    package var wanted: String? { "show, a generated password" }
    package var takenBack: String { "the page was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface == .window, credential.identity.recordIdentifier == nil,
            policy.match(SavedService(credential.identity), for: chosen.chain).decision == .exact
        else { throw ReleaseRefusal(reason: "it is shown outside of the page it was made for, or nowhere") }
        return nil
    }
}
