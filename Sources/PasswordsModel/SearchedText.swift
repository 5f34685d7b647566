// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Texts in one form for searching, so that each letter typed costs one pass over bytes.
struct SearchedText: Sendable, Equatable {
    private let bytes: [UInt8]

    init(_ texts: [String]) {
        // A line end is in no word that is searched for, so no match runs from one text into the next.
        bytes = Array(texts.joined(separator: "\n").lowercased().utf8)
    }

    /// The words of a search; an account is found if it has all of them.
    static func words(_ search: String) -> [[UInt8]] {
        search.lowercased().split(whereSeparator: \.isWhitespace).map { Array(AccountRow.host($0).utf8) }
    }

    static func < (one: SearchedText, other: SearchedText) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }

    func contains(_ words: [[UInt8]]) -> Bool {
        bytes.withUnsafeBytes { whole in words.allSatisfy { Self.holds(whole, $0) } }
    }

    private static func holds(_ whole: UnsafeRawBufferPointer, _ word: [UInt8]) -> Bool {
        guard let first = word.first, let base = whole.baseAddress else { return word.isEmpty }
        var start = 0
        while start + word.count <= whole.count,
            let found = memchr(base + start, Int32(first), whole.count - word.count - start + 1)
        {
            if memcmp(found, word, word.count) == 0 { return true }
            start = UnsafeRawPointer(found) - base + 1
        }
        return false
    }
}
