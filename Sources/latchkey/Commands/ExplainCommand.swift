// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import TerminalRendering

/// `latchkey explain URL`
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show why something is offered on a page or in an app, and why something else is not.",
        discussion: """
            Never a secret. With --offline neither the daemon nor a vault is asked, only the rules; --saved then names \
            what to hold against them. docs/matching.md has the rules.
            """)

    @Argument(help: "The URL of the top document.") var url: String?
    @Option(
        name: .customLong("frame"), parsing: .singleValue,
        help: "The URL of a frame in it, of one in that frame, and so on: the last one holds the form.")
    var frames: [String] = []
    @Option(help: "An app's identifier instead of a page: PREFIX.com.example.app.") var app: String?
    @Flag(help: "A window of a native program instead of a page: the one in which a field gets the focus next.")
    var window = false
    @Flag(help: "Ask neither the daemon nor a vault.") var offline = false
    @Option(
        name: .customLong("saved"), parsing: .singleValue,
        help: "With --offline: a URL or host that a password was saved for.")
    var saved: [String] = []
    @Flag(help: "With --offline: treat the password as saved for its exact host only.") var strict = false
    @Option(help: "With --offline: read quirks from this folder and no other.") var quirks: String?
    @Flag(help: "Print one object as JSON.") var json = false

    func validate() throws {
        guard [url != nil, app != nil, window].count(where: \.self) == 1 else {
            throw ValidationError("Name a URL, an app with --app, or say --window.")
        }
        guard !window || (frames.isEmpty && !offline) else {
            throw ValidationError("--window goes with --json alone: the daemon has the window read.")
        }
        guard app == nil || frames.isEmpty else { throw ValidationError("An app has no frames.") }
        guard offline || (saved.isEmpty && quirks == nil && !strict) else {
            throw ValidationError("--saved, --strict and --quirks go with --offline.")
        }
    }

    func run() async throws {
        if window {
            let report = try await WindowReport.next()
            if json { return Output.json(report.json) }
            for line in report.explanation { Output.line(TerminalText.escaped(line)) }
            return
        }
        let rules = try QuirksSource.load(named: quirks)
        let explanation: Explanation
        if let app {
            explanation = try await AppExplanation.of(app, rules, offline: offline, saved: services)
        } else {
            let page = PageExplanation(url: url ?? "", frames: frames, rules)
            let answer = offline ? try candidates(page, rules) : try await ask(.init(url: url, frames: frames))
            explanation = Explanation(page: page, answer: answer, isOffline: offline)
        }
        if json { return Output.json(explanation.json) }
        for line in explanation.lines { Output.line(TerminalText.escaped(line)) }
    }

    private var services: [SavedService] {
        saved.map { SavedService(ServiceIdentifier(written: $0), isStrict: strict) }
    }

    private func ask(_ params: Explain.Params) async throws -> Explain.Answer {
        try await DaemonConnection.open().call(Explain.self, params)
    }

    /// What `--saved` names, held against the rules.
    private func candidates(_ page: PageExplanation, _ rules: Quirks) throws -> Explain.Answer {
        var answer = Explanation.offline(rules)
        answer.refusal = page.refusal
        guard let chain = page.chain else { return answer }
        let policy = MatchPolicy(rules)
        answer.candidates = services.map { Explanation.candidate($0, policy.match($0, for: chain)) }
        if answer.candidates.allSatisfy({ $0.decision == "refused" }) {
            answer.lookalike = Lookalikes(rules).warning(for: chain.document, among: services)?.sentence
        }
        return answer
    }
}
