// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey apps …`
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List and register the apps that may ask for a password.",
        discussion: """
            An app is known by a file of root's, by flatpak or snap, or by your word on its program; never by its name. \
            An app is named by its identifier (E5336VM85F.com.example.Shiny) or by the path of its program. docs/apps.md is \
            for authors.
            """,
        subcommands: [
            AppsListCommand.self, AppsInfoCommand.self, AppsGrantCommand.self, AppsRevokeCommand.self,
            AppsForgetCommand.self, AppsUnbindCommand.self,
        ],
        defaultSubcommand: AppsListCommand.self
    )
}

/// `latchkey apps list`
struct AppsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the apps that are known, and the programs you have said no to.")

    @Flag(help: "Print an array of apps as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let apps = try await daemon.call(Apps.List.self).apps
        if json { return Output.json(.array(apps.map(AppListing.json))) }
        for line in AppListing.lines(apps, forTerminal: Output.isTerminal) { Output.line(line) }
        let bindings = try await daemon.call(Apps.Bindings.self).bindings
        for line in AppListing.lines(bindings, forTerminal: Output.isTerminal) { Output.line(line) }
        if apps.isEmpty && bindings.isEmpty && Output.isErrorTerminal {
            Output.note("No app has asked for a password yet.")
        }
    }
}

/// `latchkey apps unbind ID`
struct AppsUnbindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unbind", abstract: "No longer offer an account in the program that you bound it to.")

    @Argument(help: "The binding, as `latchkey apps list` names it.") var id: String

    func run() async throws {
        _ = try await DaemonConnection.open().call(Apps.Unbind.self, .init(id: id))
        Output.note("It is no longer offered there.")
    }
}

/// `latchkey apps info APP`
struct AppsInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show what is known of an app, or of a program that may be one.")

    @Argument(help: "The app: its identifier, or the path of its program.") var app: String
    @Flag(help: "Print one object as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let app = try await AppSelection(text: app).resolveOrLook(daemon)
        if json { return Output.json(AppListing.json(app)) }
        for line in TextTable(rows: AppListing.details(app)).lines(forTerminal: true) { Output.line(line) }
    }
}

/// `latchkey apps grant PATH`
struct AppsGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Say that a program is the app that it states to be.",
        discussion: """
            What you say is about the file as it is: when it changes, you are asked again. The identifier and the domains \
            are those of PATH.entitlements, where that is, and of the options otherwise.
            """
    )

    @Argument(help: "The program.") var path: String
    @Option(help: "The app's identifier, PREFIX.bundle.identifier.") var identifier: String?
    @Option(help: "A domain whose passwords it may ask for; may be given several times.") var domain: [String] = []
    @Flag(help: "Do not ask; for scripts. What it is and states is printed all the same.") var yes = false
    @Flag(help: "Print the app as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        var app = try await daemon.call(Apps.Look.self, .init(path: FilePath.absolute(path))).app
        if let identifier { app.identifier = identifier }
        if !domain.isEmpty { app.domains = domain.map { $0.contains(":") ? $0 : "webcredentials:" + $0 } }
        guard !app.identifier.isEmpty else {
            throw CommandFailure(
                .usage, "\(app.path) does not say which app it is.", hint: "Name it with --identifier, and --domain.")
        }
        if let problem = app.problem {
            throw CommandFailure(.refused, "\(app.path) cannot be an app: \(problem).")
        }
        let lines = AppListing.question(app)
        if yes {
            for line in lines { Output.error(line + "\n") }
        } else {
            let isWanted = try TerminalQuestion.confirm(lines, "Is it that app?", insteadOfAsking: "--yes")
            guard isWanted else { throw CommandFailure(.canceled, "Nothing was granted.") }
        }
        let params = Apps.Grant.Params(
            path: app.path, digest: app.digest ?? "", identifier: app.identifier, domains: app.domains)
        let granted = try await daemon.authenticated(Apps.Grant.self, params, passphrase).app
        if json { return Output.json(AppListing.json(granted)) }
        Output.note("\(granted.path) is \(granted.identifier).")
    }
}

/// `latchkey apps revoke APP`
struct AppsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Say no to an app. It gets nothing, and you are not asked, until it changes or you forget that.")

    @Argument(help: "The app: its identifier, or the path of its program.") var app: String
    @Flag(help: "Print the app as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let app = try await AppSelection(text: app).resolve(daemon)
        let revoked = try await daemon.call(Apps.Revoke.self, .init(path: app.path)).app
        if json { return Output.json(AppListing.json(revoked)) }
        Output.note("\(revoked.path) can no longer ask for passwords.")
    }
}

/// `latchkey apps forget APP`
struct AppsForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget what you said about a program: it asks again.")

    @Argument(help: "The app: its identifier, or the path of its program.") var app: String
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let app = try await AppSelection(text: app).resolve(daemon)
        _ = try await daemon.authenticated(Apps.Forget.self, .init(path: app.path), passphrase)
        Output.note("Nothing is remembered about \(app.path).")
    }
}
