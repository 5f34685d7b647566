// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
package import AutoFillSecrets
internal import CLinux
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Reads a descriptor on a thread of its own until it is stopped. The bytes stay in locked memory.
package final class InputReader: Sendable {
    /// An event of the reader.
    package enum Input: Sendable {
        case bytes(SecretBytes)
        /// No input arrived for the time of a pause.
        case pause
        case end
    }

    private let wake: Int32
    private let isStopped = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to read. Returns `nil` if no pipe or thread can be created.
    ///
    /// - Parameters:
    ///   - pause: Milliseconds without input after which `.pause` is delivered; negative means never.
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
            // No thread is reading, so `stop` must not wait for one.
            close(waking)
            ended.signal()
            return nil
        }
    }

    deinit {
        stop()
    }

    /// Stops reading, and returns when the last read has ended.
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
