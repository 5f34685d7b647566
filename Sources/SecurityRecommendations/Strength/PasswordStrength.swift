// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets

/// How many guesses a password takes of somebody who tries what people choose first, as zxcvbn defines it.
///
/// Wheeler, "zxcvbn: Low-Budget Password Strength Estimation" (USENIX Security 2016): find every pattern in the password, estimate the
/// guesses for each, and take the sequence of patterns that covers the password with the fewest.
public struct PasswordStrength: Sendable, Equatable {
    /// So many characters are looked at; more never make a password easier to guess.
    static let lengthLimit = 128

    /// At least 1.
    public let guesses: Double
    /// The kinds of pattern that the cheapest sequence is made of, in its order.
    public let patterns: [PatternKind]

    /// 0 to 4: below 10^3, 10^6, 10^8 and 10^10 guesses, and beyond. Bounds have zxcvbn's little more, so that a round number of
    /// guesses counts to the class below.
    public var score: Int { Self.score(of: guesses) }

    /// Estimates a password.
    ///
    /// - Parameters:
    ///   - password: UTF-8; what is not is read as some character that stands in no list.
    ///   - words: What an attacker knows of the account, its user name for one; the first is tried first.
    public init(of password: SecretBytes, words: [String] = []) {
        let text = password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        self.init(characters: Array(text.unicodeScalars.prefix(Self.lengthLimit)), words: words)
    }

    init(characters: [Unicode.Scalar], words: [String] = []) {
        let sequence = PatternSequence(characters, matches: PatternMatch.all(in: characters, KnownWords(words)))
        guesses = sequence.guesses
        patterns = sequence.matches.map(\.kind)
    }

    static func score(of guesses: Double) -> Int {
        [1e3, 1e6, 1e8, 1e10].filter { guesses >= $0 + 5 }.count
    }
}

/// A kind of pattern, under zxcvbn's name for it.
public enum PatternKind: String, Sendable {
    /// A common password, a word or a name, maybe reversed or with look-alikes for letters.
    case dictionary
    /// Neighbours on a keyboard.
    case spatial
    /// The same again and again.
    case `repeat`
    /// Characters in their order, such as `abc` or `97531`.
    case sequence
    /// A year of our time.
    case regex
    /// A day.
    case date
    /// Nothing known.
    case bruteforce
}
