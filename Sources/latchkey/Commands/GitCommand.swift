// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import Glibc
import TerminalRendering

/// `latchkey git install|uninstall|status`
struct GitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git", abstract: "Have git ask Latchkey for logins over HTTPS.",
        subcommands: [Install.self, Uninstall.self, Status.self], defaultSubcommand: Status.self)

    /// `latchkey git install`
    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add Latchkey's helper to your git configuration. Other helpers stay.",
            discussion: "Git asks its helpers in their order; those that are there already are asked first.")

        func run() throws {
            let configuration = try GitConfiguration()
            guard access(configuration.program, X_OK) == 0 else {
                throw CommandFailure(
                    .notFound, "\(configuration.program) is not there or cannot be executed.",
                    hint: "It has to be in the same folder as latchkey.")
            }
            let helpers = try configuration.helpers()
            if helpers.contains(configuration.helper) {
                return Output.line("git asks Latchkey already.")
            }
            // One of another place is this one's forerunner: two would ask twice.
            for old in Set(helpers.filter(configuration.isOurs)) { try configuration.remove(old) }
            try configuration.add()
            Output.line(
                "git asks Latchkey from now on: credential.helper = \(TerminalText.escaped(configuration.helper))")
            let others = helpers.filter { !configuration.isOurs($0) && !$0.isEmpty }
            if !others.isEmpty {
                Output.note("Asked first, and given every login that works: \(others.joined(separator: ", ")).")
            }
        }
    }

    /// `latchkey git uninstall`
    struct Uninstall: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove Latchkey's helper from your git configuration, and nothing else.")

        func run() throws {
            let configuration = try GitConfiguration()
            let ours = Set(try configuration.helpers().filter(configuration.isOurs))
            for helper in ours { try configuration.remove(helper) }
            Output.line(ours.isEmpty ? "git did not ask Latchkey." : "git no longer asks Latchkey.")
        }
    }

    /// `latchkey git status`
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show whether git asks Latchkey.",
            discussion: "Ends with status 5 when it does not, or when the helper that it would ask is not there.")

        @Flag(help: "Print {git, helper, installed, others, save, minutes} as JSON.") var json = false

        func run() async throws {
            let configuration = try GitConfiguration()
            let helpers = try configuration.helpers()
            let ours = helpers.first(where: configuration.isOurs)
            let others = helpers.filter { !configuration.isOurs($0) && !$0.isEmpty }
            let isThere = access(configuration.program, X_OK) == 0
            let preferences = try await DaemonConnection.openIfRunning()?.call(Settings.Status.self).preferences
            if json {
                Output.json(
                    .object([
                        ("git", .string(try configuration.version())), ("helper", .optional(ours)),
                        ("installed", .bool(ours != nil && isThere)), ("others", .strings(others)),
                        ("save", .optional(preferences?.gitSave)),
                        ("minutes", .optional(preferences?.gitMinutes.map(Int64.init))),
                    ]))
            } else {
                var rows = [
                    ["git", try configuration.version()], ["helper", ours ?? "not in your git configuration"],
                ]
                if !others.isEmpty { rows.append(["others", others.joined(separator: ", ")]) }
                if let save = preferences?.gitSave { rows.append(["saves logins", save]) }
                if let minutes = preferences?.gitMinutes {
                    rows.append(["given again", PreferencesListing.gitAgreement(minutes: minutes)])
                }
                for line in TextTable(rows: rows.map { $0.map(TerminalText.escaped) }).lines(forTerminal: true) {
                    Output.line(line)
                }
            }
            guard ours != nil, isThere else {
                throw CommandFailure(
                    .notFound, ours == nil ? "git does not ask Latchkey." : "\(configuration.program) is not there.",
                    hint: "Run `latchkey git install`.")
            }
        }
    }
}
