// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Estimates how many columns text takes on a terminal. Terminals differ; an error costs a column, not safety.
package enum TerminalWidth {
    package static func of(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// The beginning of the text that fits; a final `~` marks that it was cut.
    package static func clipped(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var result = ""
        var used = 1
        for character in text {
            let width = of(String(character))
            guard used + width <= columns else { break }
            used += width
            result.append(character)
        }
        return columns > 0 ? result + "~" : ""
    }

    /// Wraps text to lines of at most the given number of columns, between words if possible.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = String(word)
            let joined = line.isEmpty ? word : line + " " + word
            if of(joined) <= columns {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while of(word) > columns {
                var head = ""
                while let next = word.first, of(head + String(next)) <= columns || head.isEmpty {
                    head.append(next)
                    word.removeFirst()
                }
                lines.append(head)
            }
            line = word
        }
        lines.append(line)
        return lines
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        // East Asian wide and full-width characters, and emoji.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
