// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ChildProcesses
import Foundation
import TerminalRendering

/// How the program begins that fills native programs: with the session, by the desktop's own autostart. What that starts is a unit of
/// systemd's user manager where there is one, and else the program itself.
struct DesktopStart {
    private let file: URL
    private let program: String
    private let environment: [String: String]
    /// The unit that runs the program and starts it again; `nil` where there is none.
    private let unit: DesktopUnit?

    /// - Throws: `CommandFailure` if there is no home.
    init(environment: [String: String]) throws {
        guard let home = environment["HOME"] else { throw CommandFailure(.unavailable, "There is no HOME.") }
        let configuration = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        file = URL(filePath: configuration + "/autostart/latchkey-desktop.desktop")
        program = DaemonConnector.programFolder + "/latchkey-desktop"
        self.environment = environment
        unit = DesktopUnit(running: program, environment: environment)
    }

    var isEnabled: Bool { FileManager.default.fileExists(atPath: file.path) }

    private var hasDisplay: Bool { environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil }

    /// When it begins, and what happens when it fails.
    var beginning: String {
        guard isEnabled else { return "It is off: `latchkey desktop enable`." }
        return unit == nil
            ? "It begins with your session. There is no systemd here that starts it again when it fails."
            : "It begins with your session, as \(DesktopUnit.name), which starts it again when it fails."
    }

    /// What keeps it from working here.
    var missing: [String] {
        hasDisplay ? [] : ["There is no display in this session, so nothing can be shown."]
    }

    /// Has the desktop start it with each session, and starts it now if there is a display.
    func enable() throws {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw CommandFailure(
                .unavailable, "\(program) is not installed.", hint: "It is in the package latchkey-desktop.")
        }
        let command = DaemonConnector.programFolder + "/latchkey"
        // A line of a desktop entry: what is special in it is quoted.
        guard !command.contains(where: \.isNewline) else {
            throw CommandFailure(.unavailable, "\(command) cannot be written into a desktop entry.")
        }
        // Within quotes these take a backslash, and each backslash is doubled once more as in any value; a percent sign is doubled.
        let quoted = command.flatMap {
            "\"`$\\".contains($0) ? "\\\\\($0 == "\\" ? "\\\\" : String($0))" : $0 == "%" ? "%%" : String($0)
        }
        // systemd makes no unit of its own of it: the one that restarts begins with the session already.
        let entry = """
            [Desktop Entry]
            Type=Application
            Name=Latchkey for native programs
            Exec="\(quoted)" desktop start
            NoDisplay=true
            X-GNOME-Autostart-Phase=Applications

            """ + (unit == nil ? "" : "X-systemd-skip=true\n")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(entry.utf8).write(to: file, options: .atomic)
        if let unit, !unit.enable() {
            throw CommandFailure(.unavailable, "systemd does not enable \(DesktopUnit.name).")
        }
        if hasDisplay { try start() }
    }

    /// Starts it in this session.
    func start() throws {
        let isStarted =
            unit?.start() ?? (ChildProcess.spawn(program, arguments: [], descriptors: [], isNewSession: true) != nil)
        guard isStarted else { throw CommandFailure(.unavailable, "\(program) cannot be started.") }
    }

    func disable() throws {
        unit?.disable()
        guard isEnabled else { return }
        try FileManager.default.removeItem(at: file)
    }
}
