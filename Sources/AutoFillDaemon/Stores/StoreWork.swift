// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import AutoFillIdentityStore
internal import Synchronization

/// Reads and changes identity stores, off the daemon's actor and off the shared threads.
///
/// Reads do not wait for changes. Changes of different stores take turns, step by step; changes of one store run one after the other.
final class StoreWork: Sendable {
    /// Points at which tests can stop the work.
    struct Hooks: Sendable {
        /// On the thread of a look-up, before it reads.
        var beforeReading: @Sendable (BundleIdentifier) -> Void = { _ in }
        /// On the thread of a look-up, when its result is ready for the caller.
        var afterReading: @Sendable (BundleIdentifier) -> Void = { _ in }
        /// On the thread of a change, between two of its steps, while it is not its turn.
        var betweenSteps: @Sendable (BundleIdentifier) -> Void = { _ in }
        /// Maximum number of rows that a look-up may read without a thread; with 0 every look-up uses a thread.
        var rowsAtOnce = 64
    }

    /// Picks among the identities that a provider has.
    typealias Pick<Value> = @Sendable (BundleIdentifier, [CredentialIdentity]) -> Value

    /// Maximum number of waiting changes of one provider.
    static let waitingLimit = 32
    /// Time limit for a look-up; later results are left out.
    static let patience = Duration.seconds(2)

    private let hooks: Hooks
    private let readers = StoreThreads(limit: 4)
    private let writers = StoreThreads(limit: 16)
    private let turns = StoreTurns()
    private let changes = Mutex<[BundleIdentifier: Int]>([:])
    private let deadlines = Deadlines()

    init(hooks: Hooks = Hooks()) {
        self.hooks = hooks
    }

    // MARK: Reading

    /// Looks up identities in several stores: short look-ups at once, the others on threads of their own. Changing threads takes longer
    /// than a short look-up; a long one would block a thread of the cooperative pool.
    ///
    /// - Parameters:
    ///   - terms: As in `IdentityStore.lookup`.
    ///   - deadline, wait: As of `read`.
    ///   - pick: Picks from the identities that share a term.
    /// - Returns: The results that came in time.
    func lookup<Value: Sendable>(
        _ terms: [String], in stores: [IdentityStore], until deadline: ContinuousClock.Instant,
        wait: @escaping Deadlines.Wait, _ pick: @escaping Pick<Value>
    ) async -> [BundleIdentifier: Result<Value, any Error>] {
        var found: [BundleIdentifier: Result<Value, any Error>] = [:]
        var (others, rowsLeft): ([IdentityStore], Int) = ([], hooks.rowsAtOnce)
        for store in stores {
            do {
                guard let short = try store.shortLookup(terms: terms, rows: rowsLeft) else {
                    others.append(store)
                    continue
                }
                rowsLeft -= short.rowsRead
                found[store.provider] = .success(pick(store.provider, short.identities))
            } catch {
                found[store.provider] = .failure(error)
            }
        }
        let late = await read(others, until: deadline, wait: wait) {
            pick($0.provider, try $0.lookup(terms: terms))
        }
        return found.merging(late) { first, _ in first }
    }

    /// Reads several stores at once.
    ///
    /// - Parameters:
    ///   - deadline: The instant after which results are no longer waited for.
    ///   - wait: Suspends until an instant.
    ///   - read: Runs on a thread of its own.
    /// - Returns: The results that came in time.
    func read<Value: Sendable>(
        _ stores: [IdentityStore], until deadline: ContinuousClock.Instant, wait: @escaping Deadlines.Wait,
        _ read: @escaping @Sendable (IdentityStore) throws -> Value
    ) async -> [BundleIdentifier: Result<Value, any Error>] {
        guard !stores.isEmpty else { return [:] }
        let gathering = Gathering<Value>(stores.count)
        let hooks = self.hooks
        for store in stores {
            readers.enqueue(store.provider) {
                // A look-up that begins too late has no caller left.
                guard !gathering.isOver else { return }
                hooks.beforeReading(store.provider)
                gathering.note(store.provider, Result { try read(store) })
                hooks.afterReading(store.provider)
            }
        }
        let number = deadlines.add(deadline, wait: wait) { gathering.end() }
        defer { deadlines.remove(number) }
        return await gathering.all
    }

    // MARK: Changing

    /// Makes a change when it is its turn.
    ///
    /// - Parameter change: Runs on a thread of its own, and rests as the pace says.
    func change(
        _ store: IdentityStore, _ control: StoreChange, _ change: @escaping @Sendable (WritePace) throws -> Void
    ) async throws {
        let provider = store.provider
        let mayWait = changes.withLock { changes in
            guard changes[provider, default: 0] < Self.waitingLimit else { return false }
            changes[provider, default: 0] += 1
            return true
        }
        guard mayWait else {
            throw WireError(.identityStore(2), "Too many changes of this store wait.", hint: "Wait for their answers.")
        }
        defer {
            changes.withLock { changes in
                let left = changes[provider, default: 1] - 1
                changes[provider] = left > 0 ? left : nil
            }
        }
        let (turns, hooks) = (turns, hooks)
        let pace = WritePace {
            turns.give()
            hooks.betweenSteps(provider)
            turns.take()
            return !control.isGivenUp
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            writers.enqueue(provider) {
                guard !control.isGivenUp else {
                    return continuation.resume(throwing: WireError(.locked, "Latchkey was locked in the meantime."))
                }
                turns.take()
                let result = Result { try change(pace) }
                turns.give()
                continuation.resume(with: result)
            }
        }
    }
}

/// A change that waits or runs and can be given up; then none of it is kept.
final class StoreChange: Sendable {
    private let state = Mutex(false)

    var isGivenUp: Bool { state.withLock { $0 } }

    func giveUp() {
        state.withLock { $0 = true }
    }
}

/// Collects the results of several threads, until all have finished or the wait ends.
private final class Gathering<Value: Sendable>: Sendable {
    typealias Found = [BundleIdentifier: Result<Value, any Error>]

    private struct State {
        var left: Int
        var found: Found = [:]
        var isOver = false
        var waiter: CheckedContinuation<Found, Never>?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    var all: Found {
        get async {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    if state.isOver { continuation.resume(returning: state.found) } else { state.waiter = continuation }
                }
            }
        }
    }

    func note(_ provider: BundleIdentifier, _ result: Result<Value, any Error>) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.found[provider] = result
            state.left -= 1
            if state.left == 0 { Self.end(&state) }
        }
    }

    func end() {
        state.withLock { if !$0.isOver { Self.end(&$0) } }
    }

    private static func end(_ state: inout State) {
        state.isOver = true
        state.waiter?.resume(returning: state.found)
        state.waiter = nil
    }
}
