// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// How a client gets to the daemon: it connects, and starts the daemon where none answers.
public enum DaemonConnector {
    /// Connects to a running daemon, or to nothing. Throws `notPermitted` when somebody else listens there.
    public static func connect(_ directories: Directories) throws(WireError) -> FramedStream? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw WireError(.internalError, "No socket can be made: \(String(cString: strerror(errno))).")
        }
        guard UnixAddress.connect(descriptor, directories.socket) else {
            let reason = errno
            close(descriptor)
            if reason == ENOENT || reason == ECONNREFUSED { return nil }
            throw WireError(
                .internalError, "The daemon's socket cannot be reached: \(String(cString: strerror(reason))).")
        }
        let stream = FramedStream(socket: descriptor)
        // A passphrase is about to go this way: the other end has to be this user's own.
        guard let peer = stream.peer(), peer.user == geteuid() else {
            throw WireError(
                .notPermitted, "Another user listens on \(directories.socket).",
                hint: "Remove the folder \(directories.runtime) and start again.")
        }
        return stream
    }

    /// Connects, after starting `latchkeyd` from the folder of this program where none runs.
    public static func connectOrStart(_ directories: Directories) throws(WireError) -> FramedStream {
        if let stream = try connect(directories) { return stream }
        let ready = try start()
        defer { close(ready) }
        // The daemon closes its end of this pipe once it listens, or when it ends.
        var byte: UInt8 = 0
        while read(ready, &byte, 1) < 0 && errno == EINTR {}
        // It may have lost a race against another client's; then that one answers a moment later.
        for _ in 0..<50 {
            if let stream = try connect(directories) { return stream }
            poll(nil, 0, 20)
        }
        throw WireError(
            .internalError, "The daemon cannot be started.", hint: "Run `latchkeyd` by hand to see what it says.")
    }

    /// The folder that this program was started from.
    public static var programFolder: String {
        guard let path = targetOfSymbolicLink("/proc/self/exe") else { return "." }
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    /// Starts the daemon in a session of its own and returns the end of a pipe that closes when it is ready.
    private static func start() throws(WireError) -> Int32 {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { throw WireError(.internalError, "No pipe can be made.") }
        let program = programFolder + "/latchkeyd"
        let started = ChildProcess.spawn(
            program, arguments: ["--background", "--ready-descriptor", "3"], descriptors: [(ends[1], 3)],
            isNewSession: true)
        close(ends[1])
        guard started != nil else {
            close(ends[0])
            throw WireError(
                .notFound, "\(program) cannot be started: \(String(cString: strerror(errno))).",
                hint: "latchkeyd has to be in the same folder as this program.")
        }
        return ends[0]
    }
}
