// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching

/// The extension's report on a choice: did the user see the suggestion, and the fields that it fills?
struct PlainSight: Sendable, Hashable {
    /// Of the row that was chosen.
    let report: GuardReport
    /// The reasons against filling the fields without a question.
    let doubts: FieldDoubts

    /// Nothing speaks against the choice.
    static let certain = PlainSight(report: GuardReport(held: true), doubts: .none)

    /// Whether nothing was found to be wrong, and this browser does not say all that others do. Firefox does not say what lies over a suggestion
    /// and over fields.
    var isUnstatedAlone: Bool {
        guard doubts.areUnstatedAtMost else { return false }
        return report.held ? !doubts.isEmpty : report.reason == GuardReport.unstated
    }

    /// The yes that stands in for what the browser does not state, so that it is asked for once for each account at its origin.
    ///
    /// - Returns: `nil` if the browser states all, or if something was found to be wrong; also in frames, which the page around can cover without
    ///   this browser saying so, and on pages that anybody on the network can change.
    func consent(for identity: CredentialIdentity, _ provider: BundleIdentifier, at origin: VerifiedOrigin)
        -> ConsentBook.Subject?
    {
        guard isUnstatedAlone, origin.chain.ancestors.isEmpty,
            origin.origin.isPotentiallyTrustworthy || origin.origin.isLocal
        else { return nil }
        return .init(
            kind: .unstated, top: nil, origin: origin.origin.description, provider: provider, identity: identity)
    }
}
