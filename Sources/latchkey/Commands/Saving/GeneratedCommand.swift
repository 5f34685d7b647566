// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey generated`
struct GeneratedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generated",
        abstract: "Find generated passwords that were filled and have not been saved.",
        discussion: """
            A strong password is kept from the moment in which it is filled, for 30 days or until it is saved, so that \
            none is lost when a page swallows the form. This is what the built-in provider keeps; another one that \
            saves your passwords keeps its own.
            """,
        subcommands: [GeneratedListCommand.self, GeneratedShowCommand.self, GeneratedRemoveCommand.self],
        defaultSubcommand: GeneratedListCommand.self)
}

/// `latchkey generated list`
struct GeneratedListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List them, the newest first.")

    @Flag(help: "Print an array of {id, service, user, kind, created} as JSON.") var json = false

    func run() async throws {
        let generated = try await DaemonConnection.open().call(Generated.List.self).generated
        if json {
            return Output.json(
                .array(
                    generated.map { pending in
                        .object([
                            ("id", .string(pending.id)), ("service", .string(pending.service)),
                            ("user", .string(pending.user)), ("kind", .string(pending.kind)),
                            ("created", .integer(pending.created)),
                        ])
                    }))
        }
        let rows = generated.map { pending in
            [pending.id, pending.service, pending.user, Moment.text(pending.created)].map(TerminalText.escaped)
        }
        for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        if generated.isEmpty && Output.isErrorTerminal { Output.note("Nothing waits to be saved.") }
    }
}

/// `latchkey generated show NAME`
struct GeneratedShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the password and nothing else, or copy it.")

    @OptionGroup var name: GeneratedName
    @Flag(help: "Put it on the clipboard instead.") var copy = false
    @Option(help: "With --copy: clear the clipboard after this many seconds.") var clearAfter = 45
    @Flag(help: "With --copy: copy even where clipboard histories cannot be told to leave it out.")
    var unmarked = false
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard (1...3600).contains(clearAfter) else { throw ValidationError("--clear-after takes 1 to 3600 seconds.") }
    }

    func run() async throws {
        let clipboard = copy ? try Clipboard.find(allowsUnmarked: unmarked) : nil
        let daemon = try await DaemonConnection.open()
        let pending = try await name.resolve(daemon)
        let params = Generated.Reveal.Params(id: pending.id, purpose: copy ? "copy" : "show")
        let secret = try await daemon.authenticated(Generated.Reveal.self, params, passphrase).password.bytes
        guard let clipboard else { return Output.secret(secret) }
        try ClipboardHolder.start(secret, on: clipboard, clearAfter: clearAfter)
        Output.note(
            "The password for \(TerminalText.escaped(pending.service)) is on the clipboard; it is cleared in \(clearAfter) s."
        )
    }
}

/// `latchkey generated remove NAME`
struct GeneratedRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Forget one of them.")

    @OptionGroup var name: GeneratedName

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let found = try await name.resolve(daemon)
        _ = try await daemon.call(Generated.Remove.self, ItemReference(id: found.id))
        Output.note("Removed the generated password for \(found.service).")
    }
}

/// One of them, as a person names it.
struct GeneratedName: ParsableArguments {
    @Argument(help: "The id as `latchkey generated list` shows it, or the site where there is just one.")
    var name: String

    func resolve(_ daemon: DaemonConnection) async throws -> PendingStatement {
        let all = try await daemon.call(Generated.List.self).generated
        if let found = all.first(where: { $0.id == name }) { return found }
        let found = all.filter { $0.service == name }
        guard let only = found.first else {
            throw CommandFailure(
                .notFound, "There is no generated password \(name).", hint: "`latchkey generated list` shows them.")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .ambiguous, "There are \(found.count) generated passwords for \(name).",
                hint: "`latchkey generated list` shows their ids, the newest first.")
        }
        return only
    }
}
