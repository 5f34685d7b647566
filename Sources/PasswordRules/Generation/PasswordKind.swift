// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a generated password looks like, as far as the rules leave a choice.
public enum PasswordKind: Hashable, Sendable {
    /// 20 characters that are easy to read out and to type: three groups of two syllables with hyphens between, one upper-case
    /// letter and one digit. Where the rules do not take that, any characters that they take.
    case standard
    /// Any characters that the rules take.
    case random
    /// Letters and digits.
    case alphanumeric
    /// So many words with hyphens between, one of them with a capital, one with a digit behind.
    case passphrase(words: Int)
}

/// Why there is no password to be generated.
public struct PasswordGenerationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people.
    public let description: String
}
