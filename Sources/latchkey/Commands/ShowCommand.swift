// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import TerminalRendering

/// `latchkey show ITEM [USER]`
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an item. The password stays hidden unless asked for.",
        discussion: """
            --copy puts the password on the clipboard, marked so that clipboard histories leave it out, and takes it \
            away again. --code shows the current code of the item's authenticator and for how many seconds it is good.
            """
    )

    @OptionGroup var arguments: ItemArguments
    @Flag(help: "Show the password.") var password = false
    @Flag(help: "Print the password and nothing else.") var onlyPassword = false
    @Flag(help: "Show the current code of its authenticator.") var code = false
    @Flag(help: "Print that code and nothing else.") var onlyCode = false
    @Flag(help: "Show the notes.") var notes = false
    @Flag(help: "Show earlier passwords.") var history = false
    @Flag(help: "Put the password on the clipboard.") var copy = false
    @Option(help: "With --copy: clear the clipboard after this many seconds.") var clearAfter = 45
    @Flag(help: "With --copy: copy even where clipboard histories cannot be told to leave it out.")
    var unmarked = false
    @Flag(help: "Print one object as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard (1...3600).contains(clearAfter) else { throw ValidationError("--clear-after takes 1 to 3600 seconds.") }
        let others = password || code || notes || history || copy || json
        guard !onlyPassword || !(others || onlyCode) else {
            throw ValidationError("--only-password prints nothing else.")
        }
        guard !onlyCode || !others else { throw ValidationError("--only-code prints nothing else.") }
    }

    func run() async throws {
        // Found out before anything is revealed: a release that cannot be delivered should not be in the audit log.
        let clipboard = copy ? try Clipboard.find(allowsUnmarked: unmarked) : nil
        let daemon = try await DaemonConnection.open()
        let named = try await arguments.name.resolve(daemon)
        guard named.hasPassword != false || !(onlyPassword || password || copy) else {
            throw CommandFailure(.notFound, "\(named.spoken) has no password.", hint: "--notes shows its notes.")
        }
        if onlyPassword { return Output.secret(try await reveal(named, "show", daemon)) }
        if onlyCode { return Output.secret(try await current(named, daemon).code.bytes) }
        let item =
            notes
            ? try await daemon.authenticated(Items.Get.self, .init(id: named.id, notes: true), passphrase).item
            : try await daemon.call(Items.Get.self, .init(id: named.id)).item
        if let clipboard {
            let secret = try await reveal(item, "copy", daemon)
            try ClipboardHolder.start(secret, on: clipboard, clearAfter: clearAfter)
            Output.note("The password for \(item.user) is on the clipboard; it is cleared in \(clearAfter) s.")
            if !(password || code || notes || history || json) { return }
        }
        let revealed = password ? try await reveal(item, "show", daemon) : nil
        let current = code ? try await current(item, daemon) : nil
        let changes =
            history
            ? try await daemon.authenticated(Items.History.self, .init(id: item.id), passphrase).changes : nil
        if json {
            Output.json(Self.json(item, password: revealed, code: current, notes: notes, changes: changes))
        } else {
            show(item, password: revealed, code: current, changes: changes)
        }
    }

    private func reveal(_ item: Item, _ purpose: String, _ daemon: DaemonConnection) async throws -> SecretBytes {
        try await daemon.authenticated(Items.Reveal.self, .init(id: item.id, purpose: purpose), passphrase)
            .password.bytes
    }

    private func current(_ item: Item, _ daemon: DaemonConnection) async throws -> Items.Code.Answer {
        try await daemon.authenticated(Items.Code.self, .init(id: item.id, purpose: "show"), passphrase)
    }

    static func json(
        _ item: Item, password: SecretBytes?, code: Items.Code.Answer? = nil, notes: Bool, changes: [PasswordChange]?
    ) -> JSONText {
        var members = ItemListing.members(item)
        if let password { members.append(("password", .secret(password))) }
        if let code {
            members.append(("code", .secret(code.code.bytes)))
            members.append(("secondsLeft", .integer(Int64(code.secondsLeft))))
        }
        if notes { members.append(("notes", item.notes.map { .secret($0.bytes) } ?? .null)) }
        if let changes {
            let list = changes.map { change in
                JSONText.object([("date", .integer(change.date)), ("password", .secret(change.password.bytes))])
            }
            members.append(("history", .array(list)))
        }
        return .object(members)
    }

    private func show(
        _ item: Item, password: SecretBytes?, code: Items.Code.Answer?, changes: [PasswordChange]?
    ) {
        Output.line("id        \(TerminalText.escaped(item.id))")
        if let title = item.title { Output.line("title     \(TerminalText.escaped(title))") }
        for service in item.services { Output.line("service   \(TerminalText.escaped(service))") }
        if !item.user.isEmpty || item.hasPassword != false {
            Output.line("user      \(TerminalText.escaped(item.user))")
        }
        if let password {
            Output.secret(password, label: "password  ")
        } else if item.hasPassword == false {
            Output.line("password  none")
        } else {
            Output.line("password  hidden; --password shows it")
        }
        Output.line("created   \(Moment.text(item.created))")
        Output.line("modified  \(Moment.text(item.modified))")
        if item.strict == true { Output.line("strict    offered to exactly these hosts") }
        if item.favorite == true { Output.line("favorite  yes") }
        for tag in item.tags ?? [] { Output.line("tag       \(TerminalText.escaped(tag))") }
        if let code {
            Output.secret(code.code.bytes, label: "code      ")
            Output.line("          good for \(code.secondsLeft) s")
        } else if item.authenticator == true {
            Output.line("codes     of an authenticator: --code shows the current one; its set-up key is never shown")
        }
        if let removed = item.removed { Output.line("removed   \(Moment.text(removed))") }
        if let rejected = item.rejected {
            Output.line("rejected  \(Moment.text(rejected)), by the server that git gave it to")
        }
        if let expires = item.expires { Output.line("expires   \(Moment.text(expires))") }
        for change in changes ?? [] {
            Output.secret(change.password.bytes, label: "until     \(Moment.text(change.date))  ")
        }
        guard let text = item.notes?.bytes, text.count > 0 else { return }
        if notes {
            Output.line("notes")
            Output.secret(text, keepsLines: true)
        } else {
            Output.line("notes     hidden; --notes shows them")
        }
    }
}
