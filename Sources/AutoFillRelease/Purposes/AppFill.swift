// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
internal import AutoFillCredentials
package import AutoFillMatching

/// Fills a saved password, or a provider's code, into an app.
package struct AppFill: ReleasePurpose {
    private let chosen: VerifiedApp
    private let confirmed: VerifiedApp?
    private let association: VerifiedAssociation?

    /// - Parameter confirmed: The app as identified after everything else, like `association`.
    package init(chosen: VerifiedApp, confirmed: VerifiedApp?, association: VerifiedAssociation?) {
        self.chosen = chosen
        self.confirmed = confirmed
        self.association = association
    }

    package var destination: Destination { .app(chosen) }
    package var requester: String { chosen.description }
    package var isOfTheAccount: Bool { true }
    package var takenBack: String { "the app took it back" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        try act.checkSurfaceOfOurs()
        guard let confirmed, confirmed == chosen else {
            throw ReleaseRefusal(reason: "the app was replaced after it asked")
        }
        try policy.check(credential, for: confirmed.identifier, association)
        return nil
    }
}

/// Fills into an app what the user chose in a provider's own list, whose saved service is unknown here.
package struct AppListFill: ReleasePurpose {
    private let fill: AppFill

    /// - Parameter confirmed: The app as identified after everything else, like `association`.
    package init(chosen: VerifiedApp, confirmed: VerifiedApp?, association: VerifiedAssociation?) {
        fill = AppFill(chosen: chosen, confirmed: confirmed, association: association)
    }

    package var destination: Destination { fill.destination }
    package var requester: String { fill.requester }
    package var isOfTheAccount: Bool { true }
    package var takenBack: String { fill.takenBack }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        // The service is unknown, so the place counts as the app itself. Beyond what an app always needs, the user has
        // to have agreed to that, and to have entered the passphrase.
        guard credential.identity.recordIdentifier == nil, act.agreements.contains(.foreign) else {
            throw ReleaseRefusal(reason: "the user has not confirmed that it may be used here")
        }
        guard act.authentication == .passphrase else {
            throw ReleaseRefusal(reason: "a choice in a provider's own list takes the passphrase")
        }
        _ = try fill.check(credential, act, policy)
        return "chosen in the provider's own list, as the user said"
    }
}
