// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import AutoFillProviders
internal import Foundation
internal import Logging

/// The identities of one batch, from `begin` to `commit`.
struct StoreBatch: Sendable {
    /// Maximum number of identities in a batch.
    static let limit = 200_000
    /// Maximum size of their texts in bytes: three times what 200,000 accounts of people take.
    static let byteLimit = 64 << 20

    let writer: StoreLeases.Writer
    let operation: String
    private(set) var identities: [CredentialIdentity] = []
    private var byteCount = 0

    init(writer: StoreLeases.Writer, operation: String) {
        self.writer = writer
        self.operation = operation
    }

    /// Adds identities.
    ///
    /// - Throws: `identityStore` when they would be too many or too large; then none is added.
    mutating func append(_ more: [CredentialIdentity]) throws {
        let bytes = more.reduce(byteCount) { sum, identity in
            sum + identity.service.value.utf8.count + identity.user.utf8.count
                + (identity.recordIdentifier?.utf8.count ?? 0) + (identity.credentialID?.utf8.count ?? 0)
        }
        guard identities.count + more.count <= Self.limit, bytes <= Self.byteLimit else {
            throw WireError(
                .identityStore(0),
                "A batch has at most \(Self.limit) identities of \(Self.byteLimit >> 20) MiB together.")
        }
        identities += more
        byteCount = bytes
    }

    var provider: BundleIdentifier { writer.provider }
}

/// Whether browsers know of the last change of a store.
enum StoreNotice: Sendable {
    case none
    /// They were told a moment ago.
    case told
    /// They were told a moment ago, and the store has changed since.
    case due

    /// Time between two notices.
    static let pause = Duration.milliseconds(100)
}

/// A window in which the user edits the built-in provider's items.
@DaemonActor protocol HandEdits: AnyObject {
    /// The identities that the store does not hold yet; `nil` while no window is open.
    func newIdentities(among identities: [CredentialIdentity], in store: IdentityStore) async throws
        -> [CredentialIdentity]?
    /// Called after the provider has saved identities to its store.
    func saved(_ identities: [CredentialIdentity], new: [CredentialIdentity])
}

/// Answers providers' requests to their identity stores.
@DaemonActor final class IdentityStores: SessionObserver {
    let broker: Broker
    let abilities: ProviderAbilities
    var batches: [Int: StoreBatch] = [:]
    private var batchCount = 0
    private var leases = StoreLeases()
    /// The changes of identity stores that wait or run. They hold keys, so a lock cancels them and waits for their end.
    private var writes: [Int: (task: Task<Void, any Error>, change: StoreChange)] = [:]
    private var writeCount = 0
    /// Reads and changes identity stores on threads of its own.
    let storeWork: StoreWork
    /// Whether browsers still have to be told of a change, because they were told a moment ago.
    private var storeNotice: StoreNotice = .none
    /// Called for the identities that the built-in provider saves while its window is shown.
    weak var handEdits: (any HandEdits)?

    init(_ broker: Broker, abilities: ProviderAbilities) {
        self.broker = broker
        storeWork = StoreWork(hooks: broker.storeHooks)
        self.abilities = abilities
    }

    func sessionEnded() {
        batches = [:]
        leases = StoreLeases()
        for write in writes.values { write.change.giveUp() }
    }

    func sessionClosed(wasUnlocked: Bool) async {
        for write in writes.values { _ = await write.task.result }
    }

    func clientLeft(_ client: ClientConnection) {
        if case .app(let provider) = client.role { writerLeft(.init(provider: provider, client: client.number)) }
    }

    /// Ends the lease of a writer that is gone, and drops its uncommitted batches.
    func writerLeft(_ writer: StoreLeases.Writer) {
        leases.forget(writer)
        batches = batches.filter { $0.value.writer != writer }
    }

    /// Answers a request to a provider's store. Decoding many identities takes a while, so it runs off the actor.
    ///
    /// - Parameter client: the containing app's connection; `nil` for the extension itself.
    nonisolated func handleStore(
        _ method: String, _ params: JSONValue, of provider: BundleIdentifier, client: Int? = nil
    ) async throws -> JSONValue {
        switch method {
        case Provider.SaveIdentities.name, Provider.RemoveIdentities.name, Provider.ReplaceIdentities.name:
            let params: IdentitiesParams = try params.decoded()
            return try await handleStore(
                method, .null, try Self.checked(params.identities), of: provider, client: client)
        case Provider.AppendBatch.name:
            let append: Provider.AppendBatch.Params = try params.decoded()
            return try await handleStore(
                method, .object(["batch": .integer(Int64(append.batch))]), try Self.checked(append.identities),
                of: provider, client: client)
        default: return try await handleStore(method, params, [], of: provider, client: client)
        }
    }

    private func handleStore(
        _ method: String, _ params: JSONValue, _ identities: [CredentialIdentity], of provider: BundleIdentifier,
        client: Int?
    ) async throws -> JSONValue {
        guard let keys = broker.unlocked else {
            throw WireError(.identityStore(1), "The identity store cannot be used while Latchkey is locked.")
        }
        guard let store = keys.stores[provider] else {
            throw WireError(.identityStore(1), "The provider is not enabled.")
        }
        let writer = StoreLeases.Writer(provider: provider, client: client)
        switch method {
        case Provider.StoreState.name:
            guard let state = try await readingOwn(store, { try $0.state }) else { throw Self.storeBusy }
            return try JSONValue(
                encoding: Provider.StoreState.Answer(
                    enabled: true, supportsIncrementalUpdates: state.supportsIncrementalUpdates))
        case Provider.SaveIdentities.name:
            try await write("save", agreed(identities, of: provider, keys), store, writer)
        case Provider.RemoveIdentities.name:
            try await write("remove", identities, store, writer)
        case Provider.ReplaceIdentities.name:
            try await write("replace", agreed(identities, of: provider, keys), store, writer)
        case Provider.RemoveAllIdentities.name:
            try await write("replace", [], store, writer)
        case Provider.BeginBatch.name:
            let begin: Provider.BeginBatch.Params = try params.decoded()
            guard ["save", "remove", "replace"].contains(begin.operation) else {
                throw WireError(.invalidParams, "A batch saves, removes or replaces.")
            }
            guard leases.touchBatch(writer, at: broker.time.now()) else { throw Self.storeBusy }
            // One batch at a time for each provider, so that uncommitted batches do not pile up.
            batches = batches.filter { $0.value.provider != provider }
            batchCount += 1
            batches[batchCount] = StoreBatch(writer: writer, operation: begin.operation)
            return try JSONValue(encoding: Provider.BeginBatch.Answer(batch: batchCount))
        case Provider.AppendBatch.name:
            let append: BatchReference = try params.decoded()
            _ = try batch(append.batch, of: writer)
            guard leases.touchBatch(writer, at: broker.time.now()) else { throw Self.storeBusy }
            try batches[append.batch]?.append(agreed(identities, of: provider, keys))
        case Provider.CommitBatch.name:
            let commit: Provider.CommitBatch.Params = try params.decoded()
            let batch = try batch(commit.batch, of: writer)
            // The batch is kept while another program writes, so that the commit can be repeated.
            guard leases.touchBatch(writer, at: broker.time.now()) else { throw Self.storeBusy }
            batches[commit.batch] = nil
            defer { leases.endBatch(writer) }
            try await write(batch.operation, batch.identities, store, writer)
        case Provider.ListIdentities.name:
            return try JSONValue(encoding: try await listed(params.decoded(), in: store))
        default:
            throw WireError(.methodNotFound, "There is no method \(method) for providers.")
        }
        return .object([:])
    }

    /// The identities of kinds that the provider's bundle states and the user has agreed to. The others are left out one by one, so that
    /// the provider does not lose all for one of them.
    private func agreed(
        _ identities: [CredentialIdentity], of provider: BundleIdentifier, _ keys: UnlockedKeys
    ) -> [CredentialIdentity] {
        guard provider != .builtIn else { return identities }
        let agreed = keys.registry.provider(provider)?.agreed ?? []
        let usable = identities.filter { ProviderCapability($0.type).map(agreed.contains) ?? false }
        if usable.count < identities.count {
            broker.logger.warning(
                "identities were left out: the provider is not enabled for their kind",
                metadata: ["provider": "\(provider)", "count": "\(identities.count - usable.count)"])
        }
        return usable
    }

    /// Keeps the one bit that is known while locked, and tells the browsers when it changes.
    func updateOffers() {
        guard let keys = broker.unlocked else { return }
        // A provider that advertises no identities has only its own list, which the user must be able to reach.
        let offers = keys.stores.contains { provider, store in
            abilities.hasList(provider) || (try? store.isEmpty) == false
        }
        guard offers != broker.offersAnything else { return }
        let path = broker.directories.state + "/offers-anything"
        if offers {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        } else {
            try? FileManager.default.removeItem(atPath: path)
        }
        broker.offersAnything = offers
        broker.tellBrowsers()
    }

    /// A reference to the batch that identities are added to.
    private struct BatchReference: Codable {
        var batch: Int
    }

    /// Checks that identities have realistic sizes: a store of larger ones would crowd out everything else.
    private static func checked(_ statements: [IdentityStatement]) throws -> [CredentialIdentity] {
        for (place, statement) in statements.enumerated() {
            guard let fault = statement.sizeFault else { continue }
            throw WireError(
                .identityStore(0), "Nothing was changed: identity \(place + 1) of \(statements.count) \(fault).")
        }
        return statements.map(\.identity)
    }

    private static let storeBusy = WireError(
        .identityStore(2), "Another program of this provider is changing the store.", hint: "Try again.")

    private func listed(_ params: Provider.ListIdentities.Params, in store: IdentityStore) async throws
        -> Provider.ListIdentities.Answer
    {
        let size = 1_000
        let place = Int64(max(0, params.cursor ?? 0))
        let types = Set(params.types ?? [])
        let service = params.service?.service
        let answer = try await readingOwn(store) { store in
            let page = try store.page(from: place, limit: size)
            let wanted = page.identities.filter { identity in
                (types.isEmpty || types.contains(identity.type.rawValue))
                    && (service.map { $0 == identity.service } ?? true)
            }
            return Provider.ListIdentities.Answer(
                identities: wanted.map(IdentityStatement.init), cursor: page.next.map { Int($0) })
        }
        guard let answer else { throw Self.storeBusy }
        return answer
    }

    /// Reads a provider's own store; `nil` if it does not answer in time.
    private func readingOwn<Value: Sendable>(
        _ store: IdentityStore, _ read: @escaping @Sendable (IdentityStore) throws -> Value
    ) async throws -> Value? {
        let (wait, deadline) = (broker.time.wait, broker.time.now() + StoreWork.patience)
        let found = await storeWork.read([store], until: deadline, wait: wait, read)
        return try mapped { try found[store.provider]?.get() }
    }

    private func batch(_ number: Int, of writer: StoreLeases.Writer) throws -> StoreBatch {
        guard let batch = batches[number], batch.writer == writer else {
            throw WireError(.identityStore(0), "There is no batch \(number).")
        }
        return batch
    }

    /// Writes off this actor, because ten thousand identities take a while.
    private func write(
        _ operation: String, _ identities: [CredentialIdentity], _ store: IdentityStore, _ writer: StoreLeases.Writer
    ) async throws {
        guard leases.begin(writer, at: broker.time.now()) else { throw Self.storeBusy }
        defer { leases.end(writer) }
        let isOwn = writer.provider == .builtIn && operation == "save"
        let new = isOwn ? try await handEdits?.newIdentities(among: identities, in: store) : nil
        let change = StoreChange()
        let write = Task.detached { [storeWork] in
            do {
                try await storeWork.change(store, change) { pace in
                    switch operation {
                    case "save": try store.save(identities, pace: pace)
                    case "remove": try store.remove(identities, pace: pace)
                    default: try store.replace(with: identities, pace: pace)
                    }
                }
            } catch let error as WireError {
                throw error
            } catch {
                throw WireError(.identityStore(0), WireError(saying: error).message)
            }
        }
        writeCount += 1
        let number = writeCount
        writes[number] = (write, change)
        defer { writes[number] = nil }
        try await write.value
        if let new { handEdits?.saved(identities, new: new) }
        updateOffers()
        tellOfStore()
    }

    /// Tells browsers that a store has changed, so that an open bar or list is refreshed. Frequent changes are combined into few notices.
    private func tellOfStore() {
        switch storeNotice {
        case .none:
            storeNotice = .told
            broker.tellBrowsers()
            Task {
                try? await Task.sleep(for: StoreNotice.pause)
                let isDue = storeNotice == .due
                storeNotice = .none
                if isDue { tellOfStore() }
            }
        case .told, .due: storeNotice = .due
        }
    }

    private func mapped<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw WireError(.identityStore(0), WireError(saying: error).message)
        }
    }
}
