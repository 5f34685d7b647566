// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillMatching

extension Consent {
    /// The sentence that tells the user about it, outside every page.
    func sentence(site: String) -> String {
        switch self {
        case .sharedService(let savedFor): "\(site) shares its accounts with \(savedFor)."
        case .frame: "Your answer counts for this account in frames of this site inside that page until you revoke it."
        case .insecureLocal:
            "This page is not encrypted: others on this network may read what is filled. Your answer holds for this account on this host until you revoke it."
        }
    }

    /// The subject under which it is remembered; `nil` for a consent that is asked for each time.
    func subject(of identity: CredentialIdentity, _ provider: BundleIdentifier, in chain: FrameChain)
        -> ConsentBook.Subject?
    {
        switch self {
        case .sharedService: nil
        case .frame(let top, let frame):
            .init(
                kind: .frame, top: top.description, origin: frame.description, provider: provider, identity: identity,
                between: chain.ancestors.dropLast().map(\.description))
        case .insecureLocal:
            .init(
                kind: .insecureLocal, top: nil, origin: chain.document.description, provider: provider,
                identity: identity)
        }
    }
}
