// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
package import AutoFillSecrets
internal import CLinux
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Reads a descriptor on a thread of its own until it is told to stop; what is read stays in locked memory.
package final class InputReader: Sendable {
    /// What comes from it.
    package enum Input: Sendable {
        case bytes(SecretBytes)
        /// Nothing came for a moment.
        case pause
        case end
    }

    private let wake: Int32
    private let isStopped = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to read. Nothing where there is no pipe to be had.
    ///
    /// - Parameters:
    ///   - pause: after so many milliseconds without input `.pause` is said; negative for never.
    package init?(_ descriptor: Int32, pause: Int32, _ take: @escaping @Sendable (Input) -> Void) {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { return nil }
        let waking = ends[0]
        wake = ends[1]
        let ended = self.ended
        let isStarted = DetachedThread.start {
            Self.read(descriptor, waking, pause, take)
            close(waking)
            ended.signal()
        }
        guard isStarted else {
            // Nobody reads, so `stop` has nobody to wait for.
            close(waking)
            ended.signal()
            return nil
        }
    }

    deinit {
        stop()
    }

    /// Returns when nothing is read any more.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        close(wake)
        ended.wait()
    }

    private static func read(_ descriptor: Int32, _ wake: Int32, _ pause: Int32, _ take: (Input) -> Void) {
        var wanted = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: 0, revents: 0),
        ]
        while true {
            let count = poll(&wanted, 2, pause)
            if count < 0 && errno == EINTR { continue }
            if count < 0 || wanted[1].revents != 0 { return }
            if count == 0 {
                take(.pause)
                continue
            }
            let buffer = SecretBytes(count: 4096)
            let size = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if size < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard size > 0 else { return take(.end) }
            take(.bytes(buffer.prefix(size)))
        }
    }
}
