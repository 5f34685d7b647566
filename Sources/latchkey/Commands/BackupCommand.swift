// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import FoundationEssentials
import TerminalRendering

/// `latchkey backup FILE`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write everything saved into one encrypted file.",
        discussion: "The file opens with the passphrase of today.")

    @Argument(help: "Where to write.", completion: .file()) var file: String
    @Flag(help: "Replace a file that is there.") var force = false
    @Flag(help: "Print {path, bytes} as JSON.") var json = false

    func run() async throws {
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
}

/// `latchkey restore FILE`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replace the present data by a backup.",
        discussion: """
            The passphrase asked for is the one that the backup was written under. To replace what is here takes its \
            passphrase as well, if it is another one.
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(help: "Replace what is saved here.") var replace = false
    @Flag(help: "Print {items} as JSON.") var json = false
    @OptionGroup var passphrase: PassphraseOptions
    @Option(help: "Read the passphrase of the replaced data from a file, without one final newline.")
    var currentPassphraseFile: String?

    func run() async throws {
        let path = FilePath.absolute(file)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.notFound, "There is no file \(path).")
        }
        let daemon = try await DaemonConnection.open()
        let secret = try passphrase.read("Passphrase of the backup")
        var params = Settings.RestoreBackup.Params(
            path: path, passphrase: WireSecret(secret), replace: replace ? true : nil)
        if let currentPassphraseFile {
            params.current = WireSecret(
                try SecretSource(file: currentPassphraseFile).read("Passphrase of the present data"))
        }
        let answer: Settings.RestoreBackup.Answer
        do {
            do {
                answer = try await daemon.call(Settings.RestoreBackup.self, params)
            } catch let error as WireError where error.code == .authenticationRequired && passphrase.isInteractive {
                Output.note(error.message)
                params.current = WireSecret(
                    try SecretSource(file: nil, inputIsTerminal: true).read("Passphrase of the present data"))
                answer = try await daemon.call(Settings.RestoreBackup.self, params)
            }
        } catch let error as WireError where error.code == .alreadyExists && error.hint == nil {
            throw CommandFailure(.alreadyExists, error.message, hint: "--replace puts the backup in its place.")
        }
        if json {
            Output.json(.object([("items", .integer(Int64(answer.items)))]))
        } else {
            Output.note("Restored \(answer.items) item\(answer.items == 1 ? "" : "s").")
        }
    }
}
