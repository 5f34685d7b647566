// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// Lets one access at a time change the registry, whichever thread it is on.
final class RegistryTurn: @unchecked Sendable {
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "registry")
    /// Read and written with the turn.
    private var isOver = false

    /// Waits for the change that is being written, and keeps others waiting meanwhile.
    func take<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Takes the turn on another thread, because a disk may take its time. Bodies run in the order in which they came.
    ///
    /// - Parameter refusal: Thrown where `end` came first.
    func takeElsewhere<Answer: Sendable>(
        or refusal: some Error, _ body: @escaping @Sendable () throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        try self.take {
                            guard !self.isOver else { throw refusal }
                            return try body()
                        }
                    })
            }
        }
    }

    /// Waits for the change that is being written; those that are still waiting are refused.
    func end() { take { isOver = true } }
}
