// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A pattern found in a stretch of a password, with the guesses that the stretch takes alone.
struct PatternMatch: Equatable {
    let kind: PatternKind
    /// The first and the last character.
    let range: ClosedRange<Int>
    let guesses: Double

    /// Every pattern in a password, in no order.
    static func all(in password: [Unicode.Scalar], _ known: KnownWords) -> [PatternMatch] {
        DictionaryPatterns(password, known).matches
            + KeyboardPatterns.matches(in: password)
            + RepeatPatterns.matches(in: password, known)
            + SequencePatterns.matches(in: password)
            + YearPatterns.matches(in: password)
            + DatePatterns.matches(in: password)
    }

    /// What is not known: ten guesses for each character, and one more than any known pattern of that length takes at least.
    static func unknown(_ range: ClosedRange<Int>) -> PatternMatch {
        let guesses = range.count == 1 ? 11 : max(power(10, range.count), 51)
        return PatternMatch(kind: .bruteforce, range: range, guesses: guesses)
    }

    static func power(_ base: Double, _ exponent: Int) -> Double {
        var product = 1.0
        for _ in 0..<exponent { product *= base }
        return product
    }

    /// How many ways there are to choose some of a number of things.
    static func choices(_ number: Int, _ chosen: Int) -> Double {
        guard chosen <= number else { return 0 }
        var result = 1.0
        for step in 0..<chosen { result = result * Double(number - step) / Double(step + 1) }
        return result
    }

    /// How many ways there are to have one of two forms in the rarer of the two places or fewer; 2 where only one form is there.
    static func variations(_ first: Int, _ second: Int) -> Double {
        guard first > 0, second > 0 else { return 2 }
        return (1...min(first, second)).reduce(0) { $0 + choices(first + second, $1) }
    }
}
