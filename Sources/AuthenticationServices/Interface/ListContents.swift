// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import Foundation

/// The lines of a list, as far as a search finds them: rows, and sections without any.
struct ListContents {
    private struct Line {
        let section: Int
        let row: Int?
    }

    private let sections: [ListView.Section]
    /// What there is to search in, made with the first search.
    private var folded: [[String]]?
    private var lines: [Line] = []
    /// How many bytes of a message each line takes at most.
    private(set) var costs: [Int] = []

    init(_ sections: [ListView.Section]) {
        self.sections = sections
    }

    /// How many lines there are.
    var count: Int { lines.count }

    /// Keeps the rows in which each word of a text is found, whatever its case and accents; an empty text finds all.
    mutating func search(for text: String) {
        let words = text.folded.split(whereSeparator: \.isWhitespace).map(String.init)
        lines = []
        if words.isEmpty {
            for (index, section) in sections.enumerated() {
                if section.rows.isEmpty { lines.append(Line(section: index, row: nil)) }
                lines += section.rows.indices.map { Line(section: index, row: $0) }
            }
        } else {
            let folded = folded ?? sections.map { $0.rows.map { ($0.title + "\n" + $0.subtitle).folded } }
            self.folded = folded
            for (index, rows) in folded.enumerated() {
                lines += rows.indices.filter { row in words.allSatisfy { rows[row].contains($0) } }
                    .map { Line(section: index, row: $0) }
            }
        }
        costs = lines.map(cost)
    }

    /// Some of the lines, under the titles of their sections.
    func grouped(_ range: Range<Int>) -> [ListView.Section] {
        var grouped: [ListView.Section] = []
        var last: Int?
        for line in lines[range] {
            if line.section != last {
                grouped.append(.init(title: sections[line.section].title, rows: []))
                last = line.section
            }
            if let row = line.row { grouped[grouped.count - 1].rows.append(sections[line.section].rows[row]) }
        }
        return grouped
    }

    /// Every line may be the first of its section that is shown, and then brings its title along.
    private func cost(of line: Line) -> Int {
        let section = sections[line.section]
        let title = line.row.map { $0 == 0 } ?? true ? section.title.inInterface.wireSize : 0
        guard let row = line.row.map({ section.rows[$0] }) else { return title + InterfaceElement.overhead }
        // Twice: for the row, and for a section that begins with it.
        return title + row.title.inInterface.wireSize + row.subtitle.inInterface.wireSize
            + 2 * InterfaceElement.overhead
    }
}

extension String {
    /// The text without case, accents and widths.
    fileprivate var folded: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
