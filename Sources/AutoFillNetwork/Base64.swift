// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648, section 4), for the one header that needs it; Foundation stays out of this room.
enum Base64 {
    static func encoded(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            var letters: [UInt8] = []
            for _ in 0..<4 {
                letters.insert(alphabet[Int(word & 63)], at: 0)
                word >>= 6
            }
            text += letters[...part.count] + [UInt8](repeating: UInt8(ascii: "="), count: 3 - part.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a percent-encoded text; `nil` where an escape is none.
    static func unescaped(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
