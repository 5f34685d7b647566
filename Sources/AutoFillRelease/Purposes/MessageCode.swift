// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching
package import SecurityCodes

/// Fills a code from a message into a document.
package struct MessageCode: ReleasePurpose {
    private let secret: HeldSecret
    private let binding: SecurityCode
    private let chosen: VerifiedOrigin
    private let confirmed: VerifiedOrigin?

    /// - Parameters:
    ///   - secret: The code as it is held now.
    ///   - binding: What the message says about the code's place, without the code itself.
    ///   - confirmed: The origin that the browser stated again, after everything else.
    package init(_ secret: HeldSecret, binding: SecurityCode, chosen: VerifiedOrigin, confirmed: VerifiedOrigin?) {
        self.secret = secret
        self.binding = binding
        self.chosen = chosen
        self.confirmed = confirmed
    }

    package var destination: Destination { .document(chosen) }
    package var requester: String { chosen.origin.description }
    // The code does not come from a provider.
    package var needsEnabledProvider: Bool { false }
    package var takenBack: String { "the page was left" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard let confirmed, confirmed == chosen else { throw ReleaseRefusal(reason: "the page has changed since") }
        try act.checkTap()
        guard secret.isSame(as: credential.password) else { throw ReleaseRefusal(reason: "it is another code") }
        // Decided again from the message itself, not from the row that was tapped.
        let standing = CodeOffers(policy.suffixes).standing(of: binding, in: chosen.chain)
        guard let basis = standing.basis else { throw ReleaseRefusal(reason: standing.refusedBecause) }
        return basis
    }
}
