// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Ends what takes too long, with one wait for all of it: a timer for each look-up would take longer than the look-up.
final class Deadlines: Sendable {
    /// Returns at a moment.
    typealias Wait = @Sendable (ContinuousClock.Instant) async throws -> Void

    private struct Entry: Sendable {
        let moment: ContinuousClock.Instant
        let end: @Sendable () -> Void
    }

    private struct State: Sendable {
        var entries: [Int: Entry] = [:]
        var count = 0
        var isWaiting = false
    }

    private let state = Mutex(State())

    /// Has something called once a moment has come.
    ///
    /// - Parameter moment: none before that of an entry that is there already; else it is noticed with that one.
    /// - Returns: by what it is removed.
    func add(_ moment: ContinuousClock.Instant, wait: @escaping Wait, _ end: @escaping @Sendable () -> Void) -> Int {
        let (number, isFirst) = state.withLock { state in
            state.count += 1
            state.entries[state.count] = Entry(moment: moment, end: end)
            defer { state.isWaiting = true }
            return (state.count, !state.isWaiting)
        }
        if isFirst {
            Task.detached { await self.run(wait) }
        }
        return number
    }

    /// What is removed is not called any more.
    func remove(_ number: Int) {
        state.withLock { $0.entries[number] = nil }
    }

    private func run(_ wait: Wait) async {
        while let next = next() {
            try? await wait(next)
            let late = state.withLock { state in
                let late = state.entries.filter { $0.value.moment <= next }
                for number in late.keys { state.entries[number] = nil }
                return late.values
            }
            for entry in late { entry.end() }
        }
    }

    /// The next moment; with none left the waiting ends.
    private func next() -> ContinuousClock.Instant? {
        state.withLock { state in
            let next = state.entries.values.map(\.moment).min()
            if next == nil { state.isWaiting = false }
            return next
        }
    }
}
