// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One line of a list: a hash (or the rest of one) in hexadecimal, a colon, and how often it was seen.
struct BreachLine {
    /// Longer than any line: 40 digits, a colon, 20 digits and a line end.
    static let maximumSize = 64

    /// The digits' values, 0 to 15.
    let digits: [UInt8]
    let count: Int

    /// Reads a line without its line feed; nothing where it is of another layout.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
        var bytes = bytes[...]
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var digits: [UInt8] = []
        for byte in bytes[..<colon] {
            guard let value = Self.value(ofDigit: byte) else { return nil }
            digits.append(value)
        }
        let number = bytes[bytes.index(after: colon)...]
        guard !digits.isEmpty, (1...18).contains(number.count),
            number.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.digits = digits
        count = number.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The digits of bytes.
    static func digits(of bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { [$0 >> 4, $0 & 15] }
    }

    private static func value(ofDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
