// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Reads files that may be anything by the time they are opened: a pipe, a device, a file without end.
public enum SmallFile {
    /// The content of a regular file, or `nil` if it is not one, cannot be read, or exceeds the limit in bytes.
    ///
    /// - Parameter followsLinks: Only for the user's own settings, which may lie elsewhere.
    public static func read(_ path: String, atMost limit: Int, followsLinks: Bool = false) -> [UInt8]? {
        // Without waiting: a pipe would wait for somebody to write.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
        guard file >= 0 else { return nil }
        defer { close(file) }
        return read(descriptor: file, atMost: limit)
    }

    /// Whether anything is at a path: a link too that leads nowhere, and what cannot be looked at.
    public static func isThere(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0 || errno != ENOENT
    }

    /// The same as text, if it is UTF-8.
    public static func text(_ path: String, atMost limit: Int, followsLinks: Bool = false) -> String? {
        read(path, atMost: limit, followsLinks: followsLinks).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The first bytes of a regular file, at most so many; `nil` if it is not one or cannot be read. For paths that strangers name: it
    /// neither waits for a pipe nor touches a device.
    public static func beginning(of path: String, _ count: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = pread(file, &bytes, count, 0)
        return got < 0 ? nil : Array(bytes.prefix(got))
    }

    /// The names in a folder, at most the limit, or `nil` if it is not a folder.
    public static func names(in folder: String, atMost limit: Int) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The content of an open regular file, from where it stands.
    public static func read(descriptor file: Int32, atMost limit: Int) -> [UInt8]? {
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_size <= off_t(limit)
        else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
        return nil
    }
}
