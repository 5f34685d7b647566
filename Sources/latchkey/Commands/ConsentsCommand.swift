// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey consents`
struct ConsentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consents",
        abstract:
            "Show or revoke your consents: fills that you agreed to once, such as those in frames of other sites' pages.",
        discussion:
            "Each is for one account at one place. After a consent is revoked, Latchkey asks again the next time.",
        subcommands: [
            ConsentsListCommand.self, ConsentsForgetCommand.self, ConsentsTakeBackCommand.self,
            ConsentsKeepCommand.self,
        ],
        defaultSubcommand: ConsentsListCommand.self)
}

/// `latchkey consents list`
struct ConsentsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your consents, the newest first.")

    @Flag(help: "Print an array of {id, kind, top, origin, provider, service, user, date} as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let consents = try await daemon.call(Consents.List.self).consents
        if json { return Output.json(.array(consents.map(Self.json))) }
        let rows = consents.map { consent in
            [
                consent.id, consent.service, consent.user,
                place(of: consent),
                Moment.text(consent.date),
            ].map(TerminalText.escaped)
        }
        for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        if consents.isEmpty && Output.isErrorTerminal { Output.note("There are no consents.") }
    }

    private func place(of consent: ConsentStatement) -> String {
        if let top = consent.top { return "\(consent.origin) in a page of \(top)" }
        return consent.kind == "unstated" ? "\(consent.origin) in Firefox" : consent.origin
    }

    static func json(_ consent: ConsentStatement) -> JSONText {
        .object([
            ("id", .string(consent.id)), ("kind", .string(consent.kind)), ("top", .optional(consent.top)),
            ("origin", .string(consent.origin)), ("provider", .string(consent.provider)),
            ("service", .string(consent.service)), ("user", .string(consent.user)), ("date", .integer(consent.date)),
        ])
    }
}

/// `latchkey consents forget ID… | --all`
struct ConsentsForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Revoke consents.")

    @Argument(help: "The ids, as `latchkey consents list` shows them.") var ids: [String] = []
    @Flag(help: "Revoke all of them.") var all = false

    func validate() throws {
        guard all == ids.isEmpty else { throw ValidationError("Name the consents to revoke, or use --all.") }
    }

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let count = try await daemon.call(Consents.Forget.self, .init(ids: all ? nil : ids)).forgotten
        guard all || count == Set(ids).count else {
            throw CommandFailure(
                .notFound,
                count == 0 ? "There is no such consent." : "Only \(count) of these were there, and are forgotten.",
                hint: "`latchkey consents list` shows them.")
        }
        Output.note(count == 1 ? "Revoked 1 consent." : "Revoked \(count) consents.")
    }
}

/// `latchkey consents take-back`
struct ConsentsTakeBackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "take-back", abstract: "Take back all that you have agreed to.",
        discussion: """
            Consents, first fills, programs, accounts bound to programs, and other providers than the built-in one: Latchkey \
            asks again for each. Preferences that protect less than their defaults are set to the defaults. What you saved stays.
            """)

    static let done = "Latchkey asks again for everything that you had agreed to."

    func run() async throws {
        _ = try await DaemonConnection.open().call(Consents.TakeBack.self)
        Output.note(Self.done)
    }
}

/// `latchkey consents keep`
struct ConsentsKeepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Let what an older copy says count, after an unlock has told you of one.",
        discussion: "It takes your passphrase. `latchkey consents take-back` is the other answer.")

    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        _ = try await DaemonConnection.open().authenticated(Consents.KeepOlder.self, Empty(), passphrase)
        Output.note("Your agreements count as they are.")
    }
}
