// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Orders the steps of changes of several stores: first come, first served, so that a long change lets a short one pass.
final class StoreTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    /// Number of changes that wait for their turn.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Blocks until it is the caller's turn.
    func take() {
        let place = state.withLock { state -> DispatchSemaphore? in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let place = DispatchSemaphore(value: 0)
            state.waiting.append(place)
            return place
        }
        place?.wait()
    }

    /// Gives the turn to the one that has waited longest.
    func give() {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return
            }
            state.waiting.removeFirst().signal()
        }
    }
}
