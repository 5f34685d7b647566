// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Base64url without padding (RFC 4648, section 5; RFC 7515, section 2), in its one canonical form.
enum Base64URL {
    /// Returns `nil` for any other character, for padding, and if the last character has bits that belong to no byte: then several texts would
    /// stand for the same bytes.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.allSatisfy(isDigit) else { return nil }
        var plain = String(decoding: text, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        plain += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let bytes = Data(base64Encoded: plain), encode(bytes).utf8.elementsEqual(text) else { return nil }
        return Array(bytes)
    }

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
