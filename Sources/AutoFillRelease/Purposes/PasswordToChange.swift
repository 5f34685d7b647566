// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
package import AutoFillCredentials
package import AutoFillMatching

/// Gives a password to the extension that changes it at its service: the saved one, or the one to be set.
package struct PasswordToChange: ReleasePurpose {
    private let changer: BundleIdentifier
    private let app: AppIdentifier
    private let association: VerifiedAssociation?
    private let isNew: Bool

    /// - Parameters:
    ///   - changer: The extension.
    ///   - association: The association of its app, as verified after everything else.
    ///   - isNew: Whether it is the password to be set, which was just generated and saved.
    package init(
        by changer: BundleIdentifier, of app: AppIdentifier, association: VerifiedAssociation?, isNew: Bool
    ) {
        self.changer = changer
        self.app = app
        self.association = association
        self.isNew = isNew
    }

    package var destination: Destination { .changer(changer, of: app) }
    package var requester: String { "\(changer) of \(app)" }
    package var wanted: String? { isNew ? "a generated password, to change to" : "to be changed" }
    package var isOfTheAccount: Bool { !isNew }
    package var takenBack: String { "the change was cancelled" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface != .bar else {
            throw ReleaseRefusal(reason: "a change of a password is asked for outside of pages")
        }
        guard isNew == (credential.identity.recordIdentifier == nil && act.authentication == .new) else {
            throw ReleaseRefusal(reason: "a new password has to be one just made, and an old one a saved one")
        }
        try policy.check(credential, for: app, association)
        return nil
    }
}
