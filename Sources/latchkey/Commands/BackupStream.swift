// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import Glibc
import TerminalRendering

/// A file of its own for a backup that comes from a pipe or goes into one: the daemon reads and writes files. It is encrypted as every
/// backup is, and lies in the state folder under a name that the daemon's next start removes.
struct BackupStream {
    /// Size limit of a backup in bytes.
    private static let limit = 256 << 20

    let path: String

    init() throws {
        let directories = try DaemonConnection.directories()
        try Directories.makePrivate(directories.state)
        path = directories.state + "/.latchkey-\(UUID().uuidString.lowercased()).tmp"
    }

    func remove() {
        _ = unlink(path)
    }

    /// Whether a path is to be read like standard input: `-`, or a pipe.
    static func isStream(_ path: String) -> Bool {
        var information = stat()
        return path == "-"
            || stat(path, &information) == 0 && ![S_IFREG, S_IFDIR].contains(information.st_mode & S_IFMT)
    }

    /// Reads a whole pipe, or standard input for `-`, into the file.
    func fill(from source: String) throws {
        let input = source == "-" ? STDIN_FILENO : open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw Self.failure("\(source) cannot be read") }
        defer { if source != "-" { close(input) } }
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard output >= 0 else { throw Self.failure("\(path) cannot be written") }
        defer { close(output) }
        let total = try Self.copy(input, output, from: source, to: path)
        guard total > 0 else { throw CommandFailure(.invalidInput, "\(Self.name(source)) is empty.") }
    }

    /// Writes the file to standard output.
    func empty() throws {
        let input = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else { throw Self.failure("\(path) cannot be read") }
        defer { close(input) }
        _ = try Self.copy(input, STDOUT_FILENO, from: path, to: "standard output")
    }

    private static func copy(_ input: Int32, _ output: Int32, from source: String, to target: String) throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while true {
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("\(name(source)) cannot be read") }
            guard count > 0 else { return total }
            total += count
            guard total <= limit else {
                throw CommandFailure(
                    .invalidInput, "\(name(source)) is larger than a backup, which has at most 256 MiB.")
            }
            guard buffer.withUnsafeBytes({ Descriptor.writeAll(.init(rebasing: $0.prefix(count)), to: output) }) else {
                throw failure("\(target) cannot be written")
            }
        }
    }

    private static func name(_ source: String) -> String { source == "-" ? "Standard input" : source }

    private static func failure(_ what: String) -> CommandFailure {
        CommandFailure(.storage, "\(what): \(String(cString: strerror(errno))).")
    }
}
