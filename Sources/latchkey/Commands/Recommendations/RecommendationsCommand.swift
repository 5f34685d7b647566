// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey recommendations`
struct RecommendationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recommendations",
        abstract: "Show which passwords should be changed, and why.",
        discussion: """
            The passwords are judged by the provider that keeps them; docs/recommendations.md says how. A list of \
            leaked passwords is named by `latchkey preferences set --breach-list`.
            """,
        subcommands: [
            RecommendationsListCommand.self, RecommendationsHideCommand.self, RecommendationsUnhideCommand.self,
        ],
        defaultSubcommand: RecommendationsListCommand.self)
}

/// `latchkey recommendations list`
struct RecommendationsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List them, the most urgent first.")

    @Flag(help: "Show those that were hidden too.") var hidden = false
    @Flag(help: "Ask haveibeenpwned about leaks first; `preferences set --breach-ranges` has to allow it.")
    var online = false
    @Flag(help: "Print an array of {id, services, user, urgency, hidden, findings} as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        var page = try await daemon.call(Recommendations.List.self, .init(online: online ? true : nil))
        let problem = page.problem
        var all = page.recommendations
        while let cursor = page.cursor {
            page = try await daemon.call(Recommendations.List.self, .init(cursor: cursor))
            all += page.recommendations
        }
        if let problem { Output.note(TerminalText.escaped(problem)) }
        let shown = all.filter { hidden || !$0.hidden }
        if json { return Output.json(.array(shown.map(RecommendationListing.json))) }
        for line in RecommendationListing(shown, among: all).lines { Output.line(line) }
        if shown.isEmpty && Output.isErrorTerminal { Output.note("There is nothing to recommend.") }
    }
}

/// `latchkey recommendations hide NAME`
struct RecommendationsHideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide the recommendations for an account; new ones are shown.")

    @OptionGroup var item: ItemArguments

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let found = try await item.name.resolve(daemon)
        _ = try await daemon.call(Recommendations.Hide.self, .init(id: found.id, hidden: true))
        Output.note("Hid the recommendations for \(found.spoken).")
    }
}

/// `latchkey recommendations unhide NAME`
struct RecommendationsUnhideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide", abstract: "Show the recommendations for an account again.")

    @OptionGroup var item: ItemArguments

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let found = try await item.name.resolve(daemon)
        _ = try await daemon.call(Recommendations.Hide.self, .init(id: found.id, hidden: false))
        Output.note("Recommendations for \(found.spoken) are shown again.")
    }
}

/// Recommendations as they are shown.
struct RecommendationListing {
    private let shown: [RecommendationStatement]
    /// What the keys of accounts are called.
    private let names: [String: String]

    init(_ shown: [RecommendationStatement], among all: [RecommendationStatement]) {
        self.shown = shown
        names = Dictionary(all.map { ($0.id, Self.name($0)) }) { first, _ in first }
    }

    /// The account on a line, then a line for each thing that is wrong with it.
    var lines: [String] {
        shown.flatMap { recommendation in
            ["\(Self.name(recommendation))\(recommendation.hidden ? " (hidden)" : "")"]
                + recommendation.findings.map { "  \(TerminalText.escaped($0.reason))\(others($0))" }
                + (recommendation.findings.first.map { ["  \(TerminalText.escaped($0.advice))"] } ?? [])
        }
    }

    /// Which accounts have it too: the first three by name.
    private func others(_ finding: FindingStatement) -> String {
        let known = finding.accounts.compactMap { names[$0] }
        guard !known.isEmpty else { return "" }
        let rest = finding.number - min(known.count, 3)
        return " (\(known.prefix(3).joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""))"
    }

    private static func name(_ recommendation: RecommendationStatement) -> String {
        let service = TerminalText.escaped(recommendation.services.first ?? "")
        return recommendation.user.isEmpty ? service : "\(service)  \(TerminalText.escaped(recommendation.user))"
    }

    static func json(_ recommendation: RecommendationStatement) -> JSONText {
        .object([
            ("id", .string(recommendation.id)), ("services", .strings(recommendation.services)),
            ("user", .string(recommendation.user)), ("urgency", .integer(Int64(recommendation.urgency))),
            ("hidden", .bool(recommendation.hidden)),
            (
                "findings",
                .array(
                    recommendation.findings.map { finding in
                        .object([
                            ("kind", .string(finding.kind)), ("number", .integer(Int64(finding.number))),
                            ("accounts", .strings(finding.accounts)), ("reason", .string(finding.reason)),
                            ("advice", .string(finding.advice)),
                        ])
                    })
            ),
        ])
    }
}
