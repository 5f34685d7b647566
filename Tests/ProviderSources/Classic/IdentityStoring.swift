// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// The store behind a protocol, as apps do it for their tests; the class has to satisfy it as it is.
protocol IdentityStoring {
    func state() async -> ASCredentialIdentityStoreState
    func saveCredentialIdentities(_ credentialIdentities: [ASPasswordCredentialIdentity]) async throws
    func removeCredentialIdentities(_ credentialIdentities: [ASPasswordCredentialIdentity]) async throws
    func replaceCredentialIdentities(with newCredentialIdentities: [ASPasswordCredentialIdentity]) async throws
    func saveCredentialIdentities(_ credentialIdentities: [any ASCredentialIdentity]) async throws
    func removeCredentialIdentities(_ credentialIdentities: [any ASCredentialIdentity]) async throws
    func replaceCredentialIdentities(_ newCredentialIdentities: [any ASCredentialIdentity]) async throws
    func removeAllCredentialIdentities() async throws
}

extension ASCredentialIdentityStore: IdentityStoring {}

@MainActor
final class IdentityStoreSync {
    private let store: IdentityStoring

    init(store: IdentityStoring = ASCredentialIdentityStore.shared) {
        self.store = store
    }

    /// Whether the store holds these afterwards.
    func sync(_ identities: [ASPasswordCredentialIdentity]) async -> Bool {
        let state = await store.state()
        guard state.isEnabled else { return false }
        do {
            if state.supportsIncrementalUpdates {
                try await store.saveCredentialIdentities(identities)
            } else {
                try await store.replaceCredentialIdentities(with: identities)
            }
            return true
        } catch {
            return false
        }
    }

    func remove(_ identities: [ASPasswordCredentialIdentity]) async throws {
        try await store.removeCredentialIdentities(identities as [ASCredentialIdentity])
    }
}
