// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Base64 as it stands in XML: with white space anywhere.
enum Base64Text {
    /// The bytes; `nil` for what is not base64, or not padded.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (group, count, padding): (UInt32, Int, Int) = (0, 0, 0)
        for character in text {
            let value: UInt32
            switch character {
            case 0x41...0x5A: value = UInt32(character) - 0x41
            case 0x61...0x7A: value = UInt32(character) - 0x61 + 26
            case 0x30...0x39: value = UInt32(character) - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x3D:
                padding += 1
                value = 0
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return nil
            }
            // Nothing follows padding.
            guard padding == 0 || character == 0x3D, padding <= 2 else { return nil }
            group = group << 6 | value
            count += 1
            guard count % 4 == 0 else { continue }
            let whole = [UInt8(group >> 16 & 0xFF), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)]
            bytes += whole.dropLast(padding)
            group = 0
        }
        return count % 4 == 0 ? bytes : nil
    }
}
