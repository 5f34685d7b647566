// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What happened lately, in lines as `swcd` writes them; the oldest go when there are too many.
public struct AssociationLog: Sendable, Hashable {
    /// What happened at one moment.
    public struct Line: Sendable, Hashable {
        /// Counts up for ever; a reader that follows asks for what is above the last it has seen.
        public let number: Int
        /// In seconds since 1970.
        public let time: Int64
        public let text: String
    }

    static let lineLimit = 500
    static let byteLimit = 1_000

    public private(set) var lines: [Line] = []

    init(lines: [Line] = []) {
        self.lines = lines.suffix(Self.lineLimit)
    }

    /// Adds a line; controls in it are written out, and what is too long is cut.
    mutating func add(_ text: String, at time: Int64) {
        lines.append(Line(number: (lines.last?.number ?? 0) + 1, time: time, text: Self.line(text)))
        if lines.count > Self.lineLimit { lines.removeFirst(lines.count - Self.lineLimit) }
    }

    private static func line(_ text: String) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            let piece = scalar.properties.generalCategory == .control ? "?" : String(scalar)
            count += piece.utf8.count
            guard count <= byteLimit else { return line + "…" }
            line += piece
        }
        return line
    }
}
