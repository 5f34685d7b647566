// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey list [SEARCH]`
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the saved accounts, without passwords.",
        discussion: "On a terminal the first eight characters of an id are shown; they name the item well enough.")

    @Argument(help: "Show only items whose services or user contain this.") var search: String?
    @Flag(help: "Show removed items, which can be brought back for 30 days.") var removed = false
    @Flag(help: "Show only favorites.") var favorites = false
    @Option(help: "Show only items with this tag.") var tag: String?
    @Flag(help: "Print an array of {id, services, user, created, modified} as JSON.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let (all, damage) = try await ItemListing.all(daemon, search: search, removed: removed)
        let items = all.filter { item in
            (!favorites || item.favorite == true)
                && (tag.map { tag in item.tags?.contains { $0.lowercased() == tag.lowercased() } == true } ?? true)
        }
        if json {
            Output.json(.array(items.map(ItemListing.json)))
        } else {
            for line in ItemListing.lines(items, forTerminal: Output.isTerminal) { Output.line(line) }
        }
        if let damage { throw damage }
        if !json && items.isEmpty && Output.isErrorTerminal {
            let isWhole = search == nil && !favorites && tag == nil
            Output.note(isWhole ? "Nothing is \(removed ? "removed" : "saved") yet." : "Nothing fits.")
        }
    }
}

/// `latchkey suggestions URL`
struct SuggestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggestions", abstract: "Show what would be offered for a URL. Never a secret.")

    @Argument(help: "The URL of a sign-in page.") var url: String
    @Flag(help: "Print an array of {provider, service, user, recordIdentifier, type, rank} as JSON.")
    var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let suggestions = try await daemon.call(Settings.Suggestions.self, .init(url: url)).suggestions
        if json { return Output.json(.array(suggestions.map(Self.json))) }
        let rows = suggestions.map { [$0.service, $0.user, $0.type, $0.provider].map(TerminalText.escaped) }
        for line in TextTable(rows: rows).lines(forTerminal: Output.isTerminal) { Output.line(line) }
        if suggestions.isEmpty && Output.isErrorTerminal { Output.note("Nothing would be offered.") }
    }

    static func json(_ suggestion: Suggestion) -> JSONText {
        .object([
            ("provider", .string(suggestion.provider)), ("service", .string(suggestion.service)),
            ("user", .string(suggestion.user)), ("recordIdentifier", .optional(suggestion.recordIdentifier)),
            ("type", .string(suggestion.type)), ("rank", .integer(Int64(suggestion.rank))),
        ])
    }
}
