// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillSecrets

/// The characters of a shown password: how each is coloured, and how a screen reader spells it.
package enum PasswordCharacter {
    /// What is told apart by colour.
    package enum Kind: Sendable {
        case letter, digit, other
    }

    package static func kind(of character: Character) -> Kind {
        if character.isASCII, character.isNumber { return .digit }
        return character.isLetter ? .letter : .other
    }

    /// A word for one character, which says capital letters and signs as words.
    package static func spoken(_ character: Character) -> String {
        if let name = names[character] { return name }
        if character.isUppercase { return "capital \(character)" }
        return String(character)
    }

    /// All characters as one text, for the accessibility bus. Only made when the user asks for it.
    package static func spelled(_ secret: SecretBytes) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.map(spoken).joined(separator: ", ")
    }

    private static let names: [Character: String] = [
        " ": "space", "!": "exclamation mark", "\"": "quotation mark", "#": "number sign", "$": "dollar sign",
        "%": "percent sign", "&": "ampersand", "'": "apostrophe", "(": "left parenthesis", ")": "right parenthesis",
        "*": "asterisk", "+": "plus sign", ",": "comma", "-": "hyphen", ".": "full stop", "/": "slash", ":": "colon",
        ";": "semicolon", "<": "less than", "=": "equals sign", ">": "greater than", "?": "question mark",
        "@": "at sign", "[": "left bracket", "\\": "backslash", "]": "right bracket", "^": "circumflex",
        "_": "underscore", "`": "grave accent", "{": "left brace", "|": "vertical bar", "}": "right brace",
        "~": "tilde",
    ]
}
