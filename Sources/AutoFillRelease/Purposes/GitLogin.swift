// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
package import AutoFillMatching

/// Gives a saved password to git, for a server that git named.
package struct GitLogin: ReleasePurpose {
    private let request: GitRequest
    private let wasChosen: Bool
    package let wanted: String?

    /// - Parameters:
    ///   - starter: The program that started git, for the audit log.
    ///   - wasChosen: Whether the user saw the service it was saved for.
    package init(_ request: GitRequest, startedBy starter: String, wasChosen: Bool) {
        self.request = request
        wanted = starter
        self.wasChosen = wasChosen
    }

    package var destination: Destination { .git(request) }
    package var requester: String { request.site }
    package var isOfTheAccount: Bool { true }
    package var takenBack: String { "git is gone" }

    package func check(
        _ credential: HeldCredential, _ act: UserAct, _ policy: MatchPolicy
    ) throws(ReleaseRefusal) -> String? {
        guard act.surface != .bar, act.surface != .popup else {
            throw ReleaseRefusal(reason: "git is answered outside of browsers")
        }
        let match = policy.match(SavedService(credential.identity), for: NamedServer(request.origin))
        if let refusal = match.refusal { throw ReleaseRefusal(reason: refusal.rawValue) }
        guard match.decision == .exact || match.decision == .sameSite else {
            throw ReleaseRefusal(reason: "it was saved for another site")
        }
        guard let fit = GitFit(credential.identity.service, isExact: match.decision == .exact, for: request) else {
            throw ReleaseRefusal(reason: "it was saved for another repository")
        }
        guard fit != .elsewhere || wasChosen else {
            throw ReleaseRefusal(reason: "the user has not confirmed that it may be used here")
        }
        return nil
    }
}
