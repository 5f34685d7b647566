// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey associations …`
struct AssociationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "associations",
        abstract: "See and check which apps belong to which web sites.",
        discussion: """
            An app is offered what was saved for a site when the app names the site in its entitlements and the site names \
            the app in its apple-app-site-association. docs/associations.md is for authors of sites and apps.
            """,
        subcommands: [
            AssociationsListCommand.self, AssociationsCheckCommand.self, AssociationsAddCommand.self,
            AssociationsRemoveCommand.self, AssociationsLogCommand.self, AssociationsDeveloperModeCommand.self,
            AssociationsSourceCommand.self,
        ],
        defaultSubcommand: AssociationsListCommand.self
    )
}

/// `latchkey associations list`
struct AssociationsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List which app states which domain, and what the site says about it.")

    @Option(help: "Only this app's.") var app: String?
    @Flag(help: "Print {associations, developerMode, source} as JSON.") var json = false

    func run() async throws {
        let answer = try await DaemonConnection.open().call(Associations.List.self, .init(app: app))
        if json { return Output.json(AssociationListing.json(answer)) }
        for line in AssociationListing.lines(answer.associations, forTerminal: Output.isTerminal) { Output.line(line) }
        if answer.associations.isEmpty && Output.isErrorTerminal { Output.note("No app has named a site yet.") }
        if answer.developerMode { Output.note("Note: developer mode is on.") }
        if answer.source != "direct" { Output.note("Note: \(answer.source) answers for the sites.") }
    }
}

/// `latchkey associations log`
struct AssociationsLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show what was asked of sites lately, and what came of it.")

    @Flag(help: "Go on with what happens from now on, until control-C.") var follow = false
    @Flag(help: "Print an array of {number, time, text} as JSON; with --follow one object a line.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        var lines = try await daemon.call(Associations.Log.self, .init()).lines
        if json, !follow { return Output.json(.array(lines.map(AssociationListing.json))) }
        if lines.isEmpty && Output.isErrorTerminal { Output.note("No site was asked yet.") }
        var last = 0
        while true {
            for line in lines {
                if json {
                    Output.json(AssociationListing.json(line))
                } else {
                    Output.line(Moment.text(line.time) + "  " + TerminalText.escaped(line.text))
                }
                last = max(last, line.number)
            }
            guard follow else { return }
            try await Task.sleep(for: .seconds(1))
            lines = try await daemon.call(Associations.Log.self, .init(above: last)).lines
        }
    }
}
