// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import PassStore
internal import ShownText

/// Tells the identity store what the password store holds.
struct IdentityReport: Sendable {
    let store: ASCredentialIdentityStore

    /// Brings the identity store from what it was told before to what it is to hold.
    ///
    /// - Returns: What it holds now; nothing when that is not known, and then everything is given again next time.
    nonisolated(nonsending) func push(
        _ claims: [EntryKnowledge.Claim], before: [EntryKnowledge.Claim]?
    ) async -> [EntryKnowledge.Claim]? {
        let state = await store.state()
        guard state.isEnabled else { return nil }
        // The store takes nothing with a control character, and would refuse everything for the sake of one.
        let claims = claims.filter { !$0.holdsControls }
        let before = before?.filter { !$0.holdsControls }
        do {
            if let before, state.supportsIncrementalUpdates {
                let gone = Set(before).subtracting(claims)
                let new = Set(claims).subtracting(before)
                if !gone.isEmpty { try await store.removeCredentialIdentities(gone.map(\.identity)) }
                if !new.isEmpty { try await store.saveCredentialIdentities(new.map(\.identity)) }
            } else {
                try await store.replaceCredentialIdentities(claims.map(\.identity))
            }
            return claims
        } catch {
            return nil
        }
    }
}

extension EntryKnowledge.Claim {
    fileprivate var holdsControls: Bool {
        user.holdsControls || service.holdsControls || record.holdsControls
    }

    fileprivate var identity: any ASCredentialIdentity {
        let identifier = ASCredentialServiceIdentifier(identifier: service, type: isURL ? .URL : .domain)
        if isCode {
            let code = ASOneTimeCodeCredentialIdentity(
                serviceIdentifier: identifier, label: user, recordIdentifier: record)
            code.period = period
            return code
        }
        return ASPasswordCredentialIdentity(serviceIdentifier: identifier, user: user, recordIdentifier: record)
    }
}
