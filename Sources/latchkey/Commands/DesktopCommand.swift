// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Foundation
import TerminalRendering

/// `latchkey desktop`
struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop", abstract: "Offer passwords in the windows of other programs.",
        discussion: """
            Beside a sign-in form of a mail client, a chat or any other program a panel offers what you have bound to that \
            program, and what a site says is that app's. Bind `latchkey desktop fill` to a key in your desktop's settings \
            to reach the panel without the mouse. docs/native-apps.md says where it works.
            """, subcommands: [Status.self, Enable.self, Disable.self, Fill.self, Start.self],
        defaultSubcommand: Status.self)

    /// `latchkey desktop status`
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether native programs are filled here, and what is missing for it.")

        func run() async throws {
            let environment = ProcessInfo.processInfo.environment
            let start = try DesktopStart(environment: environment)
            Output.line(start.beginning)
            let answer = try? await DaemonConnection.openIfRunning()?.call(Desktop.Status.self)
            Output.line(answer?.connected == true ? "It runs." : "It does not run.")
            if let surface = answer?.surface { for sentence in Self.sentences(surface) { Output.line(sentence) } }
            for sentence in DesktopAccessibility(environment: environment).sentences { Output.line(sentence) }
            for sentence in start.missing { Output.line(sentence) }
        }

        private static func sentences(_ surface: Desktop.Surface) -> [String] {
            let display = surface.display == "x11" ? "X11" : "Wayland"
            let panel =
                switch surface.panel {
                case "field": "the panel is under the field"
                case "layer": "the panel is at the upper edge of the screen, by gtk-layer-shell"
                default: "the panel is a small window where the desktop puts it"
                }
            return [
                surface.confined
                    ? "It is in a sandbox: no home, no network, no session bus."
                    : "It is not in a sandbox: bubblewrap does not work here.",
                "The display is \(display): \(panel).",
            ]
        }
    }

    /// `latchkey desktop enable`
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begin to offer passwords in the windows of other programs, now and in each session.")

        @Flag(help: "Do not ask; for scripts.") var yes = false

        func run() async throws {
            let environment = ProcessInfo.processInfo.environment
            let start = try DesktopStart(environment: environment)
            let isWanted =
                try yes
                || TerminalQuestion.confirm(
                    [
                        "Programs describe their windows on the accessibility bus, and take text from it.",
                        "Every program of your session can read and write fields there, whether this is on or not.",
                    ], "Offer passwords in the windows of other programs?", insteadOfAsking: "--yes")
            guard isWanted else { throw CommandFailure(.canceled, "Nothing was changed.") }
            try start.enable()
            Output.note("Passwords are offered in the windows of other programs.")
            for sentence in start.missing { Output.note(sentence) }
        }
    }

    /// `latchkey desktop disable`
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Offer nothing in the windows of other programs.")

        func run() async throws {
            try DesktopStart(environment: ProcessInfo.processInfo.environment).disable()
            // Without a daemon nothing is connected that could end.
            _ = try? await DaemonConnection.openIfRunning()?.call(Desktop.Stop.self)
            Output.note("Nothing is offered in the windows of other programs.")
        }
    }

    /// `latchkey desktop start`
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Start it in this session; the desktop's autostart runs this.", shouldDisplay: false)

        func run() async throws {
            try DesktopStart(environment: ProcessInfo.processInfo.environment).start()
        }
    }

    /// `latchkey desktop fill`
    struct Fill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the panel for the field that has the focus; for a key of your desktop.")

        func run() async throws {
            _ = try await DaemonConnection.open().call(Desktop.Summon.self)
        }
    }
}
