// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Three groups of two syllables, consonant, vowel, consonant, with hyphens between; one letter is a capital, and one consonant at
/// the edge of a group, the very first excepted, is a digit.
struct PronounceableFormat: Sendable {
    static let length = 20

    private static let consonants = Array("bcdfghjkmnpqrstvwxz".utf8)
    private static let vowels = Array("aeiouy".utf8)
    private static let hyphen: UInt8 = 0x2D
    /// Where a digit may stand.
    private static let edges = [5, 7, 12, 14, 19]
    private static let letters = 17

    /// Candidates that are left out again are too few to count.
    static let entropy: Double = {
        let syllable = Double(consonants.count * vowels.count * consonants.count).binaryLogarithm
        let digits = Double(10 * edges.count) / Double(consonants.count)
        return 6 * syllable + digits.binaryLogarithm + Double(letters).binaryLogarithm
    }()

    /// Whether rules take passwords of this format; of those with a limit on repetition, whether they take most.
    static func suits(_ rules: PasswordRules) -> Bool {
        guard length >= rules.minLength ?? 0, length <= rules.maxLength ?? .max else { return false }
        var all = ASCIISet.upper.union(.lower).union(.digit)
        all.insert(hyphen)
        // What every password of the format has.
        return rules.allowed.ascii.isSuperset(of: all)
            && rules.required.allSatisfy { classes in
                classes.ascii.contains(hyphen)
                    || [ASCIISet.upper, .lower, .digit].contains { classes.ascii.isSuperset(of: $0) }
            }
    }

    private let maxConsecutive: Int

    /// For rules that it suits.
    init(_ rules: PasswordRules) {
        maxConsecutive = rules.maxConsecutive ?? Self.length
    }

    func draw<Generator>(_ draws: inout RandomDraws<Generator>) -> String {
        // Straight into the storage of the result: no copy is left anywhere else.
        String(unsafeUninitializedCapacity: Self.length) { storage in
            let text = UnsafeMutableBufferPointer(rebasing: storage[..<Self.length])
            // What else rules may ask for, every candidate has.
            repeat {
                candidate(&draws, into: text)
            } while Offence.isIn(UnsafeBufferPointer(text))
                || StringChecks.longestRun(UnsafeBufferPointer(text)) > maxConsecutive
            return Self.length
        }
    }

    private func candidate<Generator>(
        _ draws: inout RandomDraws<Generator>, into text: UnsafeMutableBufferPointer<UInt8>
    ) {
        Self.consonants.withUnsafeBufferPointer { consonants in
            Self.vowels.withUnsafeBufferPointer { vowels in
                for index in 0..<Self.length {
                    switch index % 7 {
                    case 6: text[index] = Self.hyphen
                    case 1, 4: text[index] = vowels[draws.below(vowels.count)]
                    default: text[index] = consonants[draws.below(consonants.count)]
                    }
                }
            }
        }
        let edge = Self.edges[draws.below(Self.edges.count)]
        text[edge] = 0x30 + UInt8(draws.below(10))
        var capital = draws.below(Self.letters)
        for index in text.indices where index != edge && text[index] != Self.hyphen {
            if capital == 0 {
                text[index] &= ~0x20
                break
            }
            capital -= 1
        }
    }
}
