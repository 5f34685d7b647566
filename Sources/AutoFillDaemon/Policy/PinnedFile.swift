// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Keeps a file's number in use for as long as this lives: a file system gives the number of a file that is gone to the next one.
final class PinnedFile: Sendable {
    private let descriptor: Int32

    /// Returns `nil` if there is no file at the path.
    init?(path: String) {
        // O_PATH, which Swift does not import: the file is not opened for reading.
        descriptor = open(path, 0o10_000_000 | O_CLOEXEC)
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
