// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file of any kind, open without any access to it, so that it stays the same file for as long as this lives.
///
/// A file system gives the number of a file that is gone to the next one; and what is at a path may be exchanged.
package final class PinnedFile: Sendable {
    package let descriptor: Int32
    /// Of `S_IFMT`; that of a link itself where it is one.
    package let kind: UInt32

    /// Returns `nil` if there is no file at the path.
    ///
    /// - Parameters:
    ///   - folder: the descriptor of a folder where the path begins.
    ///   - followsLinks: whether a link at the path leads on.
    package init?(path: String, in folder: Int32 = AT_FDCWD, followsLinks: Bool = true) {
        // O_PATH, which Swift does not import: the file is not opened for reading.
        descriptor = openat(folder, path, 0o10_000_000 | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
        var information = stat()
        guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
            kind = 0
            return nil
        }
        kind = information.st_mode & S_IFMT
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
