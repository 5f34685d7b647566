// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import CAdwaita
internal import MainLoop
internal import PasswordsModel
internal import ShownText

/// Imports the passwords that a browser or another password manager has written into a file.
@DesktopActor enum FileImport {
    /// Whether one goes on. Two at once would not see what the other one saves.
    private static var isBusy = false

    /// Has the user choose a file, imports it, and says what became of it.
    ///
    /// - Parameter imported: Called where something was saved.
    static func begin(_ context: PageContext, imported: @escaping @DesktopActor () -> Void) {
        guard !isBusy else { return context.say("A file is being imported already.") }
        isBusy = true
        Task { @DesktopActor in
            defer { isBusy = false }
            guard let path = await FileChoice.ask(before: context.parent, "Import Passwords", "Import") else { return }
            guard let outcome = await run(path, context) else { return }
            guard let report = ImportOutcome(outcome) else {
                return tell(context, "Nothing Was Imported", [outcome.sentence])
            }
            tell(context, report.changedAnything ? "Imported" : "Nothing Was Imported", report.sentences)
            if report.changedAnything { imported() }
        }
    }

    /// - Returns: `nil` where the user has said no.
    private static func run(_ path: String, _ context: PageContext) async -> CommandOutcome? {
        var arguments = ["import", "--json"]
        let first = await settled(arguments, path, context)
        guard let outcome = first, let guess = GuessedFormat(outcome) else { return first }
        arguments += ["--format", guess.name]
        let looked = await context.commands.run(arguments + ["--dry-run", "--", path], input: nil)
        guard let report = ImportOutcome(looked), report.imported > 0 else { return looked }
        let count = report.imported == 1 ? "One account" : "\(report.imported) accounts"
        let lines = ["\(count) would be saved. The columns of the file are read so:"] + report.columns
        let question = lines.map { DisplayText($0, .sentence).text }.joined(separator: "\n")
        guard await Question.ask(context, "Import This File?", question, "Import") else { return nil }
        return await settled(arguments, path, context)
    }

    /// Runs an import, and asks which passwords are used where accounts are saved with other ones.
    ///
    /// - Returns: `nil` where the user has answered nothing.
    private static func settled(_ arguments: [String], _ path: String, _ context: PageContext) async -> CommandOutcome?
    {
        guard let outcome = await authenticated(arguments, path, context) else { return nil }
        guard let conflict = PasswordConflict(outcome) else { return outcome }
        let answers = PasswordConflict.answers
        guard
            let answer = await Question.choose(
                context, "Which Passwords Are Used?", conflict.sentence, answers.map(\.1))
        else { return nil }
        return await authenticated(arguments + ["--keep", answers[answer].0], path, context)
    }

    /// Runs an import, with the passphrase where what is saved already has to be compared.
    ///
    /// - Returns: `nil` where the user has given none.
    private static func authenticated(_ arguments: [String], _ path: String, _ context: PageContext) async
        -> CommandOutcome?
    {
        var outcome = await context.commands.run(arguments + ["--", path], input: nil)
        var problem: String?
        while outcome.wantsPassphrase {
            let purpose = "compare the file with what is saved"
            guard let secret = await PassphraseDialog.ask(before: context.parent, to: purpose, problem: problem) else {
                return nil
            }
            outcome = await context.commands.run(
                arguments + ["--passphrase-file", "-", "--", path], input: secret.bytes)
            problem = outcome.sentence
        }
        return outcome
    }

    private static func tell(_ context: PageContext, _ title: String, _ sentences: [String]) {
        Notice.show(context, title, sentences.map { DisplayText($0, .sentence).text }.joined(separator: "\n"))
    }
}
