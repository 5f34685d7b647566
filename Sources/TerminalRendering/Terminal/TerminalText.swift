// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets
internal import ShownText

/// Escapes text for display.
///
/// An item's text comes from web sites and files. It must not move the cursor, set the title, reverse the reading
/// direction or break a line.
package enum TerminalText {
    /// The text with every control, directional and invisible character escaped, such as `\u{1B}`.
    package static func escaped(_ text: String) -> String {
        EscapedText.escaped(text)
    }

    /// The escaped text, with line feeds and tabs unchanged.
    package static func escapedLines(_ text: String) -> String {
        EscapedText.escaped(text, keepsLines: true)
    }

    /// Escapes a secret, in locked memory throughout. Bytes that are not valid UTF-8 become U+FFFD.
    ///
    /// - Parameter keepsLines: Whether to leave line feeds and tabs unchanged, for notes.
    package static func escaped(_ secret: SecretBytes, keepsLines: Bool = false) -> SecretBytes {
        secret.withUnsafeBytes { bytes in
            SecretBytes.written { sink in
                var decoder = UTF8()
                var iterator = bytes.makeIterator()
                decoding: while true {
                    switch decoder.decode(&iterator) {
                    case .emptyInput: break decoding
                    case .error: for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { sink(byte) }
                    case .scalarValue(let scalar):
                        if EscapedText.isUnsafe(scalar) && !(keepsLines && (scalar == "\n" || scalar == "\t")) {
                            for byte in EscapedText.name(of: scalar).utf8 { sink(byte) }
                        } else {
                            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { sink(byte) }
                        }
                    }
                }
            }
        }
    }
}
