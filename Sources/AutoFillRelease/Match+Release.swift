// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials
package import AutoFillMatching

extension SavedService {
    package init(_ identity: CredentialIdentity) {
        self.init(identity.service, isStrict: identity.isStrict)
    }
}

extension MatchPolicy {
    /// Whether the user may fill a refused credential into a document once, after seeing both names outside of every page.
    ///
    /// A credential saved on https is never used in a page that is not https.
    package func mayBeUsedAnyway(_ saved: SavedService, in chain: FrameChain) -> Bool {
        guard let refusal = match(saved, for: chain).refusal, [.otherHost, .otherPort, .strict].contains(refusal),
            let origin = Origin(written: saved.service.value)
        else { return false }
        // The refusal names only the first obstacle, so the scheme is checked separately.
        return origin.scheme == .http || chain.document.scheme == .https
    }
}

extension Consent {
    /// The match as the audit log words it.
    package var words: String {
        switch self {
        case .sharedService(let savedFor): "shared with \(savedFor)"
        case .frame(let top, _): "in a frame inside \(top)"
        case .insecureLocal: "without encryption on the local network"
        }
    }
}
