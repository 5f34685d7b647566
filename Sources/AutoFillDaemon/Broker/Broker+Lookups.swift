// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import Logging

/// Looking into the identity stores, off this actor: a store that is large, busy or slow holds up nobody else.
extension Broker {
    /// Reads the stores of some providers, or of all, and returns what each has; a store that does not answer in time is left out.
    ///
    /// Whoever calls it finds another state afterwards, except that a lock in between throws.
    func reading<Value: Sendable>(
        of providers: [BundleIdentifier]? = nil, _ read: @escaping @Sendable (IdentityStore) throws -> Value
    ) async throws -> [(provider: BundleIdentifier, value: Value)] {
        guard let keys = unlocked else { throw Self.lockedMeanwhile }
        let order = providers ?? keys.order
        let locks = lockCount
        let (wait, deadline) = (time.wait, time.now() + StoreWork.patience)
        let found = await storeWork.read(
            order.compactMap { keys.stores[$0] }, until: deadline, wait: wait, read)
        guard lockCount == locks, unlocked != nil else { throw Self.lockedMeanwhile }
        return try order.compactMap { provider in
            guard let result = found[provider] else {
                if keys.stores[provider] != nil {
                    logger.warning(
                        "an identity store does not answer in time", metadata: ["provider": "\(provider)"])
                }
                return nil
            }
            return (provider, try result.get())
        }
    }

    /// The identities that share a word with something, by provider.
    func lookup(_ terms: [String], of providers: [BundleIdentifier]? = nil) async throws
        -> [(provider: BundleIdentifier, value: [CredentialIdentity])]
    {
        try await reading(of: providers) { try $0.lookup(terms: terms) }
    }
}
