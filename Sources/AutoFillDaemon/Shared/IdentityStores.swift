// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import Foundation

/// Identities of one `begin`, `append`, `commit`.
struct StoreBatch: Sendable {
    /// Of one batch; beyond it the provider is told so.
    static let limit = 200_000
    /// In bytes of their texts: what 200,000 accounts of people take three times over.
    static let byteLimit = 64 << 20

    let writer: StoreLeases.Writer
    let operation: String
    private(set) var identities: [CredentialIdentity] = []
    private var byteCount = 0

    init(writer: StoreLeases.Writer, operation: String) {
        self.writer = writer
        self.operation = operation
    }

    /// Adds identities. Throws where they would be too many or too large; then none is added.
    mutating func append(_ more: [CredentialIdentity]) throws {
        let bytes = more.reduce(byteCount) { sum, identity in
            sum + identity.service.value.utf8.count + identity.user.utf8.count
                + (identity.recordIdentifier?.utf8.count ?? 0)
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
    /// They were, and there has been a change since.
    case due

    /// How long a second notice waits.
    static let pause = Duration.milliseconds(100)
}

/// Where the user changes by hand what the built-in provider keeps.
@DaemonActor protocol HandEdits: AnyObject {
    /// Those of some identities that the store does not hold yet; `nil` while nothing is changed by hand.
    func newIdentities(among identities: [CredentialIdentity], in store: IdentityStore) async throws
        -> [CredentialIdentity]?
    /// The provider has told its store of them.
    func saved(_ identities: [CredentialIdentity], new: [CredentialIdentity])
}

/// What providers ask of their identity stores.
@DaemonActor final class IdentityStores: SessionObserver {
    let broker: Broker
    let abilities: ProviderAbilities
    var batches: [Int: StoreBatch] = [:]
    private var batchCount = 0
    private var leases = StoreLeases()
    /// Changes of identity stores that wait or run: a lock gives them up and waits for their end, because they hold keys.
    private var writes: [Int: (task: Task<Void, any Error>, change: StoreChange)] = [:]
    private var writeCount = 0
    /// Reads and changes identity stores on threads of its own.
    let storeWork: StoreWork
    /// Whether browsers are to be told of a change of a store when they were told a moment ago.
    private var storeNotice: StoreNotice = .none
    /// Is told of what the built-in provider saves while its window is shown.
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

    /// Who may write is gone, and with it what it has not committed.
    func writerLeft(_ writer: StoreLeases.Writer) {
        leases.forget(writer)
        batches = batches.filter { $0.value.writer != writer }
    }

    /// Many identities take a while to be understood, which nobody else waits for.
    ///
    /// - Parameter client: the containing app's connection; nothing for the extension itself.
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
            try await write("save", identities, store, writer)
        case Provider.RemoveIdentities.name:
            try await write("remove", identities, store, writer)
        case Provider.ReplaceIdentities.name:
            try await write("replace", identities, store, writer)
        case Provider.RemoveAllIdentities.name:
            try await write("replace", [], store, writer)
        case Provider.BeginBatch.name:
            let begin: Provider.BeginBatch.Params = try params.decoded()
            guard ["save", "remove", "replace"].contains(begin.operation) else {
                throw WireError(.invalidParams, "A batch saves, removes or replaces.")
            }
            guard leases.touchBatch(writer, at: broker.time.now()) else { throw Self.storeBusy }
            // One at a time for each provider, so that batches that nobody commits do not pile up.
            batches = batches.filter { $0.value.provider != provider }
            batchCount += 1
            batches[batchCount] = StoreBatch(writer: writer, operation: begin.operation)
            return try JSONValue(encoding: Provider.BeginBatch.Answer(batch: batchCount))
        case Provider.AppendBatch.name:
            let append: BatchReference = try params.decoded()
            _ = try batch(append.batch, of: writer)
            guard leases.touchBatch(writer, at: broker.time.now()) else { throw Self.storeBusy }
            try batches[append.batch]?.append(identities)
        case Provider.CommitBatch.name:
            let commit: Provider.CommitBatch.Params = try params.decoded()
            let batch = try batch(commit.batch, of: writer)
            // Kept while somebody else writes: the commit can be asked for again.
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

    /// Keeps the one bit that is known while locked, and tells the browsers when it changes.
    func updateOffers() {
        guard let keys = broker.unlocked else { return }
        // What a provider has that tells nobody of it is behind its own list, which has to be within reach.
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

    /// The batch that something is added to.
    private struct BatchReference: Codable {
        var batch: Int
    }

    /// Identities of a size that people have; a store of others would crowd out everything else.
    private static func checked(_ statements: [IdentityStatement]) throws -> [CredentialIdentity] {
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

    /// What a provider asks of its own store; `nil` where it does not answer in time.
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

    /// Off this actor: ten thousand identities take a while, and nobody else should wait for them.
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

    /// A bar or list that is open shows what is there now. Changes without end are one notice now and then.
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
