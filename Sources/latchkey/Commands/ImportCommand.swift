// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import CLinux
import Glibc
import ShownText
import TerminalRendering

/// `latchkey import FILE`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the CSV of a browser or password manager.",
        discussion: """
            Reads what \(ImportFormat.known) export. What has no website, such as a note or a card, is kept as an item with \
            a title, and what has no place of its own is kept in the notes. Says at the end what was skipped and why. A file that is not certainly recognised is asked about, unless --format names its \
            format. Importing a file twice adds nothing twice. Ends with a status other than 0 when nothing could be \
            imported, or when the import was broken off.
            """
    )

    @Argument(help: "The CSV file.", completion: .file(extensions: ["csv"])) var file: String
    @Option(help: "The format, where the first line is not to decide.") var format: ImportFormat?
    @Option(
        help:
            "The password of accounts that are saved with another one: the file's, the saved one, or both as two accounts."
    )
    var keep: PasswordChoice?
    @Flag(help: "Print what would be imported, without contacting the daemon.") var dryRun = false
    @Flag(help: "Print the report as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let read = try Self.read(file)
        let plan = try ImportPlan(read.bytes, format: format)
        var report: ImportReport
        if dryRun {
            report = ImportReport(plan)
            for candidate in plan.candidates { report.take(candidate) }
        } else {
            try requireCertainty(plan.columns)
            let daemon = try await DaemonConnection.open()
            try await daemon.requireUnlocked()
            var run = ImportRun(plan, daemon, passphrase)
            await run.add(plan.candidates, choose: choice, progress: Self.showProgress)
            report = run.report
        }
        if json {
            Output.json(report.json(file: file, isDryRun: dryRun))
        } else if report.failure == nil {
            for line in report.lines(file: file, isDryRun: dryRun) { Output.line(line) }
        }
        try finish(report, read.kind)
    }

    /// Asks which password accounts are to have that are saved with another one.
    private func choice(_ count: Int) throws(CommandFailure) -> PasswordChoice {
        if let keep { return keep }
        let accounts = count == 1 ? "One account is" : "\(count) accounts are"
        let word = try TerminalQuestion.choose(
            ["\(accounts) saved with another password. The one that is not used stays in the account's history."],
            "Which one is used, or are both kept?", among: PasswordChoice.allCases.map(\.rawValue),
            insteadOfAsking: "--keep")
        return PasswordChoice(rawValue: word) ?? .both
    }

    /// Asks where the format is a guess: a password must not end up as a user name.
    private func requireCertainty(_ columns: ImportColumns) throws(CommandFailure) {
        guard format == nil, !columns.isCertain else { return }
        let program = columns.format == .other ? "no program that is known" : columns.format.name
        func list(_ uses: [ImportFormat.Use?], _ word: String) -> String? {
            let names = columns.columns.filter { uses.contains($0.use) }.map { TerminalText.escaped($0.name) }
            return names.isEmpty ? nil : "  \(word): \(names.joined(separator: ", "))"
        }
        let lines = [
            "The columns of the file are those of \(program)\(columns.unknown.isEmpty ? "" : ", and others"). Read as:",
            list([.address, .addresses, .moreAddresses], "address"), list([.user, .otherUser], "user"),
            list([.password], "password"),
            list([.title], "title"), list([.notes], "notes"), list([.authenticator], "key of codes"),
            list([.folder, .tag, .tags], "tags"), list([nil, .content, .flag, .fields], "a line of the notes"),
            list([.bookkeeping], "left out"),
        ].compactMap(\.self)
        let isRight = try TerminalQuestion.confirm(
            lines, "Import it like that?", insteadOfAsking: "--format \(columns.format.rawValue)")
        guard isRight else { throw CommandFailure(.canceled, "Nothing was imported.") }
    }

    private func finish(_ report: ImportReport, _ kind: InputKind) throws {
        if let breakOff = report.breakOff { throw breakOff }
        if report.changedAnything, !dryRun,
            let sentence = Self.farewell(file, kind, report.isEverythingKept)
        {
            Output.note(sentence)
        }
        let isAllThere = report.skipped.contains(where: \.isPresent)
        guard report.changedAnything || isAllThere else {
            throw CommandFailure(.invalidInput, "Nothing in \(file) could be imported.")
        }
    }

    /// What is to become of the file; `nil` for a pipe, of which nothing is left. A command is advised only where the path is the file's own:
    /// through a link or a descriptor it would be about something else.
    static func farewell(_ path: String, _ kind: InputKind, _ isEverythingKept: Bool) -> String? {
        let word = ShellWord.shown(path: path)
        return switch kind {
        case .pipe: nil
        case _ where !isEverythingKept:
            "\(path) holds these passwords in the clear. Not everything in it was imported: look after the rest, then delete it."
        case .file where word != nil:
            "\(path) holds these passwords in the clear. Delete it: `shred --remove \(word ?? "")`"
        case .file, .elsewhere: "The file that was read holds these passwords in the clear. Delete it."
        }
    }

    private static func showProgress(_ done: Int, _ total: Int) {
        guard Output.isErrorTerminal else { return }
        Output.error("\r\(done) of \(total)" + (done == total ? "\n" : ""))
    }

    /// What a path led to.
    enum InputKind {
        /// The file of that name.
        case file
        /// A file of another name, through a link or a descriptor.
        case elsewhere
        case pipe
    }

    /// A file's bytes, in memory that no core dump holds. Nobody's passwords fill 64 MiB.
    private static func read(_ path: String) throws(CommandFailure) -> (bytes: SecretBytes, kind: InputKind) {
        func failure(_ reason: Int32) -> CommandFailure {
            CommandFailure(
                reason == ENOENT ? .notFound : .storage,
                "\(path) cannot be read: \(String(cString: strerror(reason))).")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw failure(errno) }
        let isRegular = information.st_mode & S_IFMT == S_IFREG
        let size = isRegular ? Int(information.st_size) : 16 << 20
        guard size <= 64 << 20 else { throw CommandFailure(.invalidInput, "\(path) is larger than 64 MiB.") }
        do {
            return (try Descriptor.readAll(descriptor, limit: size), isRegular ? kind(path, information) : .pipe)
        } catch {
            switch error {
            case .tooLong: throw CommandFailure(.invalidInput, "\(path) changed while it was read.")
            case .system(let reason): throw failure(reason)
            }
        }
    }

    private static func kind(_ path: String, _ opened: stat) -> InputKind {
        var named = stat()
        guard lstat(path, &named) == 0, named.st_dev == opened.st_dev, named.st_ino == opened.st_ino else {
            return .elsewhere
        }
        return .file
    }
}
