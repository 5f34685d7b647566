// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import Foundation

/// Identities of one `begin`, `append`, `commit`.
struct StoreBatch: Sendable {
    /// Of one batch; beyond it the provider is told so.
    static let limit = 200_000

    let writer: StoreLeases.Writer
    let operation: String
    var identities: [CredentialIdentity] = []

    var provider: BundleIdentifier { writer.provider }
}

/// What providers ask of their identity stores.
extension Broker {
    /// - Parameter client: the containing app's connection; nothing for the extension itself.
    func handleStore(
        _ method: String, _ params: JSONValue, of provider: BundleIdentifier, client: Int? = nil
    ) async throws -> JSONValue {
        guard let keys = unlocked else {
            throw WireError(.identityStore(1), "The identity store cannot be used while Latchkey is locked.")
        }
        guard let store = keys.stores[provider] else {
            throw WireError(.identityStore(1), "The provider is not enabled.")
        }
        let writer = StoreLeases.Writer(provider: provider, client: client)
        switch method {
        case Provider.StoreState.name:
            let state = try mapped { try store.state }
            return try JSONValue(
                encoding: Provider.StoreState.Answer(
                    enabled: true, supportsIncrementalUpdates: state.supportsIncrementalUpdates))
        case Provider.SaveIdentities.name:
            try await write("save", try identities(params), store, writer)
        case Provider.RemoveIdentities.name:
            try await write("remove", try identities(params), store, writer)
        case Provider.ReplaceIdentities.name:
            try await write("replace", try identities(params), store, writer)
        case Provider.RemoveAllIdentities.name:
            try await write("replace", [], store, writer)
        case Provider.BeginBatch.name:
            let begin: Provider.BeginBatch.Params = try params.decoded()
            guard ["save", "remove", "replace"].contains(begin.operation) else {
                throw WireError(.invalidParams, "A batch saves, removes or replaces.")
            }
            guard leases.touchBatch(writer, at: time.now()) else { throw Self.storeBusy }
            // One at a time for each provider, so that batches that nobody commits do not pile up.
            batches = batches.filter { $0.value.provider != provider }
            batchCount += 1
            batches[batchCount] = StoreBatch(writer: writer, operation: begin.operation)
            return try JSONValue(encoding: Provider.BeginBatch.Answer(batch: batchCount))
        case Provider.AppendBatch.name:
            let append: Provider.AppendBatch.Params = try params.decoded()
            var batch = try batch(append.batch, of: writer)
            guard leases.touchBatch(writer, at: time.now()) else { throw Self.storeBusy }
            guard batch.identities.count + append.identities.count <= StoreBatch.limit else {
                throw WireError(.identityStore(0), "A batch has at most \(StoreBatch.limit) identities.")
            }
            batch.identities += try checked(append.identities)
            batches[append.batch] = batch
        case Provider.CommitBatch.name:
            let commit: Provider.CommitBatch.Params = try params.decoded()
            let batch = try batch(commit.batch, of: writer)
            // Kept while somebody else writes: the commit can be asked for again.
            guard leases.touchBatch(writer, at: time.now()) else { throw Self.storeBusy }
            batches[commit.batch] = nil
            defer { leases.endBatch(writer) }
            try await write(batch.operation, batch.identities, store, writer)
        case Provider.ListIdentities.name:
            return try JSONValue(encoding: try listed(params.decoded(), in: store))
        default:
            throw WireError(.methodNotFound, "There is no method \(method) for providers.")
        }
        return .object([:])
    }

    /// Keeps the one bit that is known while locked, and tells the browsers when it changes.
    func updateOffers() {
        guard let keys = unlocked else { return }
        // What a provider has that tells nobody of it is behind its own list, which has to be within reach.
        let offers = keys.stores.contains { provider, store in hasList(provider) || (try? store.isEmpty) == false }
        guard offers != offersAnything else { return }
        let path = directories.state + "/offers-anything"
        if offers {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        } else {
            try? FileManager.default.removeItem(atPath: path)
        }
        offersAnything = offers
        tellBrowsers()
    }

    private func identities(_ params: JSONValue) throws -> [CredentialIdentity] {
        let params: IdentitiesParams = try params.decoded()
        return try checked(params.identities)
    }

    /// Identities of a size that people have; a store of others would crowd out everything else.
    private func checked(_ statements: [IdentityStatement]) throws -> [CredentialIdentity] {
        let isSound = statements.allSatisfy { identity in
            identity.service.identifier.utf8.count <= 2_048 && identity.user.utf8.count <= 1_024
                && (identity.recordIdentifier?.utf8.count ?? 0) <= 1_024 && identity.type.utf8.count <= 64
                && identity.period.map { (1...3_600).contains($0) } ?? true
        }
        guard isSound else {
            throw WireError(
                .identityStore(0),
                "A service has at most 2,048 bytes, a user and a record identifier 1,024; a code holds for 1 to 3,600 seconds."
            )
        }
        return statements.map(\.identity)
    }

    private static let storeBusy = WireError(
        .identityStore(2), "Another program of this provider is changing the store.", hint: "Try again.")

    private func listed(_ params: Provider.ListIdentities.Params, in store: IdentityStore) throws
        -> Provider.ListIdentities.Answer
    {
        let size = 1_000
        let offset = max(0, params.cursor ?? 0)
        let page = try mapped { try store.all(offset: offset, limit: size + 1) }
        let types = Set(params.types ?? [])
        let wanted = page.prefix(size).filter { identity in
            (types.isEmpty || types.contains(identity.type.rawValue))
                && (params.service.map { $0.service == identity.service } ?? true)
        }
        return .init(
            identities: wanted.map(IdentityStatement.init), cursor: page.count > size ? offset + size : nil)
    }

    private func batch(_ number: Int, of writer: StoreLeases.Writer) throws -> StoreBatch {
        guard let batch = batches[number], batch.writer == writer else {
            throw WireError(.identityStore(0), "There is no batch \(number).")
        }
        return batch
    }

    /// Off this actor: ten thousand identities take a while, and suggestions should not wait for them.
    private func write(
        _ operation: String, _ identities: [CredentialIdentity], _ store: IdentityStore, _ writer: StoreLeases.Writer
    ) async throws {
        guard leases.begin(writer, at: time.now()) else { throw Self.storeBusy }
        defer { leases.end(writer) }
        let isByHand = writer.provider == .builtIn && savedPasswordsWindows > 0 && operation == "save"
        let new = isByHand ? unknownIdentities(of: identities, in: store) : []
        let write = Task.detached {
            do {
                switch operation {
                case "save": try store.save(identities)
                case "remove": try store.remove(identities)
                default: try store.replace(with: identities)
                }
            } catch {
                throw WireError(.identityStore(0), WireError(saying: error).message)
            }
        }
        runCount += 1
        let number = runCount
        writes[number] = write
        defer { writes[number] = nil }
        try await write.value
        if isByHand { noteSaved(identities, new: new) }
        updateOffers()
        // A bar or list that is open shows what is there now.
        tellBrowsers()
    }

    private func mapped<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw WireError(.identityStore(0), WireError(saying: error).message)
        }
    }
}
