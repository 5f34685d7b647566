// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Text of others for a terminal, complete: what must not reach it is written out, as `\u{1B}`.
///
/// It is for values that the user wants exactly; a question takes `DisplayText`.
public enum EscapedText {
    /// The text with every control, directional and invisible character written out.
    ///
    /// - Parameter keepsLines: leaves line feeds and tabs as they are.
    public static func escaped(_ text: String, keepsLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar), !(keepsLines && (scalar == "\n" || scalar == "\t")) {
                result += name(of: scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// How an unsafe scalar is written out.
    public static func name(of scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    /// Whether a scalar must not reach a terminal as it is.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch ShownScalar(scalar) {
        case .control: true
        // Joiners and selectors belong to what people write in many scripts, and move nothing.
        case .invisible: !(scalar.value == 0x200C || scalar.value == 0x200D || (0xFE00...0xFE0F).contains(scalar.value))
        case .plain, .space, .unknown: false
        }
    }
}
