// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FormAnalysis
import TerminalRendering

/// `latchkey doctor`
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what AutoFill sees on a page, and what its author can do better.",
        discussion: """
            Goes through the fields of HTML files and of pages on the web one by one: the role that AutoFill gives each, \
            why, and what would spare it the guess, each with the line to write. Ends with status 13 where there is \
            something to fix, so that it can stand in a site's tests. docs/forms.md explains every rule.

            An address is fetched over https, without cookies, scripts and redirects, in a sandbox; its site is asked \
            for /.well-known/change-password, apple-app-site-association and assetlinks.json as well. Status 6: what \
            came is not a page that is read here; 5: there is none; 11: the site did not answer.
            """
    )

    @Argument(help: ArgumentHelp("Files of HTML, or https addresses.", valueName: "page")) var pages: [String] = []
    @Flag(help: "A window of a native program instead: the one in which a field gets the focus next.") var window =
        false
    @Flag(help: "Print an array of {page, kind, fields, findings, site} as JSON.") var json = false
    @Flag(help: "End with status 13 for notes as well.") var strict = false

    func validate() throws {
        guard pages.isEmpty == window else { throw ValidationError("Name a page, or say --window.") }
    }

    func run() async throws {
        if window { return try await examineWindow() }
        var reports: [DoctorReport] = []
        for page in pages { reports.append(try await Self.report(page)) }
        if json {
            PageFile.print(reports.map(\.json))
        } else {
            for (index, report) in reports.enumerated() {
                if index > 0 { Output.line("") }
                report.lines.forEach(Output.line)
            }
        }
        let worst = reports.flatMap(\.advice).map(\.severity).max()
        guard let worst, strict || worst > .note else { return }
        let count = reports.flatMap(\.advice).count { strict || $0.severity > .note }
        throw CommandFailure(
            .invalidInput, "\(count) finding\(count == 1 ? "" : "s") to fix.",
            hint: "Each one's line to write stands under it.")
    }

    private func examineWindow() async throws {
        let report = try await WindowReport.next()
        if json {
            Output.json(report.json)
        } else {
            for line in report.examination { Output.line(TerminalText.escaped(line)) }
        }
        let count = report.advice.count
        guard count > 0 else { return }
        throw CommandFailure(.invalidInput, "\(count) finding\(count == 1 ? "" : "s") to fix.")
    }

    private static func report(_ page: String) async throws(CommandFailure) -> DoctorReport {
        let found = try await PageSource(page).find()
        let analysis = FormAnalyzer().analyze(found.page)
        return DoctorReport(
            name: found.name, page: found.page, analysis: analysis,
            advice: PageAdvisor().advice(for: found.page, analysis) + RulesAdvice.advice(for: found.page)
                + (found.site?.facts.advice ?? []),
            site: found.site)
    }
}
