// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import AutoFillSecrets
import FoundationEssentials
import TerminalRendering

/// `latchkey backup FILE`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write everything saved into one encrypted file.",
        discussion: "The file opens with the passphrase of today.")

    @Argument(help: "Where to write; - for standard output.", completion: .file()) var file: String
    @Flag(help: "Replace a file that is there.") var force = false
    @Flag(help: "Print {path, bytes} as JSON.") var json = false

    func validate() throws {
        if file == "-", json { throw ValidationError("--json and the backup cannot both go to standard output.") }
    }

    func run() async throws {
        if file == "-" { return try await writeToOutput() }
        let path = FilePath.absolute(file)
        // The daemon writes and replaces the file at once; asking here is for the person, not against an attacker.
        guard force || !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.alreadyExists, "\(path) is there already.", hint: "--force replaces it.")
        }
        let daemon = try await DaemonConnection.open()
        let answer = try await daemon.call(Settings.WriteBackup.self, .init(path: path))
        if json {
            Output.json(.object([("path", .string(path)), ("bytes", .integer(Int64(answer.bytes)))]))
        } else {
            Output.note("Wrote \(answer.bytes) bytes to \(path).")
        }
    }

    private func writeToOutput() async throws {
        guard !Output.isTerminal else {
            throw CommandFailure(
                .usage, "A backup is not for a terminal.", hint: "Name a file, or send it to another program.")
        }
        let daemon = try await DaemonConnection.open()
        let stream = try BackupStream()
        defer { stream.remove() }
        let answer = try await daemon.call(Settings.WriteBackup.self, .init(path: stream.path))
        try stream.empty()
        Output.note("Wrote \(answer.bytes) bytes.")
    }
}

/// `latchkey restore FILE`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the present data by a backup.",
        discussion: """
            The passphrase asked for is the one that the backup was written under. To replace what is here takes its \
            passphrase as well, if it is another one. What was replaced is kept; `latchkey status` says where.
            """)

    @Argument(help: "The backup; - for standard input.", completion: .file()) var file: String?
    @Flag(help: "Replace what is saved here.") var replace = false
    @Option(help: "Bring back what an earlier restore replaced, by the number that status shows.") var replaced: Int?
    @Flag(help: "Print {items} as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions
    @Option(help: "Read the passphrase of the replaced data from a file, without one final newline.")
    var currentPassphraseFile: String?

    func validate() throws {
        guard (file == nil) != (replaced == nil) else {
            throw ValidationError("Name a backup, or what is brought back with --replaced.")
        }
        if file == "-", passphrase.passphraseFile == "-" {
            throw ValidationError("The backup and its passphrase cannot both come from standard input.")
        }
    }

    func run() async throws {
        var params = Settings.RestoreBackup.Params(
            replaced: replaced, passphrase: WireSecret(SecretBytes(count: 0)), replace: replace ? true : nil)
        // Before anything else: a daemon that starts removes the files of streams.
        let daemon = try await DaemonConnection.open()
        var stream: BackupStream?
        defer { stream?.remove() }
        if let file {
            let path = file == "-" ? file : FilePath.absolute(file)
            if BackupStream.isStream(path) {
                let spool = try BackupStream()
                stream = spool
                try spool.fill(from: path)
                params.path = spool.path
            } else {
                guard FileManager.default.fileExists(atPath: path) else {
                    throw CommandFailure(.notFound, "There is no file \(path).")
                }
                params.path = path
            }
        }
        let question = replaced == nil ? "Passphrase of the backup" : "Passphrase of the replaced data"
        // Standard input held the backup.
        let secret = try file == "-" ? passphrase.readOnDemand(question) : passphrase.read(question)
        params.passphrase = WireSecret(secret)
        if let currentPassphraseFile {
            params.current = WireSecret(
                try SecretSource(file: currentPassphraseFile).read("Passphrase of the present data"))
        }
        let answer = try await restore(params, daemon)
        if json {
            Output.json(.object([("items", .integer(Int64(answer.items)))]))
        } else {
            Output.note("Restored \(answer.items) item\(answer.items == 1 ? "" : "s").")
        }
        if answer.locked == true { Output.note("Latchkey is locked; run `latchkey unlock`.") }
    }

    private func restore(
        _ params: Settings.RestoreBackup.Params, _ daemon: DaemonConnection
    ) async throws -> Settings.RestoreBackup.Answer {
        let isSomebodyThere = passphrase.isInteractive || passphrase.passphraseFile == nil && file == "-"
        do {
            do {
                return try await daemon.call(Settings.RestoreBackup.self, params)
            } catch let error as WireError where error.code == .authenticationRequired && isSomebodyThere {
                Output.note(error.message)
                var params = params
                params.current = WireSecret(
                    try SecretSource(file: nil, inputIsTerminal: true).read(
                        "Passphrase of the present data", option: "--current-passphrase-file"))
                return try await daemon.call(Settings.RestoreBackup.self, params)
            }
        } catch let error as WireError where error.code == .alreadyExists && error.hint == nil {
            throw CommandFailure(.alreadyExists, error.message, hint: "--replace puts the backup in its place.")
        }
    }
}
