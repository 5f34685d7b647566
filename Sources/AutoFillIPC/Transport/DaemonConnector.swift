// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import CLinux
internal import ChildProcesses
internal import Glibc

/// Connects a client to the daemon, and starts the daemon if none is running.
public enum DaemonConnector {
    /// Connects to a running daemon. Returns `nil` if none is running.
    ///
    /// If another process than the daemon answers, `receive` on the stream throws `notPermitted` before it reads a
    /// byte. So a client whose hello was answered is connected to the daemon.
    ///
    /// - Parameter isOwnProgram: Whether the calling program is one of Latchkey's, whose daemon is in the same folder.
    ///   For other apps only the user is checked.
    /// - Throws: `notPermitted` when another user listens there.
    public static func connect(_ directories: Directories, isOwnProgram: Bool = true) throws(WireError) -> FramedStream?
    {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw WireError(.internalError, "No socket can be made: \(String(cString: strerror(errno))).")
        }
        // Set before any data can arrive: earlier data would have no sender.
        guard latchkey_pass_sender(descriptor) == 0 else {
            close(descriptor)
            throw WireError(.internalError, "The kernel does not tell which program listens on \(directories.socket).")
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
                    .notPermitted,
                    "The program that listens on \(directories.socket) is not Latchkey's daemon: \(reason).",
                    hint: "End that program, remove the folder \(directories.runtime), and start again.")
            }
        }
        // A passphrase may be sent next, so the other end has to belong to this user.
        guard let peer = stream.peer(), peer.user == geteuid() else {
            throw WireError(
                .notPermitted, "Another user listens on \(directories.socket).",
                hint: "Remove the folder \(directories.runtime) and start again.")
        }
        return stream
    }

    /// Connects, after starting `latchkeyd` from this program's folder if none is running.
    public static func connectOrStart(_ directories: Directories) throws(WireError) -> FramedStream {
        if let stream = try connect(directories) { return stream }
        let ready = try start()
        defer { close(ready) }
        // The daemon closes its end of this pipe when it is listening, or when it ends; then it has written why.
        let reason = reasonOfEnd(ready)
        // The daemon may have lost a race against one started by another client, which answers a moment later.
        for _ in 0..<50 {
            if let stream = try connect(directories) { return stream }
            poll(nil, 0, 20)
        }
        guard let message = reason.first, reason.count <= 2 else {
            throw WireError(
                .internalError, "The daemon cannot be started.", hint: "Run `latchkeyd` by hand to see its messages.")
        }
        throw WireError(
            .storageFailed, "The daemon cannot be started: \(message)", hint: reason.count > 1 ? reason[1] : nil)
    }

    /// What the daemon wrote before it ended: a message, and perhaps a hint. Empty for one that listens.
    private static func reasonOfEnd(_ ready: Int32) -> [String] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while text.count < buffer.count {
            let count = read(ready, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static let daemonName = "latchkeyd"

    /// The reason why the process that answered is not accepted as the daemon, or `nil` if it is.
    ///
    /// The daemon hides itself from other processes of the user, so that only root can see which program it runs. To
    /// others, every hidden program may be the daemon.
    ///
    /// - Parameter daemon: The path of the daemon beside this program, or `nil` if this program is not one of Latchkey's.
    static func reasonToRefuse(_ sender: PeerProcess?, daemon: String?) -> String? {
        guard let sender else { return "its program cannot be determined" }
        guard sender.user == geteuid() else { return "another user runs it" }
        // A process that is connected to itself needs no protection from itself.
        guard let daemon, sender.process != getpid() else { return nil }
        guard let executable = sender.executable else {
            guard sender.isAlive else { return "it has ended" }
            return sender.isHidden ? nil : "its executable cannot be read"
        }
        guard sender.sharesMounts else { return "it sees other files than this program does" }
        // A daemon whose file was replaced by a newer one keeps running until it is restarted.
        let isOwn = [daemon, daemon + " (deleted)"].contains(executable.path)
        #if DEBUG
            // A stand-in for the daemon, which tests of debug builds name.
            if let standIn = getenv("LATCHKEY_STAND_IN"), String(cString: standIn) == executable.path { return nil }
        #endif
        return isOwn || executable.isRoots(named: daemonName) ? nil : "it runs \(executable.path)"
    }

    /// The folder that contains this program.
    public static var programFolder: String {
        guard let path = targetOfSymbolicLink("/proc/self/exe") else { return "." }
        return path.pathParent ?? "."
    }

    /// Starts the daemon in a new session. Returns the end of a pipe that closes when the daemon is ready.
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
