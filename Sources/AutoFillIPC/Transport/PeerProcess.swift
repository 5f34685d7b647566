// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import Glibc

/// The process at the other end of a socket, as reported by the kernel.
///
/// Facts read later (executable, parent) are used only if the process descriptor shows that the process is still alive:
/// its number cannot have been reused then.
public final class PeerProcess: Sendable {
    public let process: Int32
    public let user: UInt32
    private let descriptor: Int32

    /// Asks the kernel for the peer of a socket. Returns `nil` if the kernel does not report one.
    public init?(socket: Int32) {
        var peer = latchkey_peer()
        guard latchkey_peer_credentials(socket, &peer) == 0, peer.process > 0 else { return nil }
        let descriptor = latchkey_peer_pidfd(socket, peer.process)
        guard descriptor >= 0 else { return nil }
        process = peer.process
        user = peer.user
        self.descriptor = descriptor
    }

    /// The process that sent a message (unix(7), `SCM_CREDENTIALS`), with its descriptor, which this closes.
    ///
    /// A descriptor of -1 means none; one is opened by number then. Returns `nil` if the kernel does not report the
    /// sender, or it has ended.
    init?(sender: latchkey_peer, descriptor: Int32) {
        guard sender.process > 0 else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        let descriptor = descriptor >= 0 ? descriptor : latchkey_pidfd_open(sender.process)
        guard descriptor >= 0 else { return nil }
        process = sender.process
        user = sender.user
        self.descriptor = descriptor
        guard isAlive else { return nil }
    }

    /// A process by its number, for a child that has not been waited for yet and so cannot have ended unnoticed.
    public init?(child number: Int32) {
        let descriptor = number > 1 ? latchkey_pidfd_open(number) : -1
        guard descriptor >= 0 else { return nil }
        process = number
        self.descriptor = descriptor
        var information = stat()
        guard stat("/proc/\(number)", &information) == 0 else {
            close(descriptor)
            return nil
        }
        user = information.st_uid
    }

    /// A process by its number alone: which of those that had the number, nobody knows. What is read of it is what the present one is.
    public convenience init?(number: Int32) {
        self.init(child: number)
    }

    /// The parent of a process, with a process descriptor of its own.
    public init?(parentOf child: PeerProcess) {
        guard let number = child.status("PPid"), let parent = Int32(number), parent > 1 else { return nil }
        let descriptor = latchkey_pidfd_open(parent)
        guard descriptor >= 0 else { return nil }
        process = parent
        self.descriptor = descriptor
        var information = stat()
        guard stat("/proc/\(parent)", &information) == 0, child.isAlive, child.status("PPid") == number else {
            close(descriptor)
            return nil
        }
        user = information.st_uid
    }

    deinit {
        close(descriptor)
    }

    public var isAlive: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }

    /// An executable file: its path and its identity.
    public struct Executable: Hashable, Sendable {
        public let path: String
        public let device: UInt64
        public let inode: UInt64
        /// Whether the file belongs to root and only root can write it.
        public let isRootOwned: Bool

        /// Reads a path. Returns `nil` if it is not a regular file.
        public init?(path: String) {
            self.init(path: path, at: path)
        }

        init?(path: String, at place: String) {
            var information = stat()
            guard stat(place, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
            self.path = path
            device = UInt64(information.st_dev)
            inode = UInt64(information.st_ino)
            isRootOwned = information.st_uid == 0 && information.st_mode & (S_IWGRP | S_IWOTH) == 0
        }

        /// Whether the file has the given name, and only root can have put it there.
        func isRoots(named name: String) -> Bool {
            guard isRootOwned, path.pathParts.last == name else { return false }
            var folder = path
            while let parent = folder.pathParent {
                folder = parent
                var information = stat()
                guard stat(folder.isEmpty ? "/" : folder, &information) == 0, information.st_uid == 0,
                    information.st_mode & (S_IWGRP | S_IWOTH) == 0
                else { return false }
            }
            return true
        }

        /// Whether both are the same file, regardless of their paths.
        public func isSameFile(as other: Executable) -> Bool {
            device == other.device && inode == other.inode
        }
    }

    /// The program that the process runs, or `nil` if the process has ended or may not be inspected.
    public var executable: Executable? {
        let link = "/proc/\(process)/exe"
        guard let path = targetOfSymbolicLink(link) else { return nil }
        let executable = Executable(path: path, at: link)
        return isAlive ? executable : nil
    }

    private func status(_ field: String) -> String? {
        guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(field + ":") else { continue }
            return text.dropFirst(field.count + 1).trimmed
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
