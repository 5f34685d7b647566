// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CCommonWords
internal import Glibc

/// The words that people choose passwords from: 93,855 lines `word rank`, sorted, read where they are.
///
/// A walk goes down letter by letter and keeps the lines that begin with what was read so far.
struct CommonWords {
    private static var lines: UnsafeRawBufferPointer {
        var size = 0
        let start = latchkey_common_words(&size)
        return UnsafeRawBufferPointer(start: start, count: size)
    }

    /// Where each line begins: 375 kB, made once, so that halving a range of lines takes one step.
    private static let starts: [UInt32] = {
        guard let first = lines.baseAddress else { return [] }
        var found: [UInt32] = []
        found.reserveCapacity(100_000)
        var start = 0
        while start < lines.count {
            found.append(UInt32(start))
            // By the C library: a million steps of ours take a tenth of a second in a build for debugging.
            guard let end = memchr(first + start, Int32(newLine), lines.count - start) else { break }
            start = UnsafeRawPointer(end) - first + 1
        }
        return found
    }()

    /// Which lines start with each byte: from the one under it to the one under the next.
    private static let firstBytes: [Int] = {
        let bytes = lines
        return (0...256).map { firstLine(in: bytes, 0, starts.count, 0, notBelow: UInt16($0)) }
    }()

    private static let newLine = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")

    /// Calls with the length and the rank of each word that a text begins with at a place.
    static func forEach(in text: [UInt8], from start: Int, _ body: (_ length: Int, _ rank: Int) -> Void) {
        guard start < text.count else { return }
        let bytes = lines
        var (low, high) = (firstBytes[Int(text[start])], firstBytes[Int(text[start]) + 1])
        var length = 1
        while low < high {
            // The word that is just what was read is the first of those that begin with it.
            let end = Int(starts[low]) + length
            if bytes[end] == space { body(length, number(in: bytes, at: end + 1)) }
            guard start + length < text.count else { return }
            let next = UInt16(text[start + length])
            low = firstLine(in: bytes, low, high, length, notBelow: next)
            high = firstLine(in: bytes, low, high, length, notBelow: next + 1)
            length += 1
        }
    }

    /// The first line of a range whose byte at a place is not below another; the lines' bytes there rise.
    private static func firstLine(
        in bytes: UnsafeRawBufferPointer, _ low: Int, _ high: Int, _ place: Int, notBelow byte: UInt16
    ) -> Int {
        var (low, high) = (low, high)
        while low < high {
            let line = low + (high - low) / 2
            if UInt16(bytes[Int(starts[line]) + place]) < byte { low = line + 1 } else { high = line }
        }
        return low
    }

    private static func number(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        var (index, number) = (start, 0)
        while bytes[index] != newLine {
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return number
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
