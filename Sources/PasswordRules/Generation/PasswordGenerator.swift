// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Generates passwords that satisfy rules, each as likely as every other one.
///
/// Among strings: of one length, which is 20 where the rules allow it, else the nearest that they allow, and longer only where 20
/// characters would be easy to guess; the space is used inside of a password only, because sites trim what they are sent.
public struct PasswordGenerator: Sendable {
    /// Below this a password is warned about; in bits.
    public static let weakEntropy = 40.0

    public let rules: PasswordRules
    /// How many passwords there are to choose from, as a power of two.
    public let entropy: Double
    /// What the user should know, where the rules force passwords that are easy to guess.
    public let warning: String?

    private enum Source: Sendable {
        case format(PronounceableFormat)
        case strings(UniformStrings)
        case words(PassphraseFormat)
    }

    private let source: Source

    /// - Throws: `PasswordGenerationFailure` where no password satisfies the rules, or none of the kind.
    public init(rules: PasswordRules = .unstated, kind: PasswordKind = .standard) throws(PasswordGenerationFailure) {
        self.rules = rules
        switch kind {
        case .standard where PronounceableFormat.suits(rules):
            source = .format(PronounceableFormat(rules))
            entropy = PronounceableFormat.entropy
        case .passphrase(let words):
            let format = try PassphraseFormat(words: words, rules: rules)
            source = .words(format)
            entropy = format.entropy
        default:
            let strings = try UniformStrings(rules: rules, isAlphanumeric: kind == .alphanumeric)
            source = .strings(strings)
            entropy = strings.entropy
        }
        warning =
            entropy < Self.weakEntropy
            ? "The rules of this site force passwords that are easy to guess (\(Int(entropy)) bits)." : nil
    }

    /// A password from the system's randomness.
    public func password() -> String {
        var generator = SystemRandomNumberGenerator()
        return password(using: &generator)
    }

    /// A password from the randomness of `generator`, such as a seeded one in tests.
    public func password<Generator: RandomNumberGenerator>(using generator: inout Generator) -> String {
        var draws = RandomDraws(generator)
        defer { generator = draws.generator }
        switch source {
        case .strings(let strings): return strings.draw(&draws)
        case .format(let format): return format.draw(&draws)
        case .words(let words): return words.draw(&draws)
        }
    }
}
