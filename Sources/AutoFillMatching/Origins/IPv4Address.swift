// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An IPv4 address, so that two spellings of one address are one host.
struct IPv4Address: Hashable, CustomStringConvertible {
    let value: UInt32

    init(value: UInt32) {
        self.value = value
    }

    /// The URL standard's IPv4 parser: one to four numbers, each decimal, octal (`0…`) or hexadecimal (`0x…`), the last of which
    /// fills what is left.
    init?(labels: [ArraySlice<UInt8>]) {
        guard (1...4).contains(labels.count) else { return nil }
        var numbers: [UInt64] = []
        for label in labels {
            guard let number = Self.number(label) else { return nil }
            numbers.append(number)
        }
        guard let last = numbers.popLast(), numbers.allSatisfy({ $0 <= 255 }), last < 1 << (8 * (4 - numbers.count))
        else { return nil }
        var value = last
        for (index, number) in numbers.enumerated() { value += number << (8 * (3 - index)) }
        self.value = UInt32(truncatingIfNeeded: value)
    }

    /// An address in its plain spelling, four decimal numbers, and in no other.
    init?(plain text: String) {
        var value: UInt32 = 0
        var parts = 0
        var number: UInt32?
        for byte in text.utf8 {
            if byte == UInt8(ascii: ".") {
                guard let done = number, parts < 3 else { return nil }
                value = value << 8 | done
                parts += 1
                number = nil
            } else {
                guard (0x30...0x39).contains(byte), number != 0 else { return nil }
                let next = (number ?? 0) * 10 + UInt32(byte - 0x30)
                guard next <= 255 else { return nil }
                number = next
            }
        }
        guard let last = number, parts == 3 else { return nil }
        self.value = value << 8 | last
    }

    /// Whether a host that ends in this label is to be an IPv4 address (the standard's "ends in a number checker").
    static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
        (!label.isEmpty && label.allSatisfy { (0x30...0x39).contains($0) })
            || (label.starts(with: [0x30, 0x78]) && number(label) != nil)
    }

    var description: String {
        "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)"
    }

    /// This machine, private networks (RFC 1918), link-local (RFC 3927), shared address space (RFC 6598), unspecified.
    var isLocal: Bool {
        func isIn(_ network: UInt32, _ length: UInt32) -> Bool { value >> (32 - length) == network >> (32 - length) }
        return isIn(0x7F00_0000, 8) || isIn(0x0A00_0000, 8) || isIn(0xAC10_0000, 12) || isIn(0xC0A8_0000, 16)
            || isIn(0xA9FE_0000, 16) || isIn(0x6440_0000, 10) || value == 0
    }

    /// A number of the standard's IPv4 number parser; nothing for what is none or is above every address.
    private static func number(_ label: ArraySlice<UInt8>) -> UInt64? {
        guard !label.isEmpty else { return nil }
        var digits = label
        var radix: UInt64 = 10
        if digits.starts(with: [0x30, 0x78]) || digits.starts(with: [0x30, 0x58]) {
            digits = digits.dropFirst(2)
            radix = 16
        } else if digits.count >= 2, digits.first == 0x30 {
            digits = digits.dropFirst()
            radix = 8
        }
        var number: UInt64 = 0
        for byte in digits {
            let digit: UInt64
            switch byte {
            case 0x30...0x39: digit = UInt64(byte - 0x30)
            case 0x61...0x66: digit = UInt64(byte - 0x61 + 10)
            case 0x41...0x46: digit = UInt64(byte - 0x41 + 10)
            default: return nil
            }
            guard digit < radix else { return nil }
            // Capped, so that a long one cannot overflow; it is not part of an address either way.
            number = min(number * radix + digit, 1 << 40)
        }
        return number
    }
}
