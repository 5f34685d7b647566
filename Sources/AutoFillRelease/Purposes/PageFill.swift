// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching

/// Fills a saved password, or a provider's code, into a document.
package struct PageFill: ReleasePurpose {
    private let chosen: VerifiedOrigin
    private let confirmed: VerifiedOrigin?

    /// - Parameter confirmed: The origin that the browser stated again, after everything else.
    package init(chosen: VerifiedOrigin, confirmed: VerifiedOrigin?) {
        self.chosen = chosen
        self.confirmed = confirmed
    }

    package var destination: Destination { .document(chosen) }
    package var requester: String { chosen.origin.description }
    package var isOfTheAccount: Bool { true }
    package var takenBack: String { "the page was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard let confirmed, confirmed == chosen else { throw ReleaseRefusal(reason: "the page has changed since") }
        try act.checkTap()
        return try policy.basis(of: SavedService(credential.identity), for: chosen, act)
    }
}
