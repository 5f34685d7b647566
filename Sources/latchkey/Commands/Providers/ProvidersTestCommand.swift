// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillSecrets
import FoundationEssentials

/// `latchkey providers test PATH.appex`
struct ProvidersTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Check that a provider does what the protocol asks of it; for its author.",
        discussion: """
            No daemon takes part and nothing of yours is touched: the provider runs in folders of its own, is driven \
            as Latchkey would, and then as a bad day would. The status is 0 only when nothing failed, and 13 otherwise.
            """
    )

    @Argument(help: "The bundle, NAME.appex.", completion: .directory) var path: String
    @Option(help: "A folder that is copied as its container, with accounts in it.", completion: .directory)
    var container: String?
    @Option(
        help: "A file with the base64 of the 32 bytes that the container is sealed under.", completion: .file())
    var key: String?
    @Option(
        help: "A JSON file {id or label: text} with what to type into its fields, and which buttons to press.",
        completion: .file())
    var answers: String?
    @Flag(help: "Print {identifier, passed, failed, skipped, checks} as JSON.") var json = false

    func run() async throws {
        let folder = FilePath.absolute(path)
        guard FilePath.isFolder(folder) else {
            throw CommandFailure(.notFound, "\(path) is no folder.", hint: "Name the bundle, NAME.appex.")
        }
        if let container, !FilePath.isFolder(FilePath.absolute(container)) {
            throw CommandFailure(.notFound, "\(container) is no folder.")
        }
        let texts = try answers.map(Self.read) ?? [:]
        let bundle: TestedBundle
        do {
            bundle = try TestedBundle(folder: folder)
        } catch {
            throw CommandFailure(
                .invalidInput, "\(path) is no bundle that Latchkey takes: \(error.reason).",
                hint: "docs/protocol.md says in section 7, \"Bundles\", what is in one.")
        }
        let place = try ConformancePlace(
            copying: container.map { FilePath.absolute($0) }, key: try key.map(Self.readKey))
        let isQuiet = json
        let run = await ConformanceRun(bundle, place, answers: texts) { check in
            if !isQuiet { Output.line(ConformanceReport.line(check)) }
        }
        let report = await run.run()
        if json { Output.json(report.json) }
        guard report.isPassed else { throw CommandFailure(.invalidInput, report.summary) }
        if !json { Output.note(report.summary) }
    }

    /// The base64 of 32 bytes, which may end with a newline. It comes from a file, because arguments can be seen by everybody.
    static func readKey(_ path: String) throws -> SecretBytes {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.notFound, "\(path) cannot be read.")
        }
        let text = String(decoding: bytes.prefix(64), as: UTF8.self).filter { !$0.isWhitespace }
        guard bytes.count <= 64, Data(base64Encoded: text)?.count == 32 else {
            throw CommandFailure(.invalidInput, "\(path) does not hold the base64 of 32 bytes.")
        }
        return SecretBytes(utf8: text)
    }

    /// A flat object of texts.
    static func read(_ path: String) throws -> [String: String] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.notFound, "\(path) cannot be read.")
        }
        guard let texts = try? JSONDecoder().decode([String: String].self, from: bytes) else {
            throw CommandFailure(.invalidInput, "\(path) is no JSON object of texts.")
        }
        return texts
    }
}
