// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CCommonWords

/// The words that people choose passwords from: 93,855 of them with their ranks, sorted, read where they are.
///
/// A walk goes down letter by letter and keeps the words that begin with what was read so far.
struct CommonWords {
    private static var entries: UnsafeBufferPointer<UInt8> {
        var size = 0
        let start = latchkey_common_words(&size)
        return UnsafeBufferPointer(start: start, count: size)
    }

    /// Where each entry begins: 375 kB, made once, so that halving a range of entries takes one step.
    private static let starts = [UInt32](unsafeUninitializedCapacity: 100_000) { starts, count in
        count = latchkey_common_word_starts(starts.baseAddress, starts.count)
    }

    /// Which entries start with each byte: from the one under it to the one under the next.
    private static let firstBytes: [Int] = {
        let bytes = entries
        return (0...256).map { firstEntry(in: bytes, 0, starts.count, 0, notBelow: UInt16($0)) }
    }()

    /// Calls with the length and the rank of each word that a text begins with at a place.
    static func forEach(in text: [UInt8], from start: Int, _ body: (_ length: Int, _ rank: Int) -> Void) {
        guard start < text.count else { return }
        let bytes = entries
        var (low, high) = (firstBytes[Int(text[start])], firstBytes[Int(text[start]) + 1])
        var length = 1
        while low < high {
            // The word that is just what was read is the first of those that begin with it.
            let end = Int(starts[low]) + length
            if bytes[end] >= 128 { body(length, Int(bytes[end] & 127) << 8 | Int(bytes[end + 1])) }
            guard start + length < text.count else { return }
            let next = UInt16(text[start + length])
            low = firstEntry(in: bytes, low, high, length, notBelow: next)
            high = firstEntry(in: bytes, low, high, length, notBelow: next + 1)
            length += 1
        }
    }

    /// The first entry of a range whose byte at a place is not below another; the entries' bytes there rise. That of a rank is
    /// above all letters, but the word that ends there comes before those that go on, so it counts as 0.
    private static func firstEntry(
        in bytes: UnsafeBufferPointer<UInt8>, _ low: Int, _ high: Int, _ place: Int, notBelow byte: UInt16
    ) -> Int {
        var (low, high) = (low, high)
        while low < high {
            let entry = low + (high - low) / 2
            let here = bytes[Int(starts[entry]) + place]
            if here >= 128 || UInt16(here) < byte { low = entry + 1 } else { high = entry }
        }
        return low
    }
}

/// The common words, and those that an attacker knows of the account.
struct KnownWords {
    private let own: [(word: [UInt8], rank: Int)]

    /// - Parameter words: The first is tried first.
    init(_ words: [String] = []) {
        own = words.enumerated().map { (Array($0.element.lowercased().utf8), $0.offset + 1) }.filter {
            !$0.word.isEmpty
        }
    }

    func forEach(in text: [UInt8], from start: Int, _ body: (_ length: Int, _ rank: Int) -> Void) {
        CommonWords.forEach(in: text, from: start, body)
        for (word, rank) in own where text[start...].starts(with: word) { body(word.count, rank) }
    }
}
