// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// Makes identifiers of items: 128 random bits as 26 characters of Crockford's base 32 in lower case.
enum ItemIdentifier {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The first two characters that there can be.
    static var starts: [String] {
        alphabet.flatMap { first in alphabet.map { String(decoding: [first, $0], as: UTF8.self) } }
    }

    static func random() -> String {
        let bytes = SecretBytes.random(count: 16).withUnsafeBytes { Array($0) }
        var text: [UInt8] = []
        var bits = 0
        var pending = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFF
            pending += 8
            while pending >= 5 {
                pending -= 5
                text.append(alphabet[bits >> pending & 31])
            }
        }
        text.append(alphabet[bits << (5 - pending) & 31])
        return String(decoding: text, as: UTF8.self)
    }
}
