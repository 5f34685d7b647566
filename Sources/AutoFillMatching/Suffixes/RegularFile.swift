// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// A file that somebody else may have put there: read whole, if it is a regular one and not too long.
struct RegularFile {
    let contents: Data
    /// In seconds since 1970.
    let modified: Int64

    enum Failure: Error {
        case absent
        case unreadable(String)
    }

    static func read(_ path: String, limit: Int) throws(Failure) -> RegularFile {
        // Without waiting for a writer, where it is a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable("it is not a regular file")
        }
        guard status.st_size <= limit else { throw .unreadable("it is longer than \(limit) bytes") }
        var contents = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
            guard count > 0 else { break }
            contents.append(contentsOf: buffer[..<count])
            // It may have grown since it was looked at.
            guard contents.count <= limit else { throw .unreadable("it is longer than \(limit) bytes") }
        }
        return RegularFile(contents: contents, modified: Int64(status.st_mtim.tv_sec))
    }
}
