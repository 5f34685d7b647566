// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillMatching

/// What a browser's extension has found out about a choice: whether the user saw the suggestion, and the fields that it fills.
struct PlainSight: Sendable, Hashable {
    /// Of the row that was chosen.
    let report: GuardReport
    /// What speaks against filling the fields without a question.
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
    /// - Returns: `nil` where the browser states all, where something else was found, and where there is no place for which a yes holds: in
    ///   frames, which a page can cover or move without this browser saying so, and where anybody on the way can write the page.
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
