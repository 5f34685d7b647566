// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey upgrade SERVICE [USER]`
struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract:
            "Change the password of an account to a strong one, or to Sign in with Apple, at its service and here.",
        discussion: """
            It is done by an extension that the service's app brings along and that you have enabled. The new password \
            is kept by the provider that has the account before the service is told, and the old one goes into its \
            history. Where it is not known in the end which of the two counts, both are kept and offered; \
            --unsettled lists these accounts, and a sign-in settles them.

            With --to sign-in-with-apple a window of your browser opens, in which you sign in. The password is removed \
            from its provider once the extension says that the service has made the change, and not before.
            """
    )

    /// What an account is changed to.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case strongPassword = "strong-password"
        case signInWithApple = "sign-in-with-apple"
    }

    /// Which of two passwords counts.
    enum Which: String, ExpressibleByArgument, CaseIterable { case old, new }

    @Argument(help: "The service: its host, or a URL.") var service: String?
    @Argument(help: "The account, where the service has several.") var user: String?
    @Option(help: "The kind of upgrade.") var to = Kind.strongPassword
    @Flag(
        help: "Change every account that can be changed, those first whose passwords had better be; of SERVICE, or all."
    )
    var all = false
    @Flag(help: "List the accounts that can be changed, and why others cannot; with --all, the planned changes.")
    var list = false
    @Flag(help: "List the accounts for which it is unknown whether the old or the new password is valid.")
    var unsettled = false
    @Option(help: "Settle one of these, by its id: --works names the valid password.") var settle: String?
    @Option(help: "With --settle: old or new.") var works: Which?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var interface: InterfaceOptions
    @OptionGroup var passphrase: PassphraseOptions

    func validate() throws {
        let deeds = [list, unsettled, settle != nil].count { $0 }
        guard deeds <= 1 else { throw ValidationError("--list, --unsettled and --settle exclude one another.") }
        guard deeds == 1 || all || service != nil else { throw ValidationError("The service is missing.") }
        guard !all || (user == nil && to == .strongPassword && !unsettled && settle == nil) else {
            throw ValidationError("--all takes no account, and goes with --list and --json only.")
        }
        guard (settle == nil) == (works == nil) else { throw ValidationError("--settle and --works belong together.") }
        guard !unsettled && settle == nil || service == nil else {
            throw ValidationError("--unsettled and --settle take no service.")
        }
    }

    func run() async throws {
        if let settle, let works { return try await run(settling: settle, works) }
        if all && !list {
            return try await UpgradeAll(
                service: service, lines: interface.lines, json: json, passphrase: passphrase
            ).run()
        }
        if list || unsettled { return try await show() }
        let desk = PromptDesk { step in
            if let sentence = Upgrades.Progress.sentence(of: step) { Output.note(sentence) }
        }
        let daemon = try await DaemonConnection.open(answering: desk)
        let conversation = await InterfaceConversation(daemon, desk, lines: interface.lines, passphrase)
        let answer: Upgrades.Run.Answer
        do {
            answer = try await conversation.run(
                Upgrades.Run.self, .init(service: service ?? "", user: user, kind: to.rawValue))
        } catch let error as WireError where error.code == .providerExtension(0) {
            throw CommandFailure(.refused, error.message, hint: error.hint)
        }
        if json {
            return Output.json(
                .object([
                    ("service", .string(answer.service)), ("user", .string(answer.user)),
                    ("provider", .string(answer.provider)), ("extension", .string(answer.extension)),
                    ("password", .optional(answer.password)),
                ]))
        }
        Output.note(TerminalText.escaped(ConversionText.end(answer) ?? Self.end(answer)))
    }

    private static func end(_ answer: Upgrades.Run.Answer) -> String {
        "The password of \(answer.user) for \(answer.service) is a strong one now; \(answer.provider) has it, and "
            + "the old one in its history."
    }

    private func run(settling id: String, _ works: Which) async throws {
        let daemon = try await DaemonConnection.open()
        _ = try await daemon.authenticated(
            Upgrades.Settle.self, .init(id: id, isNew: works == .new), passphrase)
        Output.note("The \(works.rawValue) password is the saved one.")
    }

    private func show() async throws {
        let daemon = try await DaemonConnection.open()
        if all { return show(try await UpgradeAll.plan(service: service, daemon)) }
        let answer = try await daemon.call(Upgrades.List.self, .init(service: service))
        if json {
            return Output.json(
                unsettled ? Self.json(answer.unsettled) : Self.json(answer.accounts, converted: answer.converted ?? []))
        }
        let rows =
            unsettled
            ? answer.unsettled.map { [$0.id, $0.service, $0.user, $0.provider, Moment.text($0.date)] }
            : answer.accounts.map { account in
                [
                    account.service, account.user, account.provider,
                    ConversionText.offer(account),
                ]
            } + ConversionText.rows(answer.converted ?? [])
        let lines = TextTable(rows: rows.map { $0.map(TerminalText.escaped) }).lines(forTerminal: Output.isTerminal)
        for line in lines { Output.line(line) }
        if rows.isEmpty, Output.isErrorTerminal {
            Output.note(unsettled ? "Nothing is unsettled." : "No account belongs to an extension that is enabled.")
        }
    }

    /// What `--all` would do, in its order.
    private func show(_ plan: [UpgradeStatement]) {
        if json { return Output.json(UpgradeAll.json(plan)) }
        let rows = plan.map { [$0.service, $0.user, $0.provider, $0.reason ?? ""].map(TerminalText.escaped) }
        for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        if plan.isEmpty, Output.isErrorTerminal {
            Output.note("There is no account whose password can be changed from here.")
        }
    }

    static func json(_ accounts: [UpgradeStatement], converted: [ConvertedStatement] = []) -> JSONText {
        .array(
            accounts.map { account in
                .object([
                    ("service", .string(account.service)), ("user", .string(account.user)),
                    ("provider", .string(account.provider)), ("extension", .optional(account.extension)),
                    ("refusal", .optional(account.refusal)),
                    ("signInWithApple", .optional(account.signInWithApple)),
                ])
            } + converted.map(ConversionText.json))
    }

    static func json(_ unsettled: [UnsettledStatement]) -> JSONText {
        .array(
            unsettled.map { upgrade in
                .object([
                    ("id", .string(upgrade.id)), ("service", .string(upgrade.service)),
                    ("user", .string(upgrade.user)), ("provider", .string(upgrade.provider)),
                    ("date", .integer(upgrade.date)),
                ])
            })
    }
}
