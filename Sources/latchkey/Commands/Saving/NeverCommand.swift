// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey never`
struct NeverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "never",
        abstract:
            "Show or change for which sites and native programs you are never asked whether a password is to be saved.",
        discussion:
            "“Never for This Website” and “Never for This App” add to this list. What is saved is filled there all the same.",
        subcommands: [NeverListCommand.self, NeverAddCommand.self, NeverRemoveCommand.self],
        defaultSubcommand: NeverListCommand.self)
}

/// `latchkey never list`
struct NeverListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List these sites and programs by name.")

    @Flag(help: "Print an array of names as JSON.") var json = false

    func run() async throws {
        let sites = try await DaemonConnection.open().call(NeverSites.List.self).sites
        if json { return Output.json(.array(sites.map { .string($0) })) }
        for site in sites { Output.line(TerminalText.escaped(site)) }
        if sites.isEmpty && Output.isErrorTerminal { Output.note("You are asked for every site.") }
    }
}

/// `latchkey never add SITE`
struct NeverAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Never ask for a site (exactly this host, by this scheme and port) or for a native program.")

    @Argument(help: "A host, a URL, or the path of a program.") var site: String

    func run() async throws {
        _ = try await DaemonConnection.open().call(NeverSites.Add.self, .init(site: site))
        Output.note("You are not asked to save passwords of \(site).")
    }
}

/// `latchkey never remove SITE`
struct NeverRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Ask for a site or program again.")

    @Argument(help: "A host, a URL, or the path of a program.") var site: String

    func run() async throws {
        _ = try await DaemonConnection.open().call(NeverSites.Remove.self, .init(site: site))
        Output.note("You are asked to save passwords of \(site) again.")
    }
}
