// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// Further facts from the kernel about a process. Each is read by process number, and used only if the process is still alive then.
extension PeerProcess {
    /// Maximum size of a file below `/proc/NUMBER`, in bytes.
    private static let fileLimit = 1 << 20

    /// Whether the process hides itself from other processes of its user: its files below `/proc` belong to root or are invisible.
    ///
    /// The folder `/proc/NUMBER` itself belongs to the user in any case, so one of its files is asked. In a user namespace
    /// without root, root's files belong to nobody that has a name there.
    var isHidden: Bool {
        var information = stat()
        let isShown = stat("/proc/\(process)/stat", &information) == 0
        return isAlive && (!isShown || information.st_uid == 0 || information.st_uid != user)
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

    /// The arguments as the process shows them. It can change them, so use them only to refuse, never to permit.
    public var arguments: [String] {
        (read("cmdline") ?? "").split(separator: "\0", omittingEmptySubsequences: false).prefix(64).map(String.init)
    }

    /// The files mapped as code, as paths in the process's own view.
    public var mappedCode: [MappedFile]? {
        read("maps").map { text in
            text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { MappedFile(line: Substring($0)) }
        }
    }

    /// A file from which a process runs code.
    public struct MappedFile: Hashable, Sendable {
        public let path: String
        public let inode: UInt64

        /// Reads a line of `/proc/NUMBER/maps` (proc(5)). Returns `nil` unless it is an executable mapping of a file.
        public init?(line: Substring) {
            // By bytes: a process has hundreds of mappings, and this is read before each fill.
            let space = UInt8(ascii: " ")
            let parts = line.utf8.split(separator: space, maxSplits: 5, omittingEmptySubsequences: true)
            guard parts.count == 6, parts[1].contains(UInt8(ascii: "x")), let inode = UInt64(Substring(parts[4])),
                inode > 0
            else { return nil }
            path = String(Substring(parts[5].drop { $0 == space }))
            self.inode = inode
        }

        /// Whether the file at a path, in this process's view, has the same inode number.
        public func isFile(at path: String) -> Bool {
            var information = stat()
            return stat(path, &information) == 0 && UInt64(information.st_ino) == inode
        }
    }

    /// The start time of the process in clock ticks since boot. Together with the process number it identifies one process.
    public var startTime: UInt64? {
        guard let text = read("stat"), let end = text.lastIndex(of: ")") else { return nil }
        // The name, in parentheses, may contain any characters. Field 22 is the twentieth after it.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }

    /// Opens the executable of the process for reading. The caller closes it.
    public func openExecutable() -> Int32? {
        opened("exe", O_RDONLY | O_CLOEXEC)
    }

    /// Opens the root folder of the process. The caller closes it.
    public func openRoot() -> Int32? {
        opened("root", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Whether the process sees the same mounts as this one, so that its paths mean the same files here.
    ///
    /// A process with its own mounts may have any file at any path.
    public var sharesMounts: Bool { shares(["mnt"]) }

    /// Whether the process has this process's mount, process and user namespaces. `false` if the kernel does not show them.
    ///
    /// Who makes such a namespace for a program decides what code it loads, whatever its executable is.
    public var sharesNamespaces: Bool { shares(Self.namespaces) }

    /// Whether process 1 or the parent of this process is seen to have another mount, process or user namespace than this process.
    public static var isSeenInSandbox: Bool {
        ["1", "\(getppid())"].contains { process in
            namespaces.contains { kind in namespace(kind, of: process).map { $0 != namespace(kind) } ?? false }
        }
    }

    private static let namespaces = ["mnt", "pid", "user"]

    private static func namespace(_ kind: String, of process: String = "self") -> String? {
        targetOfSymbolicLink("/proc/\(process)/ns/\(kind)")
    }

    private func shares(_ kinds: [String]) -> Bool {
        kinds.allSatisfy { kind in
            Self.namespace(kind).map { $0 == Self.namespace(kind, of: "\(process)") } ?? false
        } && isAlive
    }

    /// The visible ancestor processes, nearest first.
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
        // A file that is larger than any real one is not used partially.
        return nil
    }
}
