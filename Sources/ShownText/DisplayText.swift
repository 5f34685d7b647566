// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Text that may be shown where the user trusts what stands there: in questions, in lists, on a terminal.
///
/// It is made by cleaning alone (`TextCleaner`), or composed of such texts and the words of this program: one line, bounded,
/// without controls, without directional and invisible characters. It is for showing. What is filled, compared or saved
/// is the exact value, which stays elsewhere.
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// What is shown.
    public let text: String

    /// Stands for a text in which nothing can be seen.
    public static let unseen = "(no visible characters)"

    /// Cleans a text.
    ///
    /// - Parameters:
    ///   - limit: How much of it is shown.
    ///   - kept: Which end is shown of one that is longer.
    ///   - placeholder: What is shown for an empty text.
    public init(
        _ text: some StringProtocol, _ limit: TextCleaner.Limit = .name, keeping kept: TextCleaner.Kept = .beginning,
        placeholder: DisplayText = "(empty)"
    ) {
        guard !text.isEmpty else {
            self = placeholder
            return
        }
        let cleaned = TextCleaner.cleaned(text, limit, keeping: kept)
        self.text = cleaned.isEmpty ? Self.unseen : cleaned
    }

    private init(composed text: String) {
        self.text = text.onHeap
    }

    public var description: String { text }

    /// Several in one line.
    public static func joined(_ texts: [DisplayText], by separator: DisplayText) -> DisplayText {
        DisplayText(composed: texts.map { isolated($0.text) }.joined(separator: separator.text))
    }

    /// One after the other.
    public static func + (one: DisplayText, other: DisplayText) -> DisplayText {
        DisplayText(composed: one.text + other.text)
    }

    /// A part of a sentence: one that is read from right to left turns nothing but itself.
    private static func isolated(_ text: String) -> String {
        let turns = text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
            default: false
            }
        }
        return turns ? "\u{2068}\(text)\u{2069}" : text
    }
}

extension DisplayText: ExpressibleByStringInterpolation {
    /// The words of this program: what a source file holds, and no text that came from elsewhere.
    public init(stringLiteral value: StaticString) {
        self.init(composed: value.description)
    }

    public init(stringInterpolation: StringInterpolation) {
        self.init(composed: stringInterpolation.text)
    }

    /// Composes a text: the words between are this program's, everything else is cleaned.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = "".onHeap

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        public mutating func appendInterpolation(_ part: DisplayText) {
            text += isolated(part.text)
        }

        public mutating func appendInterpolation(_ part: some StringProtocol) {
            text += isolated(DisplayText(part).text)
        }

        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += String(number)
        }
    }
}

/// On a wire it is a string, and cleaned again by whoever reads it.
extension DisplayText: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self.init(text, .init(characters: 8_192, bytes: 32_768), placeholder: "")
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
