// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The system calls by which small files are written. A test can have any of them fail.
package enum FileCalls {
    /// The calls that a test tells apart.
    package enum Call: Hashable, Sendable, CaseIterable {
        case open, write, synchronize, link, rename, unlink, truncate
    }

    /// Asked before each call of this task, with the path where there is one: the errno that the call fails with, or
    /// `nil`. Only tests set it.
    @TaskLocal package static var testOnlyFault: (@Sendable (Call, String) -> Int32?)?

    private static func fails(_ call: Call, _ path: String = "") -> Bool {
        guard let number = testOnlyFault?(call, path) else { return false }
        errno = number
        return true
    }

    package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
        fails(.open, path) ? -1 : Glibc.open(path, flags, mode)
    }

    /// Writes all bytes. A full disk takes the first of them, and so does a fault of a test.
    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        let number = testOnlyFault?(.write, "")
        let end = number == nil ? bytes.count : bytes.count / 2
        var written = 0
        while written < end {
            let count = Glibc.write(file, bytes.baseAddress?.advanced(by: written), end - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        if let number { errno = number }
        return number == nil
    }

    package static func synchronize(_ file: Int32) -> Int32 {
        fails(.synchronize) ? -1 : fsync(file)
    }

    package static func link(_ old: String, _ new: String) -> Int32 {
        fails(.link, new) ? -1 : Glibc.link(old, new)
    }

    package static func rename(_ old: String, _ new: String) -> Int32 {
        fails(.rename, new) ? -1 : Glibc.rename(old, new)
    }

    package static func unlink(_ path: String) -> Int32 {
        fails(.unlink, path) ? -1 : Glibc.unlink(path)
    }

    package static func truncate(_ file: Int32, _ size: off_t) -> Int32 {
        fails(.truncate) ? -1 : ftruncate(file, size)
    }
}
