// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Synchronization

/// The way to the daemon's identity store: one operation at a time, in the order in which they were asked for.
///
/// The wire does not keep an order between requests, and a provider that removes an identity and then saves it must not
/// end without it.
package final class StoreConnection: Sendable {
    /// What is done with a list of identities.
    enum Operation: String, Sendable {
        case save, remove, replace
    }

    private struct State {
        var peer: Peer?
        var last: Task<Void, Never>?
    }

    private let current = Mutex(State())

    /// A way that leads nowhere yet.
    package init() {}

    /// From now on this is the daemon.
    func connect(to peer: Peer) {
        current.withLock { $0.peer = peer }
    }

    /// Asks for the state; where there is no answer, the store is as good as disabled.
    func state() -> Task<ASCredentialIdentityStoreState, Never> {
        let answer = enqueue { peer in try await peer.call(Provider.StoreState.self, Empty()) }
        return Task {
            guard let answer = try? await answer.value else { return ASCredentialIdentityStoreState() }
            return ASCredentialIdentityStoreState(
                isEnabled: answer.enabled,
                supportsIncrementalUpdates: answer.supportsIncrementalUpdates
            )
        }
    }

    /// Removes everything.
    func removeAll() -> Task<Void, any Error> {
        enqueue { peer in _ = try await peer.call(Provider.RemoveAllIdentities.self, Empty()) }
    }

    /// Changes the store by a list, in as many messages as it takes. Nothing is sent when one of them cannot travel.
    func change(_ operation: Operation, _ identities: [IdentityStatement?]) -> Task<Void, any Error> {
        let known = identities.compactMap { $0 }
        guard known.count == identities.count else {
            return Task { throw ASCredentialIdentityStoreError.refusing("An identity is of a type that is not known.") }
        }
        return enqueue { peer in
            let parts = try IdentityParts.split(known)
            guard parts.count > 1 else {
                return try await Self.send(operation, IdentitiesParams(identities: known), to: peer)
            }
            let begin = Provider.BeginBatch.Params(operation: operation.rawValue)
            let batch = try await peer.call(Provider.BeginBatch.self, begin).batch
            for part in parts {
                let append = Provider.AppendBatch.Params(batch: batch, identities: part)
                _ = try await peer.call(Provider.AppendBatch.self, append)
            }
            _ = try await peer.call(Provider.CommitBatch.self, .init(batch: batch))
        }
    }

    private static func send(_ operation: Operation, _ params: IdentitiesParams, to peer: Peer) async throws {
        switch operation {
        case .save: _ = try await peer.call(Provider.SaveIdentities.self, params)
        case .remove: _ = try await peer.call(Provider.RemoveIdentities.self, params)
        case .replace: _ = try await peer.call(Provider.ReplaceIdentities.self, params)
        }
    }

    private func enqueue<Answer: Sendable>(
        _ operation: @escaping @Sendable (Peer) async throws -> Answer
    ) -> Task<Answer, any Error> {
        current.withLock { state in
            let (peer, last) = (state.peer, state.last)
            let task = Task { () async throws -> Answer in
                await last?.value
                guard let peer else { throw ASCredentialIdentityStoreError(.storeDisabled) }
                do {
                    return try await operation(peer)
                } catch {
                    throw ASCredentialIdentityStoreError(error)
                }
            }
            state.last = Task { _ = await task.result }
            return task
        }
    }
}
