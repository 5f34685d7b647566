// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AutoFillIPC
import TerminalRendering

/// `latchkey duplicates`
struct DuplicatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates", abstract: "List accounts of one user that are saved for the same site.",
        discussion: """
            Each group is one account to you, and several to Latchkey: the same user name, and a site in common. The one that was \
            changed last comes first. `latchkey remove ID` removes one; it can be brought back for 30 days.
            """)

    @Flag(help: "Print an array of the groups as JSON, each an array as of `list`.") var json = false

    func run() async throws {
        let daemon = try await DaemonConnection.open()
        let (items, damage) = try await ItemListing.all(daemon, search: nil, removed: false)
        let groups = Self.groups(items)
        if json {
            Output.json(.array(groups.map { .array($0.map(ItemListing.json)) }))
        } else {
            for (index, group) in groups.enumerated() {
                if index > 0 { Output.line("") }
                for line in ItemListing.lines(group, forTerminal: Output.isTerminal) { Output.line(line) }
            }
        }
        if let damage { throw damage }
        if !json, groups.isEmpty, Output.isErrorTerminal { Output.note("No account is saved twice.") }
    }

    /// Items with the same user and a service in common, or with the same user and title where they are for no service.
    static func groups(_ items: [Item]) -> [[Item]] {
        var groups: [[Item]] = []
        var place: [[String]: Int] = [:]
        // Notes of one title are two notes.
        for item in items where item.hasPassword != false {
            let names = item.services.isEmpty ? ["", item.title ?? ""] : item.services.map { $0.lowercased() }
            let keys = item.services.isEmpty ? [[item.user] + names] : names.map { [item.user, $0] }
            // An item may join groups that had nothing in common before it.
            let found = Set(keys.compactMap { place[$0] }).sorted()
            let target = found.first ?? groups.count
            if found.isEmpty { groups.append([]) }
            groups[target].append(item)
            for other in found.dropFirst() {
                groups[target] += groups[other]
                groups[other] = []
                for (key, index) in place where index == other { place[key] = target }
            }
            for key in keys { place[key] = target }
        }
        return groups.filter { $0.count > 1 }.map { $0.sorted { ($1.modified, $0.id) < ($0.modified, $1.id) } }
    }
}
