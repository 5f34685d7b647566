// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Files of a folder that somebody else may have filled.
public enum PlainFile {
    /// Why a file of a folder is not taken.
    public enum Refusal: Error, Equatable, Sendable {
        case missing
        case noFile(reason: String)
    }

    /// Opens a file to be read: a plain one, not a link, which could lead to what was never meant to be read.
    public static func opened(_ path: String) throws(Refusal) -> Int32 {
        // Not blocking: a named pipe would wait for somebody to write.
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP: throw .noFile(reason: "it is a symbolic link")
            default: throw .noFile(reason: "it cannot be opened: \(String(cString: strerror(errno)))")
            }
        }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .noFile(reason: "it is not a plain file")
        }
        return file
    }

    static func open(_ path: String) -> Int32? {
        try? opened(path)
    }

    /// Everything in an open file; nothing when it cannot be read or has more than so many bytes.
    public static func read(_ file: Int32, atMost maximum: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= maximum {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
        return nil
    }
}
