// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CCommonWords

/// The words that people choose passwords from: 93,855 lines `word rank`, sorted, read where they are.
///
/// A walk goes down letter by letter and keeps the lines that begin with what was read so far.
struct CommonWords {
    private static var lines: UnsafeRawBufferPointer {
        var size = 0
        let start = latchkey_common_words(&size)
        return UnsafeRawBufferPointer(start: start, count: size)
    }

    /// Where the lines begin that start with each byte; one more for the end.
    private static let firstBytes: [Int] = {
        let bytes = lines
        var starts = [Int](repeating: bytes.count, count: 257)
        var line = bytes.count
        // From the end, so that the first line of each byte remains.
        var index = bytes.count - 1
        while index >= 0 {
            if index == 0 || bytes[index - 1] == newLine {
                line = index
                starts[Int(bytes[index])] = line
            }
            index -= 1
        }
        for byte in stride(from: 255, through: 0, by: -1) { starts[byte] = min(starts[byte], starts[byte + 1]) }
        return starts
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
            if bytes[low + length] == space { body(length, number(in: bytes, at: low + length + 1)) }
            guard start + length < text.count else { return }
            let next = text[start + length]
            (low, high) = (
                firstLine(in: bytes, low, high, length, notBelow: UInt16(next)),
                firstLine(in: bytes, low, high, length, notBelow: UInt16(next) + 1)
            )
            length += 1
        }
    }

    /// The first line of a range whose byte at a place is not below another; the lines' bytes there rise.
    private static func firstLine(
        in bytes: UnsafeRawBufferPointer, _ low: Int, _ high: Int, _ place: Int, notBelow byte: UInt16
    ) -> Int {
        var (low, high) = (low, high)
        while low < high {
            var line = low + (high - low) / 2
            while line > low, bytes[line - 1] != newLine { line -= 1 }
            if UInt16(bytes[line + place]) < byte {
                // The line after it.
                repeat { line += 1 } while line < high && bytes[line - 1] != newLine
                low = line
            } else {
                high = line
            }
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
