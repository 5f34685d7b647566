// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillAssociations
package import AutoFillCredentials
package import AutoFillMatching

extension MatchPolicy {
    /// Whether a credential saved for a service may be released to an app. Decided when rows are made, and again at the gate.
    package func match(_ identity: CredentialIdentity, for associations: [VerifiedAssociation]) -> Match {
        match(SavedService(identity), associated: associations.compactMap(\.host))
    }
}
