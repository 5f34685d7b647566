// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillRelease
internal import ShownText

/// A credential that git may be given.
struct GitCandidate: Sendable {
    let provider: BundleIdentifier
    let identity: CredentialIdentity
    let fit: GitFit
    let marks: CredentialMarks

    /// The candidates, the best first: not rejected by a server before rejected ones, then the closer fit, then the provider's rank.
    static func sorted(_ candidates: [GitCandidate]) -> [GitCandidate] {
        candidates.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            // Compared without negating a rank: a provider may state any number.
            return (a.marks.rejected == nil ? 0 : 1, a.fit.rawValue, b.identity.rank, one.offset)
                < (b.marks.rejected == nil ? 0 : 1, b.fit.rawValue, a.identity.rank, other.offset)
        }.map(\.element)
    }

    /// The name under which its marks and agreements are kept.
    var name: String { CredentialMarks.name(of: identity, provider: provider) }
    /// Whether it may be given without the user's looking at it.
    var isPlain: Bool { fit != .elsewhere && marks.rejected == nil }

    /// The subject of the user's act when it is chosen.
    func subject(for request: GitRequest, in epoch: UserAct.Epoch) -> ActSubject {
        ActSubject(identity: identity, provider: provider, destination: .git(request), epoch: epoch)
    }

    /// The choice as it is put to the user.
    func choice(
        for request: GitRequest, in epoch: UserAct.Epoch, wantsPassphrase: Bool = false
    ) -> GitChoice {
        GitChoice(
            subject(for: request, in: epoch), account: account, name: name, isPlain: isPlain,
            wantsPassphrase: wantsPassphrase)
    }

    /// The one login that was saved for exactly this place; `nil` where there are none or several.
    ///
    /// - Parameter candidates: The candidates, the best first.
    static func onlyExact(_ candidates: [GitCandidate]) -> GitCandidate? {
        let exact = candidates.filter { $0.isPlain && $0.fit == candidates.first?.fit }
        return exact.count == 1 ? exact.first : nil
    }

    var account: GitAccount {
        let note: DisplayText? =
            if marks.rejected != nil {
                "the server said no to it the last time"
            } else if fit == .elsewhere {
                "for another host or path"
            } else {
                nil
            }
        return GitAccount(
            user: DisplayText(identity.user, placeholder: "(no user name)"),
            service: DisplayText(identity.service.value), note: note)
    }
}
