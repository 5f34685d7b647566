// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// What else the kernel says of a process. Each is read by its number and believed only when the process still lives afterwards.
extension PeerProcess {
    /// Of a file below `/proc/NUMBER`, at most.
    private static let fileLimit = 1 << 20

    /// Whether it keeps other processes of its user from looking at it: its files below `/proc` belong to root then, or are not to
    /// be seen at all.
    var isHidden: Bool {
        var information = stat()
        let isShown = stat("/proc/\(process)", &information) == 0
        return isAlive && (!isShown || information.st_uid == 0)
    }

    /// The control group's path in the unified hierarchy, such as `/user.slice/…/app-shiny-42.scope`.
    public var controlGroup: String? {
        read("cgroup").flatMap { text in
            text.split(separator: "\n").first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
        }
    }

    /// The label of the security module (AppArmor), with its mode: `snap.shiny.shiny (enforce)`.
    public var securityLabel: String? {
        let label = read("attr/apparmor/current") ?? read("attr/current")
        let isFiller = { (character: Character) in character.isWhitespace || character == "\0" }
        guard let label, let first = label.firstIndex(where: { !isFiller($0) }),
            let last = label.lastIndex(where: { !isFiller($0) })
        else { return label == nil ? nil : "" }
        return String(label[first...last])
    }

    /// The arguments as the process shows them, which it can change: good for a refusal, never for a claim.
    public var arguments: [String] {
        (read("cmdline") ?? "").split(separator: "\0", omittingEmptySubsequences: false).prefix(64).map(String.init)
    }

    /// The files that it has mapped as code, as paths in its own view.
    public var mappedCode: [MappedFile]? {
        read("maps").map { text in
            text.split(separator: "\n").compactMap { MappedFile(line: $0) }
        }
    }

    /// A file that a process runs code from.
    public struct MappedFile: Hashable, Sendable {
        public let path: String
        public let inode: UInt64

        /// A line of `/proc/NUMBER/maps` (proc(5)) with the right to execute and a file.
        public init?(line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard parts.count == 6, parts[1].contains("x"), let inode = UInt64(parts[4]), inode > 0 else { return nil }
            path = String(parts[5].drop { $0 == " " })
            self.inode = inode
        }

        /// Whether the file at a path, in this process's view, is this one, as far as its number tells.
        public func isFile(at path: String) -> Bool {
            var information = stat()
            return stat(path, &information) == 0 && UInt64(information.st_ino) == inode
        }
    }

    /// A number of the process's beginning, in clock ticks since the machine started: with the process number it names one process.
    public var startTime: UInt64? {
        guard let text = read("stat"), let end = text.lastIndex(of: ")") else { return nil }
        // The name, in parentheses, may hold anything; field 22 is the twentieth behind it.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    /// Opens what the process runs, for reading; the caller closes it.
    public func openExecutable() -> Int32? {
        opened("exe", O_RDONLY | O_CLOEXEC)
    }

    /// Opens the folder that the process takes for the root; the caller closes it.
    public func openRoot() -> Int32? {
        opened("root", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Whether it sees the same mounts as this process: then a path of its is the same path here. Who is in mounts of their own
    /// may have any file at any path.
    public var sharesMounts: Bool {
        func namespace(_ process: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/mnt")
        }
        guard let own = namespace("self"), let its = namespace("\(process)") else { return false }
        return own == its && isAlive
    }

    /// The processes above it, the nearest first, as far as they can be seen.
    public func ancestors(limit: Int = 8) -> [PeerProcess] {
        var found: [PeerProcess] = []
        var next = PeerProcess(parentOf: self)
        while let process = next, found.count < limit {
            found.append(process)
            next = PeerProcess(parentOf: process)
        }
        return found
    }

    private func opened(_ name: String, _ flags: Int32) -> Int32? {
        let descriptor = Glibc.open("/proc/\(process)/\(name)", flags)
        guard descriptor >= 0 else { return nil }
        guard isAlive else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private func read(_ name: String) -> String? {
        guard let descriptor = opened(name, O_RDONLY | O_CLOEXEC) else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < Self.fileLimit {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return isAlive ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += part[..<count]
        }
        // More than anybody has is not half believed.
        return nil
    }
}
