// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import ChildProcesses
internal import DesktopFields
internal import FoundationEssentials
internal import Glibc

/// The sandbox of this program: the display, the accessibility bus and the daemon's socket, and nothing else of the session. No home, no
/// network, no session bus, which could start programs outside; the system's files cannot be written.
///
/// The program that was started stays outside, holds the lock, and runs the sandbox again where it has to see something new.
struct DesktopSandbox {
    /// What a run ends with that wants to begin anew: the daemon runs another program now, or there is another accessibility bus.
    static let anew: Int32 = 75
    /// The argument that says inside that a screen reader is switched on.
    static let screenReader = "--screen-reader"
    /// A folder that only who makes a file system can put there: root, or who made this sandbox.
    private static let mark = "/.latchkey-desktop"
    /// A run that ends by itself sooner than this would do so again.
    private static let longRun = Duration.seconds(60)
    /// How long a short run is followed by none, in seconds.
    private static let pause: UInt32 = 1

    /// Whether this program is in the sandbox.
    static var isInside: Bool { access(mark, F_OK) == 0 }

    private let sandbox: Sandbox
    private let directories: Directories
    private let environment: [String: String]

    /// The reason why there is no sandbox here; `nil` if there is one.
    var reason: String? { sandbox.isAvailable ? nil : sandbox.bubblewrap.reason ?? "bubblewrap does not work here" }

    init(_ directories: Directories, environment: [String: String]) {
        sandbox = Sandbox(bubblewrap: Bubblewrap(environment: environment))
        self.directories = directories
        self.environment = environment
    }

    // MARK: The run

    /// Runs this program in the sandbox until it ends; begins anew where it asks for it.
    func run(arguments: [String], bus: String) -> Never {
        guard let command = sandbox.command(.provider, self.arguments(bus: bus) + arguments) else {
            exit(anew: false, 71)
        }
        let began = ContinuousClock.now
        // The session bus is not shown. Without an address a library would start a bus.
        let changes = [
            BusAddress.variable: bus, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent", "GSETTINGS_BACKEND": "memory",
        ]
        let inside = environment.merging(changes) { $1 }
        let process = ChildProcess.spawn(
            command.program, arguments: command.arguments, descriptors: [(from: STDERR_FILENO, to: STDERR_FILENO)],
            environment: inside)
        guard let process else { exit(anew: false, 71) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        let isLong = ContinuousClock.now - began >= Self.longRun
        // What makes it begin anew may do so again at once.
        if code == Self.anew, !isLong { sleep(Self.pause) }
        exit(anew: code == Self.anew || (code != 0 && isLong), code)
    }

    private func exit(anew: Bool, _ code: Int32) -> Never {
        if anew { DaemonLink.execute() }
        Glibc.exit(code)
    }

    /// Whether a file is one of Latchkey's programs that the daemon may know.
    private static func isOwnProgram(_ name: String) -> Bool {
        (name.hasPrefix("latchkey") || name == "git-credential-latchkey") && !name.contains(".")
            && name != "latchkey-desktop" && name != "latchkey-enter"
    }

    // MARK: What is shown

    /// The arguments for bubblewrap, with this program last.
    func arguments(bus: String) -> [String] {
        var arguments = sandbox.bubblewrap.sessionArguments + Bubblewrap.systemArguments
        arguments += Bubblewrap.sessionProcessArguments
        // What text is drawn with. The list of fonts is made anew at each start otherwise.
        for path in ["/etc/fonts", "/etc/gtk-3.0", "/var/cache/fontconfig"] {
            arguments += ["--ro-bind-try", path, path]
        }
        arguments += Bubblewrap.runtimeArguments
        let program = DaemonConnector.programFolder + "/latchkey-desktop"
        var shown = [program, directories.runtime]
        shown += [BusAddress.socket(bus), displaySocket, waylandSocket, cookie].compactMap(\.self)
        for path in shown { arguments += ["--ro-bind-try", path, path] }
        // The daemon goes by the program that asks. Who gets hold of this one could start another one of Latchkey's.
        let others = (try? FileManager.default.contentsOfDirectory(atPath: DaemonConnector.programFolder)) ?? []
        for name in others where Self.isOwnProgram(name) {
            arguments += ["--ro-bind", "/dev/null", DaemonConnector.programFolder + "/" + name]
        }
        // Nothing can be written, not even in memory, but by those who have it open.
        return arguments + [
            "--dir", Self.mark, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/", "--", program,
        ]
    }

    /// The socket of the X server: `:0` and `unix:0` name it. A server that is elsewhere cannot be reached without a network.
    private var displaySocket: String? {
        guard let display = environment["DISPLAY"], let colon = display.lastIndex(of: ":") else { return nil }
        let host = display[..<colon]
        let number = display[display.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
        guard host.isEmpty || host == "unix", !number.isEmpty else { return nil }
        return "/tmp/.X11-unix/X" + number
    }

    private var waylandSocket: String? {
        guard let display = environment["WAYLAND_DISPLAY"], !display.isEmpty else { return nil }
        if display.hasPrefix("/") { return display }
        return environment["XDG_RUNTIME_DIR"].map { $0 + "/" + display }
    }

    /// The file by which the X server knows programs of this user.
    private var cookie: String? {
        let path = environment["XAUTHORITY"] ?? environment["HOME"].map { $0 + "/.Xauthority" }
        guard let path, path.hasPrefix("/"), PinnedFile(path: path)?.kind == S_IFREG else { return nil }
        return path
    }
}
