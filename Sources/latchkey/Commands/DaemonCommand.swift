// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import Glibc
import TerminalRendering

/// `latchkey daemon start|stop|status|run`
struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Start or stop latchkeyd. Other commands start it when they need it.",
        subcommands: [Start.self, Stop.self, Status.self, Run.self], defaultSubcommand: Status.self)

    /// `latchkey daemon start`
    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Start latchkeyd in the background.")

        func run() async throws {
            _ = try await DaemonConnection.open()
            Output.note("latchkeyd runs.")
        }
    }

    /// `latchkey daemon stop`
    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lock, then end latchkeyd.")

        func run() async throws {
            guard let daemon = try await DaemonConnection.openIfRunning() else {
                return Output.note("latchkeyd does not run.")
            }
            do {
                _ = try await daemon.call(Settings.Stop.self)
            } catch let error as WireError where error.code == .providerUnavailable {
                // It ended so fast that its answer was not sent any more.
            }
            // Whoever stops it wants to start another: wait until nobody answers any more.
            let directories = try DaemonConnection.directories()
            for _ in 0..<100 {
                guard try DaemonConnector.connect(directories) != nil else {
                    return Output.note("latchkeyd has ended.")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            throw CommandFailure(.unavailable, "latchkeyd has not ended yet.")
        }
    }

    /// `latchkey daemon status`
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say whether latchkeyd runs, without starting it.")

        @Flag(help: "Print {running, version, processIdentifier} as JSON.") var json = false

        func run() async throws {
            guard let daemon = try await DaemonConnection.openIfRunning() else {
                let nothing: [(String, JSONText)] = [
                    ("running", .bool(false)), ("version", .null), ("processIdentifier", .null),
                ]
                if json { Output.json(.object(nothing)) } else { Output.line("not running") }
                return
            }
            let status = try await daemon.call(Settings.Status.self)
            if json {
                Output.json(
                    .object([
                        ("running", .bool(true)), ("version", .string(status.version)),
                        ("processIdentifier", .integer(Int64(status.processIdentifier))),
                    ])
                )
            } else {
                let version = TerminalText.escaped(status.version)
                Output.line("running, latchkeyd \(version), process \(status.processIdentifier)")
            }
        }
    }

    /// `latchkey daemon run`
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run latchkeyd in the foreground, in the place of this command.")

        func run() throws {
            OtherProgram.replaceSelf(DaemonConnector.programFolder + "/latchkeyd", [])
            throw CommandFailure(
                .notFound, "latchkeyd cannot be started: \(String(cString: strerror(errno))).",
                hint: "It has to be in the same folder as latchkey.")
        }
    }
}
