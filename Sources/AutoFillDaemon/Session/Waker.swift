// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// Ends the waits of all threads that hold it, once and for good.
final class Waker: Sendable {
    // Nothing is ever written: closing the write end wakes the waits on the read end.
    private let readEnd: Int32
    private let writeEnd: Mutex<Int32?>

    /// Makes a waker; `nil` if there are no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard latchkey_pipe(&ends) == 0 else { return nil }
        readEnd = ends[0]
        writeEnd = Mutex(ends[1])
    }

    deinit {
        wake()
        close(readEnd)
    }

    func wake() {
        writeEnd.withLock { end in
            if let open = end { close(open) }
            end = nil
        }
    }

    var isAwake: Bool { writeEnd.withLock { $0 == nil } }

    /// Waits for `wake()`, for events of a descriptor, or for a span of time; `nil` is no limit.
    func wait(for descriptor: Int32 = -1, events: Int16 = 0, atMost span: Duration?) {
        // The kernel passes over a negative descriptor.
        var entries = [pollfd(fd: readEnd, events: 0, revents: 0), pollfd(fd: descriptor, events: events, revents: 0)]
        _ = poll(&entries, nfds_t(entries.count), span.map(Self.milliseconds) ?? -1)
    }

    /// Rounded up, so that a short wait is not a busy one.
    private static func milliseconds(_ span: Duration) -> Int32 {
        let (seconds, attoseconds) = span.components
        guard seconds < Int64(Int32.max / 1_000) else { return .max }
        return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
