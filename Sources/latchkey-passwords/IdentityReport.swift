// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillVault

/// Tells the identity store what the vault has.
///
/// The vault's outbox says that something changed, not what identities an item had before. So the difference is taken
/// from the items before and after while this process lives, and after anything that went wrong everything is given
/// again.
final class IdentityReport {
    /// Whether the store may lack a change, or hold an identity that is no more.
    var isBehind = false
    private let store: ASCredentialIdentityStore

    init(store: ASCredentialIdentityStore) {
        self.store = store
    }

    /// Brings the store up to date after a change. A failure is made good with the next change or at the next start:
    /// the vault has the change, and who asked for it must not be told that it has not.
    nonisolated(nonsending) func push(_ vault: Vault, before: [VaultItem], after: [VaultItem]) async {
        do {
            let pending = try vault.pendingIdentityChanges()
            let state = await store.state()
            guard state.isEnabled else {
                isBehind = true
                return
            }
            if isBehind || !state.supportsIncrementalUpdates {
                try await store.replaceCredentialIdentities(with: try vault.items().flatMap(Self.identities))
            } else {
                let (old, new) = (before.flatMap(Self.claims), after.flatMap(Self.claims))
                let gone = Set(old).subtracting(new).map(\.identity)
                if !gone.isEmpty { try await store.removeCredentialIdentities(gone) }
                if !new.isEmpty { try await store.saveCredentialIdentities(new.map(\.identity)) }
            }
            if let last = pending.last { try vault.acknowledge(upTo: last.sequence) }
            isBehind = false
        } catch {
            isBehind = true
        }
    }

    private struct Claim: Hashable {
        let id: String
        let service: ServiceText
        let user: String

        var identity: ASPasswordCredentialIdentity {
            ASPasswordCredentialIdentity(serviceIdentifier: service.identifier, user: user, recordIdentifier: id)
        }
    }

    /// One for each service of an item that is not removed.
    private static func claims(of item: VaultItem) -> [Claim] {
        guard item.removed == nil else { return [] }
        return item.services.map { Claim(id: item.id, service: ServiceText($0), user: item.user) }
    }

    private static func identities(of item: VaultItem) -> [ASPasswordCredentialIdentity] {
        claims(of: item).map(\.identity)
    }
}
