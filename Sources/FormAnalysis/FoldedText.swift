// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Text reduced to what words are compared by: letters and digits, without case and accents, in tokens.
///
/// A token starts after anything that is not a letter or digit, at a hump of camelCase, between letters and digits, and
/// where the script changes to or from Latin. Foundation's folding is not used, so that this library needs nothing.
struct FoldedText {
    /// Set in the unit that starts a token.
    static let tokenStart: UInt32 = 1 << 31

    private enum Kind {
        case separator, lower, upper, digit, otherScript
    }

    /// The folded scalars; separators are gone, so that `user_name`, `userName` and `User name` differ in token
    /// starts alone.
    private(set) var units: [UInt32] = []
    private var last = Kind.separator

    init() {
        units.reserveCapacity(256)
    }

    /// Replaces the contents; reads at most `limit` scalars, whatever the text's length.
    mutating func load(_ text: String, limit: Int) {
        units.removeAll(keepingCapacity: true)
        last = .separator
        var remaining = limit
        for scalar in text.unicodeScalars {
            if remaining == 0 { break }
            remaining -= 1
            append(scalar.value)
        }
    }

    /// Whether a token starts at `position` or the text ends there.
    func isBoundary(_ position: Int) -> Bool {
        position >= units.count || units[position] & Self.tokenStart != 0
    }

    private mutating func append(_ original: UInt32) {
        // Full-width forms of ASCII, which East Asian pages mix with plain ones.
        let value = (0xFF01...0xFF5E).contains(original) ? original - 0xFEE0 : original
        switch value {
        case 0x61...0x7A: push(value, .lower)
        case 0x41...0x5A: push(value + 32, .upper)
        case 0x30...0x39: push(value, .digit)
        case ..<0x80: last = .separator
        // Combining marks, soft hyphen, zero-width characters and Arabic vowels leave no trace.
        case 0x300...0x36F, 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF, 0x640, 0x64B...0x652: break
        case 0x80...0xBF, 0xD7, 0xF7, 0x2B9...0x2BF, 0x2000...0x2BFF, 0x3000...0x3004, 0x3006...0x3030, 0xFE10...0xFE6F,
            0xFF5F...0xFF65, 0x60C, 0x61B, 0x61F, 0x30FB, 0x1F000...0x1FAFF:
            last = .separator
        case 0xDF:
            push(UInt32(UInt8(ascii: "s")), .lower)
            push(UInt32(UInt8(ascii: "s")), .lower)
        case 0xC6, 0xE6:
            push(UInt32(UInt8(ascii: "a")), .lower)
            push(UInt32(UInt8(ascii: "e")), .lower)
        default:
            if let letter = LatinFolding.baseLetter(of: value) {
                push(UInt32(letter), (0xC0...0xDE).contains(value) ? .upper : .lower)
            } else {
                push(Self.foldedOtherScript(value), .otherScript)
            }
        }
    }

    private mutating func push(_ unit: UInt32, _ kind: Kind) {
        var starts = false
        switch (last, kind) {
        case (.separator, _), (.lower, .upper), (.digit, .lower), (.digit, .upper), (.lower, .digit), (.upper, .digit),
            (.otherScript, .lower), (.otherScript, .upper), (.otherScript, .digit), (.lower, .otherScript),
            (.upper, .otherScript), (.digit, .otherScript):
            starts = true
        case (.upper, .lower):
            // `OTPCode`: the hump is the capital before the small letter.
            units[units.count - 1] |= Self.tokenStart
        default:
            break
        }
        units.append(starts ? unit | Self.tokenStart : unit)
        last = kind
    }

    private static func greekWithoutAccent(_ value: UInt32) -> UInt32 {
        switch value {
        case 0x386, 0x3AC: 0x3B1
        case 0x388, 0x3AD: 0x3B5
        case 0x389, 0x3AE: 0x3B7
        case 0x38A, 0x390, 0x3AA, 0x3AF, 0x3CA: 0x3B9
        case 0x38C, 0x3CC: 0x3BF
        case 0x38E, 0x3AB, 0x3B0, 0x3CB, 0x3CD: 0x3C5
        case 0x38F, 0x3CE: 0x3C9
        default: value
        }
    }

    private static func foldedOtherScript(_ value: UInt32) -> UInt32 {
        switch value {
        case 0x391...0x3A9: value + 32  // Greek capitals
        case 0x3C2: 0x3C3  // final sigma
        case 0x370...0x3FF: greekWithoutAccent(value)
        case 0x410...0x42F: foldedOtherScript(value + 32)  // Cyrillic capitals
        case 0x400...0x40F: foldedOtherScript(value + 80)
        case 0x451: 0x435  // ё
        case 0x439: 0x438  // й, whose other spelling is и and a combining mark
        case 0x622, 0x623, 0x625, 0x671: 0x627  // forms of alef
        case 0x460...0x481, 0x48A...0x4BF, 0x4D0...0x52F: value | 1  // Cyrillic of other languages, in pairs
        case 0x531...0x556: value + 48  // Armenian capitals
        case 0x1C90...0x1CBF: value - 0xBC0  // Georgian capitals
        case 0x18F: 0x259  // ə
        case 0x649, 0x6CC: 0x64A  // forms of yeh
        case 0x629: 0x647  // teh marbuta
        case 0x6A9: 0x643  // keheh
        default: value
        }
    }
}
