// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAssociations
internal import AutoFillCredentials
internal import AutoFillMatching

extension MatchPolicy {
    /// Whether what was saved for a service may go to an app. Asked where rows are made and again at the gate.
    func match(_ identity: CredentialIdentity, for associations: [VerifiedAssociation]) -> Match {
        match(SavedService(identity), associated: associations.compactMap(\.host))
    }
}
