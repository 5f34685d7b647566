// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Foundation
internal import Glibc

/// Keeps the first megabyte of a debug build's output.
///
/// Not for providers in normal use: their output could contain secrets.
package enum OutputLog {
    package static let limit = 1 << 20

    /// Starts a log, and returns the descriptor to print into, which the caller closes. Returns `nil` if no log can be made.
    package static func make(at path: String) -> Int32? {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { return nil }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            close(ends[0])
            close(ends[1])
            return nil
        }
        let input = ends[0]
        Thread.detachNewThread {
            var left = limit
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(input, &buffer, buffer.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                // Keep reading when the log is full, because a full pipe would block the provider.
                let kept = min(left, count)
                if kept > 0 { left -= max(0, write(file, buffer, kept)) }
            }
            close(input)
            close(file)
        }
        return ends[1]
    }
}
