// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import Logging

/// Reads the identity stores off this actor, so that a store that is large, busy or slow delays nothing else.
extension IdentityStores {
    /// Reads the stores of some providers, or of all, and returns what each has; a store that does not answer in time is left out.
    ///
    /// Other state may have changed when it returns; only a lock in between throws.
    func reading<Value: Sendable>(
        of providers: [BundleIdentifier]? = nil, _ read: @escaping @Sendable (IdentityStore) throws -> Value
    ) async throws -> [(provider: BundleIdentifier, value: Value)] {
        try await asking(providers) { [storeWork, time = broker.time] stores, deadline in
            await storeWork.read(stores, until: deadline, wait: time.wait, read)
        }
    }

    /// Looks up the identities that share a term, and picks from them for each provider. `pick` runs off this actor too.
    func lookup<Value: Sendable>(
        _ terms: [String], of providers: [BundleIdentifier]? = nil, _ pick: @escaping StoreWork.Pick<Value>
    ) async throws -> [(provider: BundleIdentifier, value: Value)] {
        try await asking(providers) { [storeWork, time = broker.time] stores, deadline in
            await storeWork.lookup(terms, in: stores, until: deadline, wait: time.wait, pick)
        }
    }

    private func asking<Value: Sendable>(
        _ providers: [BundleIdentifier]?,
        _ ask:
            @Sendable ([IdentityStore], ContinuousClock.Instant) async -> [BundleIdentifier: Result<Value, any Error>]
    ) async throws -> [(provider: BundleIdentifier, value: Value)] {
        guard let unlocked = broker.session else { throw Broker.lockedMeanwhile }
        let keys = try unlocked.keys
        let order = providers ?? keys.order
        let found = await ask(order.compactMap { keys.stores[$0] }, broker.time.now() + StoreWork.patience)
        try unlocked.check()
        return try order.compactMap { provider in
            guard let result = found[provider] else {
                if keys.stores[provider] != nil {
                    broker.logger.warning(
                        "an identity store does not answer in time", metadata: ["provider": "\(provider)"])
                }
                return nil
            }
            return (provider, try result.get())
        }
    }
}
