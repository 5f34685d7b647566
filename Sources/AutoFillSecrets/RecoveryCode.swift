// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a person writes down to get back in without the passphrase: 170 random bits and a check character.
///
/// Printed as seven groups of five characters of Crockford's base 32, joined by hyphens. The last character checks the
/// others: it finds every single mistyped character and every two neighbours that changed places.
public struct RecoveryCode: Sendable, Equatable {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let symbolCount = 34
    private static let groupSize = 5

    /// The 35 characters without hyphens, in upper case.
    let characters: SecretBytes

    /// A new random code.
    public static func random() -> RecoveryCode {
        let symbols = SecretBytes.random(count: symbolCount)
        let characters = SecretBytes(count: symbolCount + 1)
        symbols.withUnsafeMutableBytes { symbols in
            // 32 divides 256, so the low five bits are uniform.
            for index in symbols.indices { symbols[index] &= 31 }
            characters.withUnsafeMutableBytes { characters in
                for index in symbols.indices { characters[index] = alphabet[Int(symbols[index])] }
                characters[symbolCount] = alphabet[Int(check(UnsafeRawBufferPointer(symbols)))]
            }
        }
        return RecoveryCode(characters: characters)
    }

    private init(characters: SecretBytes) {
        self.characters = characters
    }

    /// Reads a code as people write it: in either case, with or without spaces and hyphens, O for 0, I and L for 1.
    ///
    /// - Throws: `SecretsError` with `malformedRecoveryCode` when it is none.
    public init(parsing text: SecretBytes) throws {
        let characters = SecretBytes(count: Self.symbolCount + 1)
        let symbols = SecretBytes(count: Self.symbolCount + 1)
        try text.withUnsafeBytes { text in
            try characters.withUnsafeMutableBytes { characters in
                try symbols.withUnsafeMutableBytes { symbols in
                    var length = 0
                    for byte in text where !Self.isSeparator(byte) {
                        guard let symbol = Self.symbol(byte) else {
                            throw SecretsError(.malformedRecoveryCode, "a recovery code has no such character")
                        }
                        guard length < symbols.count else {
                            throw SecretsError(.malformedRecoveryCode, "the recovery code is too long")
                        }
                        symbols[length] = symbol
                        characters[length] = Self.alphabet[Int(symbol)]
                        length += 1
                    }
                    guard length == symbols.count else {
                        throw SecretsError(.malformedRecoveryCode, "the recovery code is too short")
                    }
                    let body = UnsafeRawBufferPointer(rebasing: symbols[..<Self.symbolCount])
                    guard Self.check(body) == symbols[Self.symbolCount] else {
                        throw SecretsError(.malformedRecoveryCode, "a character of the recovery code is mistyped")
                    }
                }
            }
        }
        self.characters = characters
    }

    /// The code as it is shown: `XXXXX-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`.
    public var text: SecretBytes {
        let text = SecretBytes(count: characters.count + characters.count / Self.groupSize - 1)
        characters.withUnsafeBytes { characters in
            text.withUnsafeMutableBytes { text in
                for index in characters.indices {
                    let position = index + index / Self.groupSize
                    text[position] = characters[index]
                    if position + 1 < text.count, index % Self.groupSize == Self.groupSize - 1 {
                        text[position + 1] = UInt8(ascii: "-")
                    }
                }
            }
        }
        return text
    }

    /// The key that wraps the device key under this code.
    ///
    /// HKDF and not Argon2id: a slow derivation makes guessing dear, and 170 random bits cannot be guessed at any price.
    func wrappingKey(salt: [UInt8]) -> SealKey {
        SealKey(derived: KeyDerivation.derive(from: characters, salt: salt, label: "latchkey/1 recovery wrap"))
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private static func symbol(_ byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper).map(UInt8.init)
        }
    }

    /// The value at x = 2 of the polynomial whose coefficients are the symbols, over GF(32) modulo x^5 + x^2 + 1, times
    /// 2 once more. Every symbol has a factor other than zero, and neighbours have different ones.
    private static func check(_ symbols: UnsafeRawBufferPointer) -> UInt8 {
        var sum: UInt8 = 0
        for symbol in symbols {
            sum ^= symbol
            sum = (sum << 1) ^ (sum & 0x10 != 0 ? 0x25 : 0)
        }
        return sum
    }
}

extension RecoveryCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "RecoveryCode(redacted)" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
