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
    private let app: ContainingAppConnection?

    /// - Parameter app: The way to the daemon where nothing else is connected: that of a containing app.
    init(app: ContainingAppConnection?) {
        self.app = app
    }

    /// A way that leads nowhere yet.
    package convenience init() {
        self.init(app: nil)
    }

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

    /// What the store holds for a service (nothing for all) and of some types (none for all), page after page.
    func identities(for service: ServiceStatement?, types: [String]) -> Task<[IdentityStatement], any Error> {
        enqueue { peer in
            var found: [IdentityStatement] = []
            var cursor: Int?
            repeat {
                let params = Provider.ListIdentities.Params(service: service, types: types, cursor: cursor)
                let page = try await peer.call(Provider.ListIdentities.self, params)
                guard !page.identities.isEmpty || page.cursor == nil else {
                    throw ASCredentialIdentityStoreError.refusing("The list of identities has no end.")
                }
                found += page.identities
                cursor = page.cursor
            } while cursor != nil
            return found
        }
    }

    /// Removes everything.
    func removeAll() -> Task<Void, any Error> {
        enqueue { peer in _ = try await peer.call(Provider.RemoveAllIdentities.self, Empty()) }
    }

    /// Changes the store by a list, in as many messages as it takes. Nothing is sent when one of them cannot travel.
    func change(_ operation: Operation, _ identities: [IdentityStatement?]) -> Task<Void, any Error> {
        if let place = identities.firstIndex(where: { $0 == nil }) {
            let sentence =
                "Nothing was changed: identity \(place + 1) of \(identities.count) is of a type that is not known."
            return Task { throw ASCredentialIdentityStoreError.refusing(sentence) }
        }
        let known = identities.compactMap { $0 }
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
                do {
                    if let peer { return try await operation(peer) }
                    guard let app = self.app else { throw ASCredentialIdentityStoreError(.storeDisabled) }
                    // Every operation may be carried out twice: it states what is to be, not what is to change.
                    return try await app.carryOut(operation)
                } catch {
                    throw ASCredentialIdentityStoreError(error)
                }
            }
            state.last = Task { _ = await task.result }
            return task
        }
    }
}
