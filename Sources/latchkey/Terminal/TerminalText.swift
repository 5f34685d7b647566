// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets

/// Makes text harmless to show: an item's text comes from web sites and files, and must not move the cursor, set the
/// title, turn the reading direction round or break a line in two.
enum TerminalText {
    /// The text with every control and direction character written out, as `\u{1B}`.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                result += name(of: scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The same for a secret, in locked memory throughout. Bytes that are no UTF-8 become U+FFFD.
    ///
    /// - Parameter keepsLines: leaves line feeds and tabs as they are, for notes.
    static func escaped(_ secret: SecretBytes, keepsLines: Bool = false) -> SecretBytes {
        secret.withUnsafeBytes { bytes in
            SecretBytes.written { sink in
                var decoder = UTF8()
                var iterator = bytes.makeIterator()
                decoding: while true {
                    switch decoder.decode(&iterator) {
                    case .emptyInput: break decoding
                    case .error: for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { sink(byte) }
                    case .scalarValue(let scalar):
                        if isUnsafe(scalar) && !(keepsLines && (scalar == "\n" || scalar == "\t")) {
                            for byte in name(of: scalar).utf8 { sink(byte) }
                        } else {
                            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { sink(byte) }
                        }
                    }
                }
            }
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // C0, DEL and C1 controls.
        case 0..<0x20, 0x7F...0x9F: true
        // Line and paragraph separators; marks, embeddings, overrides and isolates of direction; the byte order mark.
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF: true
        default: false
        }
    }
}
