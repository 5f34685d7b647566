// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import TerminalRendering

/// The options that say where an item's notes are read from. Notes are never an argument, since other programs can read those.
struct NotesOptions: ParsableArguments {
    @Flag(help: "Ask for notes on the terminal, which shows them; Control-D on a line of its own ends them.")
    var notes = false
    @Option(help: "Read notes from a file, or from standard input (-). For `edit`, an empty file takes them away.")
    var notesFile: String?

    func validate() throws {
        guard !notes || notesFile == nil else {
            throw ValidationError("--notes asks for the notes; name no file with it.")
        }
    }

    /// Whether any are given.
    var isGiven: Bool { notes || notesFile != nil }

    /// Throws where the password or the set-up key comes from standard input too.
    func requireInput(besides password: SecretSource?, _ authenticator: AuthenticatorOptions) throws(CommandFailure) {
        guard notesFile == "-" else { return }
        guard password != .standardInput else {
            throw CommandFailure(
                .usage, "The password and the notes cannot both come from standard input.",
                hint: "Name a file with --password-file or --notes-file.")
        }
        guard !authenticator.readsStandardInput else {
            throw CommandFailure(
                .usage, "The notes and the set-up key cannot both come from standard input.",
                hint: "Name a file with --notes-file or --otp-uri-file.")
        }
    }

    /// The notes, with line endings as they are but for one at the end; `nil` where none are given.
    func read() throws(CommandFailure) -> SecretBytes? {
        if notes { return try TerminalQuestion.text("Notes", limit: SecretSource.notesLimit, option: "--notes-file") }
        guard let notesFile else { return nil }
        return try SecretSource.notes(notesFile)
    }
}
