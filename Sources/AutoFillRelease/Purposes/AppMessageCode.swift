// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
package import AutoFillMatching
package import SecurityCodes

/// A code that came in a message, to an app.
package struct AppMessageCode: ReleasePurpose {
    private let secret: HeldSecret
    private let binding: SecurityCode
    private let chosen: VerifiedApp
    private let confirmed: VerifiedApp?
    private let association: VerifiedAssociation?

    /// - Parameters:
    ///   - secret: the code that is kept now.
    ///   - binding: what the message says about where the code belongs; without the code.
    ///   - confirmed: what was found about the app, as `association` was, after everything else.
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
    // It is nobody's.
    package var needsEnabledProvider: Bool { false }
    package var takenBack: String { "the app took it back" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        try act.checkSurfaceOfOurs()
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the app is not what it was when it asked")
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
