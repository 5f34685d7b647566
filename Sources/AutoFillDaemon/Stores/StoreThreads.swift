// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import Dispatch
internal import Synchronization

/// A few threads that read or write identity stores, because the cooperative pool must not wait for a disk.
///
/// The jobs of one provider run one after the other, and providers take turns: one with many jobs takes one thread at most.
final class StoreThreads: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [BundleIdentifier: [Job]] = [:]
        /// Providers with a job that may begin, in the order of their turns.
        var turns: [BundleIdentifier] = []
        var running: Set<BundleIdentifier> = []
        var threads = 0
        var idle = 0
    }

    private let limit: Int
    private let state = Mutex(State())
    private let ready = DispatchSemaphore(value: 0)
    /// How long a thread waits for work before it ends.
    private static let patience = 5

    /// - Parameter limit: Maximum number of threads.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs a job after the provider's earlier ones have ended.
    func enqueue(_ provider: BundleIdentifier, _ job: @escaping Job) {
        let needsThread = state.withLock { state in
            state.waiting[provider, default: []].append(job)
            guard !state.running.contains(provider), !state.turns.contains(provider) else { return false }
            state.turns.append(provider)
            guard state.idle < state.turns.count, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        ready.signal()
        if needsThread, !DetachedThread.start({ [self] in work() }) {
            // The existing threads take the job; without any, the next job tries again.
            state.withLock { $0.threads -= 1 }
        }
    }

    private func work() {
        while true {
            state.withLock { $0.idle += 1 }
            let outcome = ready.wait(timeout: .now() + .seconds(Self.patience))
            let next = state.withLock { state -> (BundleIdentifier, Job)? in
                state.idle -= 1
                guard !state.turns.isEmpty else {
                    if outcome == .timedOut { state.threads -= 1 }
                    return nil
                }
                let provider = state.turns.removeFirst()
                guard let job = state.waiting[provider]?.first else { return nil }
                state.waiting[provider]?.removeFirst()
                state.running.insert(provider)
                return (provider, job)
            }
            guard let (provider, job) = next else {
                if outcome == .timedOut { return }
                continue
            }
            job()
            let isReady = state.withLock { state in
                state.running.remove(provider)
                guard state.waiting[provider]?.isEmpty == false else {
                    state.waiting[provider] = nil
                    return false
                }
                state.turns.append(provider)
                return true
            }
            if isReady { ready.signal() }
        }
    }
}
