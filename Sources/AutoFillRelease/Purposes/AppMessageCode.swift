// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
package import AutoFillMatching
package import SecurityCodes

/// Fills a code from a message into an app.
package struct AppMessageCode: ReleasePurpose {
    private let secret: HeldSecret
    private let binding: SecurityCode
    private let chosen: VerifiedApp
    private let confirmed: VerifiedApp?
    private let association: VerifiedAssociation?

    /// - Parameters:
    ///   - secret: The code as it is held now.
    ///   - binding: What the message says about the code's place, without the code itself.
    ///   - confirmed: The app as identified after everything else, like `association`.
    package init(
        _ secret: HeldSecret, binding: SecurityCode, chosen: VerifiedApp, confirmed: VerifiedApp?,
        association: VerifiedAssociation?
    ) {
        self.secret = secret
        self.binding = binding
        self.chosen = chosen
        self.confirmed = confirmed
        self.association = association
    }

    package var destination: Destination { .app(chosen) }
    package var requester: String { chosen.description }
    // The code does not come from a provider.
    package var needsEnabledProvider: Bool { false }
    package var takenBack: String { "the app took it back" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        try act.checkSurfaceOfOurs()
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the app was replaced after it asked")
        }
        guard secret.isSame(as: credential.password) else { throw ReleaseRefusal(reason: "it is another code") }
        guard let association, association.app == confirmed.identifier, let host = association.host else {
            throw ReleaseRefusal(reason: MatchRefusal.notAssociated.rawValue)
        }
        let standing = CodeOffers(policy.suffixes).standing(of: binding, forAppWith: [host])
        guard standing.basis != nil else { throw ReleaseRefusal(reason: standing.refusedBecause) }
        return standing == .unbound ? "bound to no site" : "bound to a host that names the app"
    }
}
