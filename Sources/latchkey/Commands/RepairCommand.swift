// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey repair`
struct RepairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Make damaged files anew, where nothing more is lost by that.",
        discussion: """
            `latchkey status` says which files are damaged. A damaged file is kept under a name that ends in \
            .damaged-1, and nothing ever takes its place. What a new file cannot bring back is said.
            """)

    @Flag(help: "Print {repaired, files, setAside, locked} as JSON.") var json = false

    func run() async throws {
        let answer = try await DaemonConnection.open().call(Settings.Repair.self)
        if json {
            Output.json(Self.json(answer))
        } else {
            for file in answer.repaired { Output.line(TerminalText.escaped("\(file.path): \(file.outcome)")) }
            for file in answer.files {
                for text in [file.problem, file.hint] { Output.note(TerminalText.escaped(text)) }
            }
            if answer.repaired.isEmpty, answer.files.isEmpty { Output.note("Nothing damaged was found.") }
            if answer.locked {
                Output.note(
                    "Saved accounts can be looked at only when Latchkey is unlocked: run `latchkey unlock`, then this.")
            }
        }
        if let failure = FileProblems.failure(answer.files) { throw failure }
    }

    static func json(_ answer: Settings.Repair.Answer) -> JSONText {
        .object([
            (
                "repaired",
                .array(answer.repaired.map { .object([("path", .string($0.path)), ("outcome", .string($0.outcome))]) })
            ),
            ("files", .array(answer.files.map(FileProblems.json))),
            ("setAside", .array(answer.setAside.map(JSONText.string))), ("locked", .bool(answer.locked)),
        ])
    }
}

/// Shows files that are damaged or cannot be written.
enum FileProblems {
    static func json(_ file: FileProblem) -> JSONText {
        .object([("path", .string(file.path)), ("problem", .string(file.problem)), ("hint", .string(file.hint))])
    }

    /// The failure of a command that found files with a problem; `nil` if there are none.
    static func failure(_ files: [FileProblem]) -> CommandFailure? {
        guard let first = files.first else { return nil }
        let count = files.count == 1 ? "1 file is" : "\(files.count) files are"
        return CommandFailure(.storage, "\(count) damaged or cannot be written.", hint: first.hint)
    }
}
