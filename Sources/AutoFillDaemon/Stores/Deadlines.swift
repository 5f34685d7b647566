// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Ends look-ups that take too long, with one timer for all of them: a timer for each look-up would take longer than the look-up.
final class Deadlines: Sendable {
    /// Suspends until the given instant.
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

    /// Schedules a call for an instant.
    ///
    /// - Parameter moment: must not be before that of an earlier entry; otherwise it is noticed only with that entry.
    /// - Returns: The number by which the entry is removed.
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

    /// Removes an entry, which is then no longer called.
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

    /// The next instant. With no entries left the waiting ends.
    private func next() -> ContinuousClock.Instant? {
        state.withLock { state in
            let next = state.entries.values.map(\.moment).min()
            if next == nil { state.isWaiting = false }
            return next
        }
    }
}
