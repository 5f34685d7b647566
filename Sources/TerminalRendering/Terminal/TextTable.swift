// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Rows for users (aligned columns) and for scripts (separated by tabs).
package struct TextTable {
    package var rows: [[String]]

    package init(rows: [[String]]) {
        self.rows = rows
    }

    package func lines(forTerminal: Bool) -> [String] {
        guard forTerminal else { return rows.map { $0.joined(separator: "\t") } }
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        return rows.map { row in
            row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }.joined(separator: "  ")
        }
    }
}
