// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Which command somebody meant who has mistyped one.
enum CommandGuess {
    /// - Parameters:
    ///   - sentence: the parser's own, in which the word stands that it does not know: `Unexpected argument 'lst'`.
    ///   - help: the command of its help, which says below which command the word stood: `latchkey providers --help`.
    /// - Returns: the whole command, or nothing where none is alike.
    static func guess(for sentence: String, below help: String) -> String? {
        let parts = sentence.split(separator: "'", omittingEmptySubsequences: false)
        guard sentence.hasPrefix("Unexpected argument"), parts.count == 3 else { return nil }
        let path = help.split(separator: " ").map(String.init).filter { !$0.hasPrefix("-") }
        var command: any ParsableCommand.Type = Latchkey.self
        for name in path.dropFirst() {
            guard let next = subcommands(of: command).first(where: { $0._commandName == name }) else { return nil }
            command = next
        }
        let names = subcommands(of: command).filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        return nearest(to: String(parts[1]), among: names).map { (path + [$0]).joined(separator: " ") }
    }

    /// The most alike, if one letter in three is right at least.
    static func nearest(to word: String, among names: [String]) -> String? {
        let found = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        guard let found, found.distance <= max(1, word.count / 3) else { return nil }
        return found.name
    }

    /// How many letters are to be added, removed, exchanged or swapped with the next (Damerau and Levenshtein).
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        // Words are short; a long one is like none.
        guard one.count <= 32, other.count <= 32 else { return .max }
        var rows = [Array(0...other.count)]
        for (i, letter) in one.enumerated() {
            var row = [i + 1]
            for (j, wanted) in other.enumerated() {
                var best = min(rows[i][j] + (letter == wanted ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, letter == other[j - 1], one[i - 1] == wanted {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }

    private static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let configuration = command.configuration
        return configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }
}
