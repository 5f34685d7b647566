// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets

/// Reads comma-separated values (RFC 4180), or those with semicolons or tabs between them, row by row, every field in locked memory.
///
/// Written here rather than taken from a library because a library gives `String`s, and because in a password everything
/// counts: spaces at either end stay, only CR LF, LF and CR end a row, and a quotation mark that is never closed is an error
/// instead of a last field. A quotation mark inside a field without them stands for itself. Empty lines at the beginning are passed over.
struct CSVReader {
    /// Why a file is not CSV. Says where, never what stands there.
    struct Failure: Error, Equatable {
        let reason: String
        let line: Int
    }

    /// A row and the line of the file that it begins on, counted from 1.
    struct Row {
        let line: Int
        let fields: [SecretBytes]

        /// A line with nothing on it.
        var isBlank: Bool { fields.count == 1 && fields[0].count == 0 }
    }

    /// How a quotation mark stands inside a field between quotation marks.
    enum Quotes {
        /// Twice, as RFC 4180 has it.
        case doubled
        /// Behind a backslash.
        case escaped
    }

    private let bytes: SecretBytes
    private let quotes: Quotes
    /// Whether a backslash stands for itself behind another one: where none stands alone, the program wrote each of them twice.
    private let hasDoubledBackslashes: Bool
    /// What stands between two fields.
    private let separator: UInt8
    private var index = 0
    private var line = 1

    /// A file's bytes; a byte order mark at their beginning is passed over.
    init(_ bytes: SecretBytes, quotes: Quotes = .doubled) {
        self.bytes = bytes
        self.quotes = quotes
        let hasMark = bytes.withUnsafeBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) }
        hasDoubledBackslashes = quotes == .escaped && Self.hasNoLoneBackslash(bytes)
        var (start, blank) = (hasMark ? 3 : 0, 0)
        bytes.withUnsafeBytes { bytes in
            while let end = Self.lineEnd(bytes[min(start, bytes.count)...]) {
                start += end
                blank += 1
            }
        }
        (index, line) = (start, 1 + blank)
        separator = Self.separator(bytes, from: start)
    }

    /// How many bytes of a line end stand at a place; `nil` for none.
    private static func lineEnd(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        if bytes.starts(with: [0x0D, 0x0A]) { return 2 }
        return bytes.first == 0x0D || bytes.first == 0x0A ? 1 : nil
    }

    /// Whether a backslash never stands before anything but a quotation mark or another backslash.
    private static func hasNoLoneBackslash(_ bytes: SecretBytes) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "\\") else {
                    index += 1
                    continue
                }
                guard index + 1 < bytes.count, [UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(bytes[index + 1])
                else {
                    return false
                }
                index += 2
            }
            return true
        }
    }

    /// The separator of the first line: the one that stands there most often, outside quotation marks; a comma where none does.
    private static func separator(_ bytes: SecretBytes, from start: Int) -> UInt8 {
        let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        var counts = [0, 0, 0]
        bytes.withUnsafeBytes { bytes in
            var isQuoted = false
            for byte in bytes[start...] {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if isQuoted { continue }
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
                if let place = separators.firstIndex(of: byte) { counts[place] += 1 }
            }
        }
        let most = counts.max() ?? 0
        return separators[counts.firstIndex(of: most) ?? 0]
    }

    /// The next row, or nothing at the end.
    mutating func next() throws(Failure) -> Row? {
        guard index < bytes.count else { return nil }
        let start = line
        var fields: [SecretBytes] = []
        while true {
            let (field, isLast) = try nextField()
            fields.append(field)
            if isLast { return Row(line: start, fields: fields) }
        }
    }

    private mutating func nextField() throws(Failure) -> (SecretBytes, isLast: Bool) {
        let isQuoted = index < bytes.count && byte(index) == UInt8(ascii: "\"")
        let (start, end) = isQuoted ? try quotedRange() : plainRange()
        let field = bytes.withUnsafeBytes { bytes in
            let range = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            return isQuoted ? unquoted(range) : SecretBytes(copying: range)
        }
        guard index < bytes.count else { return (field, true) }
        switch byte(index) {
        case separator:
            index += 1
            // A separator at the very end of the file has one more, empty field behind it.
            return (field, false)
        case UInt8(ascii: "\r"):
            index += 1
            if index < bytes.count, byte(index) == UInt8(ascii: "\n") { index += 1 }
            line += 1
            return (field, true)
        case UInt8(ascii: "\n"):
            index += 1
            line += 1
            return (field, true)
        default:
            throw Failure(reason: "something follows a closing quotation mark", line: line)
        }
    }

    private mutating func plainRange() -> (Int, Int) {
        let start = index
        while index < bytes.count {
            switch byte(index) {
            case separator, UInt8(ascii: "\r"), UInt8(ascii: "\n"): return (start, index)
            default: index += 1
            }
        }
        return (start, index)
    }

    private mutating func quotedRange() throws(Failure) -> (Int, Int) {
        let opened = line
        index += 1
        let start = index
        while index < bytes.count {
            let current = byte(index)
            if quotes == .escaped, current == UInt8(ascii: "\\"), index + 1 < bytes.count,
                [UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(byte(index + 1))
            {
                index += 1
            } else if current == UInt8(ascii: "\"") {
                let isDoubled = index + 1 < bytes.count && byte(index + 1) == UInt8(ascii: "\"")
                guard isDoubled else {
                    index += 1
                    return (start, index - 1)
                }
                index += 1
            } else if current == UInt8(ascii: "\n") {
                line += 1
            } else if current == UInt8(ascii: "\r") {
                let isPair = index + 1 < bytes.count && byte(index + 1) == UInt8(ascii: "\n")
                if !isPair { line += 1 }
            }
            index += 1
        }
        throw Failure(reason: "a quotation mark is never closed", line: opened)
    }

    private func byte(_ index: Int) -> UInt8 {
        bytes.withUnsafeBytes { $0[index] }
    }

    /// The value of a quoted field, with its escaped quotation marks resolved.
    private func unquoted(_ range: UnsafeRawBufferPointer) -> SecretBytes {
        let (mark, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        return SecretBytes.written { sink in
            var index = 0
            while index < range.count {
                let next = index + 1 < range.count ? range[index + 1] : nil
                if quotes == .escaped, range[index] == backslash, next == mark || next == backslash {
                    if next == backslash, !hasDoubledBackslashes { sink(backslash) }
                    sink(range[index + 1])
                    index += 2
                } else {
                    sink(range[index])
                    // Every quotation mark that no backslash stands before is the first of two.
                    index += range[index] == mark ? 2 : 1
                }
            }
        }
    }
}
