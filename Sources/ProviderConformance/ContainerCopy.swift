// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import TerminalRendering

/// Copies a container, so that the provider under test never changes the real one.
///
/// A symbolic link in the copy would lead out of it, to files that the provider could then write, so a container with
/// links is refused. Sockets and pipes are useless without their process and are left out.
package struct ContainerCopy {
    /// The limits for a container.
    package struct Bounds {
        package var entries = 20_000
        package var depth = 32
        package var bytes: Int64 = 512 << 20
    }

    private var left: Bounds

    /// Copies a folder to a path that does not exist yet.
    package init(_ source: String, to target: String, within bounds: Bounds = Bounds()) throws(CommandFailure) {
        left = bounds
        let folder = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure(source) }
        defer { close(folder) }
        try copy(folder, source, to: target, depth: bounds.depth)
    }

    private mutating func copy(
        _ folder: Int32, _ path: String, to target: String, depth: Int
    ) throws(CommandFailure) {
        guard depth > 0 else { throw CommandFailure(.invalidInput, "\(path) lies too deep in the container.") }
        guard mkdir(target, 0o700) == 0 else { throw Self.failure(target) }
        for name in try Self.names(folder, path) {
            left.entries -= 1
            guard left.entries >= 0 else { throw CommandFailure(.invalidInput, "The container holds too many files.") }
            try copy(name, of: folder, path + "/" + name, to: target + "/" + name, depth: depth)
        }
    }

    private mutating func copy(
        _ name: String, of folder: Int32, _ path: String, to target: String, depth: Int
    ) throws(CommandFailure) {
        var information = stat()
        guard fstatat(folder, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else { throw Self.failure(path) }
        let kind = information.st_mode & S_IFMT
        switch kind {
        case S_IFREG, S_IFDIR:
            // The file may have been replaced meanwhile. A link is not followed, and opening a pipe does not block.
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (kind == S_IFDIR ? O_DIRECTORY : 0)
            let file = openat(folder, name, flags)
            guard file >= 0 else { throw Self.failure(path) }
            defer { close(file) }
            if kind == S_IFDIR {
                try copy(file, path, to: target, depth: depth - 1)
            } else {
                try copy(bytesOf: file, path, to: target)
            }
        case S_IFLNK:
            throw CommandFailure(
                .invalidInput, "\(path) is a symbolic link, which points outside the copy.",
                hint: "Copy the container without it, and name the copy.")
        case S_IFSOCK, S_IFIFO: return
        default: throw CommandFailure(.invalidInput, "\(path) is neither a file nor a folder.")
        }
    }

    private mutating func copy(bytesOf file: Int32, _ path: String, to target: String) throws(CommandFailure) {
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.invalidInput, "\(path) is no longer a file.")
        }
        let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, information.st_mode & 0o700)
        guard copy >= 0 else { throw Self.failure(target) }
        defer { close(copy) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(path) }
            if count == 0 { return }
            left.bytes -= Int64(count)
            guard left.bytes >= 0 else { throw CommandFailure(.invalidInput, "The container is larger than 512 MiB.") }
            let isWritten = buffer.withUnsafeBytes {
                Descriptor.writeAll(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: copy)
            }
            guard isWritten else { throw Self.failure(target) }
        }
    }

    private static func names(_ folder: Int32, _ path: String) throws(CommandFailure) -> [String] {
        let descriptor = fcntl(folder, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0, let stream = fdopendir(descriptor) else {
            if descriptor >= 0 { close(descriptor) }
            throw failure(path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.storage, "\(path) cannot be copied: \(String(cString: strerror(errno))).")
    }
}
