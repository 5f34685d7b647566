// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FormAnalysis
import TerminalRendering

/// `latchkey forms classify`
struct ClassifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Name the roles of every field of HTML files.",
        discussion: """
            Reads static HTML; nothing is fetched, no script is run, and neither latchkeyd nor a vault is needed. The \
            same analysis decides in the browser, on the live page.
            """
    )

    @Argument(help: ArgumentHelp("Files of HTML.", valueName: "file")) var files: [String]
    @Flag(help: "Print an array of {page, kind, controls} as JSON.") var json = false
    @Flag(help: "Take files of JSON, each with a page as the browser extension states it.") var described = false
    @Flag(help: "Add how long reading and analyzing took, in microseconds, to the JSON.") var times = false

    func run() throws {
        let analyzer = FormAnalyzer()
        let answers = try files.map { file in
            let bytes = try PageFile.bytes(file)
            let start = ContinuousClock.now
            let page = try described ? PageFile.statement(bytes, of: file) : PageFile.page(bytes, of: file)
            let read = ContinuousClock.now
            let analysis = analyzer.analyze(page)
            let end = ContinuousClock.now
            return Answer(
                file: file, page: page, analysis: analysis, times: times ? (read - start, end - read) : nil)
        }
        if json { return PageFile.print(answers.map(\.json)) }
        for (index, answer) in answers.enumerated() {
            if index > 0 { Output.line("") }
            answer.lines.forEach(Output.line)
        }
    }

    /// What was made of one file.
    struct Answer {
        let file: String
        let page: PageDescription
        let analysis: PageAnalysis
        var times: (read: Duration, analyzed: Duration)?

        var json: JSONText {
            var members = members
            if let times {
                let microseconds = { (time: Duration) in JSONText.integer(Int64(time / .microseconds(1))) }
                members.append(
                    (
                        "microseconds",
                        .object([("read", microseconds(times.read)), ("analyzed", microseconds(times.analyzed))])
                    ))
            }
            return .object(members)
        }

        private var members: [(String, JSONText)] {
            [
                ("page", .string(PageFile.name(file))), ("kind", .string(analysis.kind.rawValue)),
                (
                    "controls",
                    .array(
                        zip(page.fields, analysis.fields).map { field, answer in
                            .object([
                                ("tag", .string(field.tag)), ("id", .string(field.identifier)),
                                ("name", .string(field.name)),
                                ("role", .optional((answer.role ?? answer.dormantRole)?.rawValue)),
                                ("confidence", .fraction(Self.confidence(answer))),
                                ("reasons", .strings(answer.reasons)),
                            ])
                        })
                ),
            ]
        }

        /// Static HTML cannot say for sure what is shown: a role of what it hides is said as well, with little confidence.
        private static func confidence(_ answer: FieldAnalysis) -> Double {
            answer.role == nil && answer.dormantRole != nil ? 0.1 : answer.confidence
        }

        /// The fields that people see, as a table under the page's name.
        var lines: [String] {
            let rows = zip(page.fields, analysis.fields).filter(\.0.isVisible).map { field, answer in
                [
                    "  " + (answer.role?.rawValue ?? "-"), TerminalText.escaped(FieldName.name(of: field)),
                    answer.reasons.joined(separator: "; "),
                ]
            }
            return ["\(TerminalText.escaped(PageFile.name(file))): \(analysis.kind.rawValue)"]
                + TextTable(rows: rows).lines(forTerminal: true)
        }
    }
}
