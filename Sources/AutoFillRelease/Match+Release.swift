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
    /// Whether a user may have a credential filled into a document for which it is refused, once, after both names were shown
    /// to them outside of every page. Never what was saved on https into a page that is not.
    package func mayBeUsedAnyway(_ saved: SavedService, in chain: FrameChain) -> Bool {
        guard let refusal = match(saved, for: chain).refusal, [.otherHost, .otherPort, .strict].contains(refusal),
            let origin = Origin(written: saved.service.value)
        else { return false }
        // The refusal names the first obstacle, and there may be others behind it.
        return origin.scheme == .http || chain.document.scheme == .https
    }
}

extension Consent {
    /// What the audit log says of it.
    package var words: String {
        switch self {
        case .sharedService(let savedFor): "shared with \(savedFor)"
        case .frame(let top, _): "in a frame inside \(top)"
        case .insecureLocal: "without encryption on the local network"
        }
    }
}
