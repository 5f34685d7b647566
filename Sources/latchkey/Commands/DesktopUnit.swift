// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import TerminalRendering

/// The unit of systemd's user manager that runs `latchkey-desktop` and starts it again when it fails.
struct DesktopUnit {
    static let name = "latchkey-desktop.service"
    /// What of a session's environment the program needs. A manager that was there before the session does not know it by itself.
    private static let variables = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP",
    ]
    private static let outputLimit = 1 << 16

    private let environment: [String: String]

    /// The unit that runs a program; `nil` where no user manager of this session has it.
    init?(running program: String, environment: [String: String]) {
        self.environment = environment
        // A bus that is not the manager's belongs to a session of its own, which a unit would not be in.
        let bus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        guard let runtime = environment["XDG_RUNTIME_DIR"],
            bus.isEmpty || bus == "unix:path=\(runtime)/bus" || bus.hasPrefix("unix:path=\(runtime)/bus,")
        else { return nil }
        let shown = manager(["show", "--property=ExecStart", Self.name])
        guard let shown, shown.contains("{ path=\(program) ;") else { return nil }
    }

    /// Has the unit start with each graphical session, where the desktop tells the manager of its sessions.
    func enable() -> Bool { manager(["enable", "--quiet", Self.name]) != nil }

    func disable() { _ = manager(["disable", "--quiet", "--now", Self.name]) }

    /// Starts the unit in the session whose environment this is.
    func start() -> Bool {
        let known = Self.variables.filter { environment[$0] != nil }
        if !known.isEmpty { _ = manager(["import-environment"] + known) }
        // It may have failed too often in a session before, which had no display.
        _ = manager(["reset-failed", Self.name])
        return manager(["start", Self.name]) != nil
    }

    /// What `systemctl --user` prints; `nil` if it fails.
    private func manager(_ words: [String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/systemctl" }
        guard let program = folders.first(where: FileManager.default.isExecutableFile), let pipe = PipeEnds() else {
            return nil
        }
        let process = ChildProcess.spawn(
            program, arguments: ["--user", "--no-pager"] + words,
            descriptors: [(pipe.writing, Int32(STDOUT_FILENO))], environment: environment)
        pipe.closeWriting()
        guard let process else { return nil }
        let output = pipe.readAll(limit: Self.outputLimit, milliseconds: 30_000)
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0, let output else { return nil }
        return output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
