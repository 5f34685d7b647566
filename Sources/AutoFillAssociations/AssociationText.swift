// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How associations are told to people, in the spirit of `swcd`.
public enum AssociationText {
    /// `Request for 'https://wrong.example.com/apple-app-site-association' denied: 404 Not Found`.
    public static func line(_ request: AssociationAnswer.Request) -> String {
        let word =
            switch request.kind {
            case .delivered: "succeeded"
            case .denied: "denied"
            case .failed: "failed"
            }
        return "Request for '\(request.url)' \(word): \(request.outcome)"
    }

    /// `Updated app ID 'E5336VM85F.com.example.Shiny', domain 'shiny.example.com', SiteApproved`.
    public static func line(_ app: AppIdentifier, _ domain: AssociatedDomain, _ verdict: AssociationVerdict) -> String {
        let detail = detail(verdict).map { ": \($0)" } ?? ""
        return "Updated app ID '\(app)', domain '\(domain.domain)', \(word(verdict))\(detail)"
    }

    static func line(_ standing: AssociationBook.Standing) -> String {
        line(standing.association.app, standing.association.domain, standing.verdict)
    }

    /// Everything that was asked for an answer, and what the file says.
    public static func lines(_ answer: AssociationAnswer) -> [String] {
        answer.requests.map(line)
    }

    /// One word for a verdict; programs may rely on it.
    public static func word(_ verdict: AssociationVerdict) -> String {
        switch verdict {
        case .pending: "Pending"
        case .siteApproved: "SiteApproved"
        case .siteDenied: "SiteDenied"
        case .retrying: "Retrying"
        case .unreachable: "Unreachable"
        case .modeNotAllowed: "ModeNotAllowed"
        case .removed: "UserRemoved"
        }
    }

    /// Why, where there is more to say than the word.
    public static func detail(_ verdict: AssociationVerdict) -> String? {
        switch verdict {
        case .pending, .siteApproved, .removed: nil
        case .siteDenied(let denial): denial.reason
        case .retrying(let trouble, let failures, _, let isApproved):
            "\(trouble.reason) (failure \(failures), \(AssociationState.retryLimit) retries"
                + (isApproved ? "; the earlier approval counts meanwhile)" : ")")
        case .unreachable(let trouble): trouble.reason
        case .modeNotAllowed(.developer): "developer mode is off, or the app is not a debug build"
        case .modeNotAllowed: "the administrator of this machine has not agreed"
        }
    }
}
