// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
public import Synchronization

/// The daemon's identity store, as far as a provider sees it.
public final class StoreRecorder: Sendable {
    /// What is behind the lock.
    public struct State {
        /// The methods that were asked for, in order.
        public var methods: [String] = []
        /// How many identities came with each message that had some.
        public var counts: [Int] = []
        /// What the store holds: kind, service, user and record identifier of each.
        public var identities: Set<String> = []
        /// The types of those, and for how many seconds a code is good.
        public var kinds: [String: Set<String>] = [:]
        /// What has been appended to the batch.
        public var batch: [IdentityStatement] = []
        /// What the batch is for.
        public var operation = ""
        /// The methods that fail, and how.
        public var failures: [String: WireError] = [:]
        var waiting: [(method: String, continuation: CheckedContinuation<Void, Never>)] = []
        /// The answer to `store.state`.
        public var standing = Provider.StoreState.Answer(enabled: true, supportsIncrementalUpdates: true)
    }

    /// Everything that was asked for, and what is to be answered.
    public let state = Mutex(State())

    /// An enabled store that is intact and empty.
    public init() {}

    /// The methods that were asked for, in order.
    public var methods: [String] { state.withLock { $0.methods } }
    /// How many identities came with each message that had some.
    public var counts: [Int] { state.withLock { $0.counts } }
    /// What the store holds.
    public var identities: Set<String> { state.withLock { $0.identities } }
    /// What types they have, in order; codes with the seconds for which they are good.
    public var kinds: [String] { state.withLock { Set($0.kinds.values.flatMap(\.self)).sorted() } }

    /// Has a method fail from now on.
    public func fail(_ method: String, with error: WireError) {
        state.withLock { $0.failures[method] = error }
    }

    /// Returns when a method has been carried out, at once when it has been before.
    public func wait(for method: String) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.methods.contains(method) { return true }
                state.waiting.append((method, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// What the daemon answers to a `store.` request.
    public func answer(_ method: String, _ params: JSONValue) throws -> JSONValue {
        defer { finish(method) }
        return try state.withLock { state in
            state.methods.append(method)
            if let failure = state.failures[method] { throw failure }
            switch method {
            case "store.state": return try JSONValue(encoding: state.standing)
            case "store.save", "store.remove", "store.replace":
                let params: IdentitiesParams = try params.decoded()
                state.counts.append(params.identities.count)
                state.apply(String(method.dropFirst(6)), params.identities)
            case "store.removeAll": state.identities = []
            case "store.begin":
                let params: Provider.BeginBatch.Params = try params.decoded()
                state.operation = params.operation
                state.batch = []
                return try JSONValue(encoding: Provider.BeginBatch.Answer(batch: 7))
            case "store.append":
                let params: Provider.AppendBatch.Params = try params.decoded()
                guard params.batch == 7 else { throw WireError(.notFound, "no such batch") }
                state.counts.append(params.identities.count)
                state.batch += params.identities
            case "store.commit": state.apply(state.operation, state.batch)
            default: throw WireError(.methodNotFound, method)
            }
            return .object([:])
        }
    }
}

extension StoreRecorder {
    private func finish(_ method: String) {
        let done = state.withLock { state in
            defer { state.waiting.removeAll { $0.method == method } }
            return state.waiting.filter { $0.method == method }
        }
        for waiting in done { waiting.continuation.resume() }
    }
}

extension StoreRecorder.State {
    fileprivate mutating func apply(_ operation: String, _ changed: [IdentityStatement]) {
        applyKinds(operation, changed)
        let keys = changed.map {
            "\($0.service.type) \($0.service.identifier) \($0.user) \($0.recordIdentifier ?? "-")"
        }
        let names = zip(keys, changed).map { $1.strict == true ? $0 + " strict" : $0 }
        // Strictness tells no two identities apart.
        let replaced = keys + keys.map { $0 + " strict" }
        switch operation {
        case "save": identities = identities.subtracting(replaced).union(names)
        case "remove": identities.subtract(replaced)
        default: identities = Set(names)
        }
        standing.supportsIncrementalUpdates = true
    }

    private mutating func applyKinds(_ operation: String, _ changed: [IdentityStatement]) {
        if operation == "replace" { kinds = [:] }
        for identity in changed {
            let name =
                "\(identity.service.identifier) \(identity.user) \(identity.recordIdentifier ?? "-") \(identity.type)"
            kinds[name] =
                operation == "remove" ? nil : [identity.period.map { "\(identity.type) \($0)" } ?? identity.type]
        }
    }
}
