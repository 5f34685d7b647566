// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What nobody wants to read in a password that was made for them.
enum Offence {
    private static let words = [
        "anus", "arse", "bich", "bitch", "bobs", "bum", "butt", "cock", "coc", "cum", "cunt", "dick", "dic", "dyke",
        "fag", "fuc",
        "fuk", "gay", "god", "hitler", "homo", "jew", "jiz", "kik", "kkk", "nazi", "neger", "nig", "pedo", "penis",
        "pis", "porn",
        "pus", "rape", "rapist", "sex", "shit", "slut", "suc", "tit", "tranny", "vag", "viagra", "wank", "wog", "xxx",
    ]

    /// A word in the lower bytes of a number, and which bytes these are.
    private struct Pattern: Sendable {
        var letters: UInt64 = 0
        var mask: UInt64 = 0

        init(_ word: String) {
            for (index, byte) in word.utf8.enumerated() {
                letters |= UInt64(byte) << UInt64(8 * index)
                mask |= 0xFF << UInt64(8 * index)
            }
        }
    }

    /// By their first letter; each has at most eight.
    private static let patterns = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { letter in
        words.filter { $0.utf8.first == letter }.map(Pattern.init)
    }

    /// Whether one of them stands in a text of ASCII, hyphens and the case of letters aside.
    static func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // From the end, so that what follows a letter is there already, the letter lowest.
        var following: UInt64 = 0
        for byte in text.reversed() where byte != 0x2D {
            let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            following = following << 8 | UInt64(letter)
            guard (0x61...0x7A).contains(letter) else { continue }
            for pattern in patterns[Int(letter - 0x61)] where following & pattern.mask == pattern.letters {
                return true
            }
        }
        return false
    }
}
