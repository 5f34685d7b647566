// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import ChildProcesses
internal import Foundation

/// Starts processes from one thread that lives as long as this process.
///
/// The death signal of prctl(2) (`PR_SET_PDEATHSIG`) is tied to the parent *thread*, and threads of the shared pool come and go.
///
/// Unchecked `Sendable`: the queue of processes to start is protected by the condition's lock.
package final class Spawner: @unchecked Sendable {
    package static let shared = Spawner()

    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []

    private init() {
        Thread.detachNewThread { [self] in
            while true { next()() }
        }
    }

    /// Starts a process that leads a process group of its own; same parameters as `ChildProcess.spawn`.
    package func spawn(
        _ program: String, arguments: [String], descriptors: [(from: Int32, to: Int32)], environment: [String: String]
    ) async -> Int32? {
        await withCheckedContinuation { continuation in
            condition.withLock {
                waiting.append {
                    continuation.resume(
                        returning: ChildProcess.spawn(
                            program, arguments: arguments, descriptors: descriptors, environment: environment,
                            isNewGroup: true))
                }
                condition.signal()
            }
        }
    }

    private func next() -> @Sendable () -> Void {
        condition.withLock {
            while waiting.isEmpty { condition.wait() }
            return waiting.removeFirst()
        }
    }
}
