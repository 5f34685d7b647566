// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import TerminalRendering

/// Which toolkits' programs describe their windows in this session.
struct DesktopAccessibility {
    private let environment: [String: String]

    init(environment: [String: String]) {
        self.environment = environment
    }

    /// The state in words; empty if no accessibility bus answers.
    var sentences: [String] {
        switch isOn {
        case true?: ["Accessibility is switched on: programs of GTK 3, GTK 4 and Qt that start now can be filled."]
        case false?:
            [
                environment["WAYLAND_DISPLAY"] == nil
                    ? "Accessibility is switched off: programs of GTK 3, GTK 4 and Qt 5 can be filled, those of Qt 6 not."
                    : "Accessibility is switched off: programs of GTK 3 and GTK 4 can be filled, those of Qt not.",
                "To switch it on: gsettings set org.gnome.desktop.interface toolkit-accessibility true",
            ]
        case nil: []
        }
    }

    /// Whether the session says to programs that somebody reads what they describe.
    private var isOn: Bool? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/dbus-send" }
        guard let program = folders.first(where: FileManager.default.isExecutableFile), let pipe = PipeEnds() else {
            return nil
        }
        let process = ChildProcess.spawn(
            program,
            arguments: [
                "--session", "--print-reply=literal", "--reply-timeout=3000", "--dest=org.a11y.Bus", "/org/a11y/bus",
                "org.freedesktop.DBus.Properties.Get", "string:org.a11y.Status", "string:IsEnabled",
            ], descriptors: [(pipe.writing, Int32(STDOUT_FILENO))], environment: environment)
        pipe.closeWriting()
        guard let process else { return nil }
        let output = pipe.readAll(limit: 4_096, milliseconds: 5_000)
        if output == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0, let output else { return nil }
        let words = output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.split { " \n".contains($0) }
        return words.contains("boolean") ? words.last == "true" : nil
    }
}
