// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import CLinux
internal import Glibc

/// Both ends of a pipe. They close on exec, and each closes only once.
package final class PipeEnds {
    package private(set) var reading: Int32
    package private(set) var writing: Int32

    /// Creates a pipe, or returns `nil` if the process has no descriptors left.
    package init?() {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { return nil }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeReading()
        closeWriting()
    }

    package func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    package func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads to the end. Returns `nil` if the input is too long or does not end in time.
    package func readAll(limit: Int, milliseconds: Int) -> SecretBytes? {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        let buffer = SecretBytes(count: limit + 1)
        let total: Int? = buffer.withUnsafeMutableBytes { bytes in
            var total = 0
            while total < bytes.count {
                let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
                var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
                guard left > 0, poll(&descriptor, 1, Int32(left) + 1) > 0 else { return nil }
                let count = read(reading, bytes.baseAddress?.advanced(by: total), bytes.count - total)
                if count == 0 { return total }
                if count < 0 && errno != EINTR { return nil }
                total += max(count, 0)
            }
            return nil
        }
        return total.map { buffer.prefix($0) }
    }
}
