// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import ProviderConformance
import TerminalRendering

/// `latchkey providers test PATH.appex`
struct ProvidersTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Check that an extension does what the protocol asks of it; for its author.",
        discussion: """
            No daemon takes part and nothing of yours is touched: the extension runs in folders of its own, is driven \
            as Latchkey would, and then with faulty requests. Credential providers and extensions that change passwords \
            are tested. The latter talk to their own service, with an account that nobody has or with that of \
            --account. The status is 0 only when nothing failed, and 13 otherwise.
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
    @Option(
        help: "A JSON file {user, password, newPassword}: an account whose password is changed, and changed back.",
        completion: .file())
    var account: String?
    @Flag(help: "Print {identifier, passed, failed, skipped, checks} as JSON.") var json = false

    func run() async throws {
        let folder = FilePath.absolute(path)
        guard FilePath.isFolder(folder) else {
            throw CommandFailure(.notFound, "\(path) is not a folder.", hint: "Name the bundle, NAME.appex.")
        }
        if let container, !FilePath.isFolder(FilePath.absolute(container)) {
            throw CommandFailure(.notFound, "\(container) is not a folder.")
        }
        let texts = try answers.map(ConformanceFile.texts) ?? [:]
        let lent = try account.map(TestedAccount.read)
        let bundle: TestedBundle
        do {
            bundle = try TestedBundle(folder: folder)
        } catch {
            throw CommandFailure(
                .invalidInput, "\(path) is not a bundle that Latchkey takes: \(error.reason).",
                hint: "Name the .appex itself; docs/protocol.md says in section 7, \"Bundles\", what is in one.")
        }
        guard lent == nil || bundle.modification != nil else {
            throw CommandFailure(.usage, "--account is for extensions that change passwords.")
        }
        let place = try ConformancePlace(
            copying: container.map { FilePath.absolute($0) }, key: try key.map { try ConformanceFile.key($0) })
        let isQuiet = json
        let run = await ConformanceRun(bundle, place, answers: texts, account: lent) { check in
            if !isQuiet { Output.line(ConformanceReport.line(check)) }
        }
        let report = await run.run()
        if json { Output.json(report.json) }
        guard report.isPassed else { throw CommandFailure(.invalidInput, report.summary) }
        if !json { Output.note(report.summary) }
    }
}
