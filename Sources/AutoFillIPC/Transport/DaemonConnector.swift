// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import Glibc

/// How a client gets to the daemon: it connects, and starts the daemon where none answers.
public enum DaemonConnector {
    /// Connects to a running daemon, or to nothing. Throws `notPermitted` when somebody else listens there.
    ///
    /// If another process than the daemon answers, `receive` on the stream throws `notPermitted` before it reads a byte. So a client
    /// whose hello was answered speaks to the daemon.
    ///
    /// - Parameter isOwnProgram: whether the program that runs is one of Latchkey's, beside which the daemon is to be. An app of
    ///   somebody else's has the daemon in another folder, and goes by the user alone.
    public static func connect(_ directories: Directories, isOwnProgram: Bool = true) throws(WireError) -> FramedStream?
    {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw WireError(.internalError, "No socket can be made: \(String(cString: strerror(errno))).")
        }
        // Before anything can come: what was sent earlier has no sender.
        guard latchkey_pass_sender(descriptor) == 0 else {
            close(descriptor)
            throw WireError(.internalError, "The kernel does not say who listens on \(directories.socket).")
        }
        guard UnixAddress.connect(descriptor, directories.socket) else {
            let reason = errno
            close(descriptor)
            if reason == ENOENT || reason == ECONNREFUSED { return nil }
            throw WireError(
                .internalError, "The daemon's socket cannot be reached: \(String(cString: strerror(reason))).")
        }
        let stream = FramedStream(socket: descriptor) { sender in
            let daemon = isOwnProgram ? programFolder + "/" + daemonName : nil
            if let reason = reasonToRefuse(sender, daemon: daemon) {
                throw WireError(
                    .notPermitted, "What listens on \(directories.socket) is not Latchkey's daemon: \(reason).",
                    hint: "End that program, remove the folder \(directories.runtime), and start again.")
            }
        }
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

    private static let daemonName = "latchkeyd"

    /// Why the process that answered is not taken for the daemon, or `nil` if it is.
    ///
    /// The daemon lets no other process of the user look at it, so that only root can read what it runs. To everybody else any
    /// program that hides in the same way may be the daemon.
    ///
    /// - Parameter daemon: the path of the daemon beside this program, or `nil` if this program is not one of Latchkey's.
    static func reasonToRefuse(_ sender: PeerProcess?, daemon: String?) -> String? {
        guard let sender else { return "nobody can tell which program it is" }
        guard sender.user == geteuid() else { return "another user runs it" }
        // What this process listens for itself it may tell itself.
        guard let daemon, sender.process != getpid() else { return nil }
        guard let executable = sender.executable else {
            guard sender.isAlive else { return "it has ended" }
            return sender.isHidden ? nil : "what it runs cannot be read"
        }
        guard sender.sharesMounts else { return "it sees other files than this program does" }
        // A daemon that was replaced by a newer one goes on until it is started again.
        let isOwn = [daemon, daemon + " (deleted)"].contains(executable.path)
        #if DEBUG
            // A stand-in, which the tests of a program that is built for debugging name.
            if let standIn = getenv("LATCHKEY_STAND_IN"), String(cString: standIn) == executable.path { return nil }
        #endif
        return isOwn || executable.isRoots(named: daemonName) ? nil : "it runs \(executable.path)"
    }

    /// The folder that this program was started from.
    public static var programFolder: String {
        guard let path = targetOfSymbolicLink("/proc/self/exe") else { return "." }
        return path.pathParent ?? "."
    }

    /// Starts the daemon in a session of its own and returns the end of a pipe that closes when it is ready.
    private static func start() throws(WireError) -> Int32 {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { throw WireError(.internalError, "No pipe can be made.") }
        let program = programFolder + "/" + daemonName
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
