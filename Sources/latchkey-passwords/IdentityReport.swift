// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import AutoFillVault
internal import ShownText

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
                try await store.replaceCredentialIdentities(
                    try vault.readableItems().items.flatMap { Self.claims(of: $0, in: vault) }.map(\.identity))
            } else {
                let old = before.flatMap { Self.claims(of: $0, in: nil) }
                let new = after.flatMap { Self.claims(of: $0, in: vault) }
                let gone = Set(old.map(\.key)).subtracting(new.map(\.key)).map(\.identity)
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
        let isStrict: Bool
        /// Whether it is for one-time codes instead of a password.
        var isCode = false
        /// For how many seconds a code is the current one.
        var period: Int?

        var identity: any ASCredentialIdentity {
            if isCode {
                let identity = ASOneTimeCodeCredentialIdentity(
                    serviceIdentifier: service.identifier,
                    label: user,
                    recordIdentifier: id
                )
                identity.isStrict = isStrict
                identity.period = period
                return identity
            }
            let identity = ASPasswordCredentialIdentity(
                serviceIdentifier: service.identifier,
                user: user,
                recordIdentifier: id
            )
            identity.isStrict = isStrict
            return identity
        }

        /// What tells its identity from others: strictness and period do not, saving it replaces the one before.
        var key: Claim { Claim(id: id, service: service, user: user, isStrict: false, isCode: isCode) }
    }

    /// One for each service of an item that is not removed, and one more where it has an authenticator.
    ///
    /// - Parameter vault: says for how long the codes are good; nothing where that does not matter.
    private static func claims(of item: VaultItem, in vault: Vault?) -> [Claim] {
        // The store takes no name with a control character; an old item with one is reached by the command line alone.
        guard item.removed == nil, !item.user.holdsControls else { return [] }
        let passwords = item.services.filter { !$0.holdsControls }.map {
            Claim(id: item.id, service: ServiceText($0), user: item.user, isStrict: item.isStrict)
        }
        guard item.hasAuthenticator else { return passwords }
        let link = vault.flatMap { (try? $0.authenticator(of: item.id)) ?? nil }
        let period = link.flatMap { try? AuthenticatorKey($0).period }
        return passwords
            + passwords.map {
                Claim(
                    id: $0.id,
                    service: $0.service,
                    user: $0.user,
                    isStrict: $0.isStrict,
                    isCode: true,
                    period: period
                )
            }
    }
}
