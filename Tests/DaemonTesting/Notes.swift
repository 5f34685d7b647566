// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import Dispatch
internal import Synchronization

/// What the doubles of a test note, by name and in order. A test waits for a note instead of for time.
package final class Notes: Sendable {
    private struct Waiter {
        let name: String
        let count: Int
        let wake: @Sendable () -> Void
    }

    private struct State {
        var values: [String: [JSONValue]] = [:]
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    package func add(_ value: JSONValue = "", to name: String) {
        let reached = state.withLock { state in
            state.values[name, default: []].append(value)
            let count = state.values[name]?.count ?? 0
            let reached = state.waiters.filter { $0.name == name && $0.count <= count }
            state.waiters.removeAll { $0.name == name && $0.count <= count }
            return reached
        }
        for waiter in reached { waiter.wake() }
    }

    package func values(_ name: String) -> [JSONValue] {
        state.withLock { $0.values[name] ?? [] }
    }

    /// The notes of a name as texts, other values as JSON without their secrets.
    package func texts(_ name: String) -> [String] {
        values(name).map { $0.string ?? "\($0)" }
    }

    /// Returns once there are so many notes of a name, or when the test is cancelled.
    package func wait(for name: String, count: Int = 1) async {
        let (noted, end) = AsyncStream<Never>.makeStream()
        wake(at: name, count) { end.finish() }
        for await _ in noted {}
    }

    /// The same for a script, which has a thread of its own; false where the note does not come within a minute.
    package func block(until name: String) -> Bool {
        let noted = DispatchSemaphore(value: 0)
        wake(at: name, 1) { noted.signal() }
        return noted.wait(timeout: .now() + 60) == .success
    }

    private func wake(at name: String, _ count: Int, _ wake: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            let isThere = (state.values[name]?.count ?? 0) >= count
            if !isThere { state.waiters.append(Waiter(name: name, count: count, wake: wake)) }
            return isThere
        }
        if isThere { wake() }
    }
}
