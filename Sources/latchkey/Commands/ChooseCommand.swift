// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import Glibc
import TerminalRendering

/// `latchkey choose URL`
struct ChooseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "choose",
        abstract: "Choose a password from a provider's own list. It stays hidden unless asked for.",
        discussion: """
            The provider's interface is drawn on the terminal. Without --provider it is the first one that is enabled; \
            what Latchkey itself keeps is shown by `latchkey show`. \
            --copy puts the password on the clipboard, marked so that clipboard histories leave it out, and takes it \
            away again.
            """
    )

    @Argument(help: "The URL of the sign-in page; it has to be named.") var url: String?
    @Option(help: "The provider: its identifier, or its name where only one has it.") var provider: String?
    @Flag(help: "Show the password.") var show = false
    @Flag(help: "Put the password on the clipboard.") var copy = false
    @Option(help: "With --copy: clear the clipboard after this many seconds.") var clearAfter = 45
    @Flag(help: "With --copy: copy even where clipboard histories cannot be told to leave it out.")
    var unmarked = false
    @Flag(help: "Print {user} as JSON, with password where --show asks for it.") var json = false
    @Flag(help: .hidden) var forApp = false
    @OptionGroup var interface: InterfaceOptions
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        guard (1...3600).contains(clearAfter) else { throw ValidationError("--clear-after takes 1 to 3600 seconds.") }
        guard url != nil || forApp else { throw ValidationError("The URL of the sign-in page is missing.") }
    }

    func run() async throws {
        guard let url else { return try await draw() }
        // Found out before anything is revealed: a release that cannot be delivered should not be in the audit log.
        let clipboard = copy ? try Clipboard.find(allowsUnmarked: unmarked) : nil
        let desk = PromptDesk()
        let daemon = try await DaemonConnection.open(answering: desk)
        let chosen = try Self.choose(provider, of: try await daemon.call(Providers.List.self).providers)
        let conversation = await InterfaceConversation(daemon, desk, lines: interface.lines, passphrase)
        let params = Providers.ChooseCredential.Params(url: url, provider: chosen.identifier)
        let answer = try await conversation.run(Providers.ChooseCredential.self, params)
        if let clipboard {
            try ClipboardHolder.start(answer.password.bytes, on: clipboard, clearAfter: clearAfter)
            Output.note("The password for \(answer.user) is on the clipboard; it is cleared in \(clearAfter) s.")
            if !(show || json) { return }
        }
        if json { return Output.json(Self.json(answer, show: show)) }
        Output.line("user      \(TerminalText.escaped(answer.user))")
        if show {
            Output.secret(answer.password.bytes, label: "password  ")
        } else {
            Output.line("password  hidden; --show shows it, --copy copies it")
        }
    }

    /// Draws what the system asks when an app has asked for a password, on the terminal that the app lent.
    private func draw() async throws {
        guard let ticket = ProcessInfo.processInfo.environment[Authorization.ticketVariable], !ticket.isEmpty else {
            throw CommandFailure(.usage, "This is started by an app that asks for a password, not by hand.")
        }
        unsetenv(Authorization.ticketVariable)
        let desk = PromptDesk()
        let daemon = try await DaemonConnection.open(answering: desk)
        let conversation = await InterfaceConversation(daemon, desk, lines: interface.lines, passphrase)
        do {
            _ = try await conversation.run(Authorization.Render.self, .init(ticket: ticket))
        } catch let failure as CommandFailure where failure.status == .canceled {
            // The person knows; the app is told by the daemon.
        }
    }

    static func json(_ answer: Providers.ChooseCredential.Answer, show: Bool) -> JSONText {
        .object([("user", .string(answer.user))] + (show ? [("password", .secret(answer.password.bytes))] : []))
    }

    /// The provider that is asked.
    static func choose(_ name: String?, of all: [ProviderStatement]) throws(CommandFailure) -> ProviderStatement {
        guard let name else {
            // The built-in one has no list of its own: its items are the command line's to list and show.
            guard let first = all.enabled.first(where: { !$0.builtIn && $0.provides.contains("passwords") }) else {
                throw CommandFailure(
                    .notFound, "No provider with a list of its own is enabled.",
                    hint: "`latchkey providers list` shows those that are found; `latchkey show` shows your own items.")
            }
            return first
        }
        let provider = try ProviderSelection(text: name).resolve(all)
        guard !provider.builtIn else {
            throw CommandFailure(
                .notFound, "\(provider.name) has no list of its own to choose from.",
                hint: "`latchkey show` shows its items.")
        }
        guard provider.state == "enabled" else {
            throw CommandFailure(
                .refused, "\(provider.name) is not enabled.",
                hint: "Run `latchkey providers enable \(provider.identifier)` first.")
        }
        return provider
    }
}
