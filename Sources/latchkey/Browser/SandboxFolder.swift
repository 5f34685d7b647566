// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import TerminalRendering

/// A folder that a sandbox can write. What is in it may be anything at any time: a link out of it, a pipe, a file without end. So no link is
/// followed, nothing is waited for, and all is done below folders that are held open.
final class SandboxFolder {
    private let descriptor: Int32

    /// Opens a folder below one that the sandbox cannot replace.
    ///
    /// - Parameter isMade: Whether folders that are not there are made, for the user alone.
    /// - Returns: `nil` if it is not there, and is not to be made.
    /// - Throws: `CommandFailure` if a part of the path is a link, a file or anything else than a folder.
    init?(_ parts: [String], below trusted: String, isMade: Bool) throws(CommandFailure) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        if isMade { Self.make(trusted) }
        var folder = open(trusted, flags)
        var path = trusted
        for part in parts where folder >= 0 {
            path += "/" + part
            if isMade { mkdirat(folder, part, 0o700) }
            let next = openat(folder, part, flags | O_NOFOLLOW)
            let reason = errno
            close(folder)
            folder = next
            errno = reason
        }
        guard folder >= 0 else {
            if errno == ENOENT && !isMade { return nil }
            throw CommandFailure(
                .storage, "\(path) cannot be used: \(String(cString: strerror(errno))).",
                hint: "A program in the sandbox may have put something else there.")
        }
        descriptor = folder
    }

    deinit {
        close(descriptor)
    }

    /// The content of a regular file. Returns `nil` for anything else, and for a file that is larger than `limit` bytes.
    func read(_ name: String, atMost limit: Int) -> Data? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_size <= off_t(limit)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = pread(file, &bytes, bytes.count, 0)
        return (0...limit).contains(count) ? Data(bytes[..<count]) : nil
    }

    /// Writes a file for the user alone, whole or not at all, in place of whatever has its name.
    func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
        let temporary = ".\(name).\(UInt64.random(in: 0...UInt64.max))"
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure(name) }
        let isWritten = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: file) } && fsync(file) == 0
        close(file)
        guard isWritten, renameat(descriptor, temporary, descriptor, name) == 0 else {
            let reason = errno
            unlinkat(descriptor, temporary, 0)
            errno = reason
            throw Self.failure(name)
        }
    }

    func remove(_ name: String) throws(CommandFailure) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw Self.failure(name) }
    }

    private static func make(_ path: String) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private static func failure(_ name: String) -> CommandFailure {
        CommandFailure(.storage, "\(name) cannot be written: \(String(cString: strerror(errno))).")
    }
}
