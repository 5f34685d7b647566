// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import Glibc

/// A listening socket of the daemon's.
public final class ListeningSocket: Sendable {
    private let descriptor: Int32
    /// Held as long as the daemon runs; only the first of its sockets takes it.
    private let lock: Int32?
    private let path: String?
    /// Whether the kernel reports the sender of all data.
    private let namesSenders: Bool

    /// Takes ownership of a socket on which the service manager listens.
    ///
    /// - Throws: `alreadyExists` when a daemon is running there.
    public convenience init(activated descriptor: Int32, in directories: Directories) throws(WireError) {
        self.init(activated: descriptor, lock: try Self.takeLock(directories))
    }

    private init(activated descriptor: Int32, lock: Int32?) {
        self.lock = lock
        self.descriptor = descriptor
        // If the unit does not set PassCredentials, data received until now has no sender.
        namesSenders = latchkey_passes_sender(descriptor) == 1
        _ = latchkey_pass_sender(descriptor)
        path = nil
    }

    /// Listens in the runtime folder.
    ///
    /// - Throws: `alreadyExists` when a daemon is running there.
    public convenience init(in directories: Directories) throws(WireError) {
        try self.init(path: directories.socket, lock: try Self.takeLock(directories))
    }

    /// Listens where browsers in a sandbox connect. The caller holds the lock.
    ///
    /// The folder outlives this daemon: a sandbox that sees it finds the next daemon's socket in it.
    ///
    /// - Parameter activated: A socket from the service manager, if it passed one.
    public convenience init(forBrowsersIn directories: Directories, activated: Int32?) throws(WireError) {
        if let activated {
            self.init(activated: activated, lock: nil)
        } else {
            try Directories.makePrivate(directories.browserSocket.pathParent ?? directories.runtime)
            try self.init(path: directories.browserSocket, lock: nil)
        }
    }

    private init(path: String, lock: Int32?) throws(WireError) {
        self.lock = lock
        // Only the holder of the lock may remove a leftover socket.
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        // Every connection inherits this setting.
        guard descriptor >= 0, latchkey_pass_sender(descriptor) == 0, UnixAddress.bind(descriptor, path),
            chmod(path, 0o600) == 0,
            listen(descriptor, 64) == 0
        else { throw Self.failure("listen on", path) }
        self.path = path
        namesSenders = true
    }

    /// Takes the lock, which one daemon holds as long as it runs.
    private static func takeLock(_ directories: Directories) throws(WireError) -> Int32 {
        try Directories.makePrivate(directories.runtime)
        let path = directories.runtime + "/latchkeyd.lock"
        let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("open", path) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(lock)
            throw WireError(
                .alreadyExists, "Another latchkeyd runs already.", hint: "End it with `latchkey daemon stop`.")
        }
        return lock
    }

    /// The next connection, or `nil` if the socket was closed. Blocks.
    public func accept() -> FramedStream? {
        while true {
            let connection = latchkey_accept(descriptor)
            if connection >= 0 { return stream(connection) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                // Out of descriptors: wait for some to be released rather than spin or end.
                poll(nil, 0, 50)
            default: return nil
            }
        }
    }

    /// Makes the stream of a connection, whose first bytes have to come from the process that connected.
    ///
    /// That process's program decides what may be requested, and other processes may share its socket.
    private func stream(_ connection: Int32) -> FramedStream {
        // Since Linux 6.16 a connection takes this setting from its own end, not from the listening socket.
        _ = latchkey_pass_sender(connection)
        let peer = PeerProcess(socket: connection)
        return FramedStream(socket: connection) { [namesSenders] sender in
            // While the process is alive, its number cannot belong to another one.
            guard let peer, peer.isAlive, sender.map({ $0.process == peer.process }) ?? !namesSenders else {
                throw FramedStream.Failure(reason: "the process that sends is not the one that connected")
            }
        }
    }

    /// Stops listening; a waiting `accept` returns `nil`.
    ///
    /// The service manager's socket is left open: the service manager continues to listen, and starts the next daemon.
    public func close() {
        guard let path else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        unlink(path)
    }

    private static func failure(_ verb: String, _ path: String) -> WireError {
        WireError(.storageFailed, "latchkeyd cannot \(verb) \(path): \(String(cString: strerror(errno))).")
    }
}

extension ListeningSocket {
    /// The path that a Unix socket is bound to. Returns `nil` for any other descriptor.
    public static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: &address.sun_path) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return path.hasPrefix("/") ? path : nil
    }
}

/// Socket addresses of the file system.
enum UnixAddress {
    static func bind(_ descriptor: Int32, _ path: String) -> Bool {
        with(path) { Glibc.bind(descriptor, $0, $1) == 0 }
    }

    static func connect(_ descriptor: Int32, _ path: String) -> Bool {
        with(path) { Glibc.connect(descriptor, $0, $1) == 0 }
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return false
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
