// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The sequence of patterns that covers a password with the fewest guesses.
///
/// Minimal is `l! * Π guesses + 10000^(l - 1)` for a sequence of length l: the patterns may come in any order, and who guesses tries
/// shorter sequences first. Found by dynamic programming over the ends of prefixes and the lengths of sequences.
struct PatternSequence {
    /// Before this many guesses nobody tries a longer sequence.
    private static let growth = 10_000.0

    private struct Best {
        var length: Int
        var match: PatternMatch
        var product: Double
        var cost: Cost
    }

    /// Guesses in two parts: 10^22 + 1 and 10^22 + 10000 are the same double, and yet one is less.
    private struct Cost {
        /// `l! * Π guesses`
        let ordered: Double
        /// `10000^(l - 1)`
        let growth: Double

        var guesses: Double { ordered + growth }

        /// Beyond 28 digits nothing is told apart, as in the reference.
        private var keptGrowth: Double {
            guard growth < ordered * 5e-28 else { return growth }
            var unit = 1.0
            while unit * 10 <= ordered * (1 + 1e-12) { unit *= 10 }
            return growth < unit * 5e-28 ? 0 : growth
        }

        func isAtMost(_ other: Cost) -> Bool {
            // Factors in another order make another double of the same product.
            guard abs(ordered - other.ordered) <= 1e-12 * ordered else { return guesses <= other.guesses }
            return keptGrowth <= other.keptGrowth
        }
    }

    let guesses: Double
    let matches: [PatternMatch]

    init(_ password: [Unicode.Scalar], matches found: [PatternMatch]) {
        guard !password.isEmpty else {
            (guesses, matches) = (1, [])
            return
        }
        var ending = [[PatternMatch]](repeating: [], count: password.count)
        for match in found { ending[match.range.upperBound].append(match) }
        /// For each last character, the best sequence of each length; a longer one only where it was better than every shorter one.
        /// In the order in which they were found, which decides between equals.
        var best = [[Best]](repeating: [], count: password.count)
        for last in password.indices {
            for match in Self.byStart(ending[last]) { Self.extend(&best, by: match, whole: password.count) }
            for start in 0...last { Self.extend(&best, by: .unknown(start...last), whole: password.count) }
        }
        guard var end = best[password.count - 1].min(by: { !$1.cost.isAtMost($0.cost) }) else {
            (guesses, matches) = (1, [])
            return
        }
        guesses = end.cost.guesses
        var sequence = [end.match]
        while end.match.range.lowerBound > 0 {
            let before = best[end.match.range.lowerBound - 1].first { $0.length == end.length - 1 }
            guard let before else { break }
            end = before
            sequence.append(end.match)
        }
        matches = sequence.reversed()
    }

    /// Tries a match as the end of every sequence that ends before it.
    private static func extend(_ best: inout [[Best]], by match: PatternMatch, whole: Int) {
        // A part takes at least as many guesses as there are places where it could stand.
        let least: Double = match.range.count == whole ? 1 : match.range.count == 1 ? 10 : 50
        let guesses = max(match.guesses, least)
        let start = match.range.lowerBound
        guard start > 0 else { return take(&best, match, product: guesses, length: 1) }
        for before in best[start - 1] {
            // Two stretches of the unknown are one.
            if match.kind == .bruteforce, before.match.kind == .bruteforce { continue }
            take(&best, match, product: before.product * guesses, length: before.length + 1)
        }
    }

    private static func take(_ best: inout [[Best]], _ match: PatternMatch, product: Double, length: Int) {
        let orders = (1...length).reduce(1.0) { $0 * Double($1) }
        let cost = Cost(ordered: orders * product, growth: PatternMatch.power(growth, length - 1))
        let end = match.range.upperBound
        guard !best[end].contains(where: { $0.length <= length && $0.cost.isAtMost(cost) }) else { return }
        let new = Best(length: length, match: match, product: product, cost: cost)
        if let index = best[end].firstIndex(where: { $0.length == length }) {
            best[end][index] = new
        } else {
            best[end].append(new)
        }
    }

    /// Sorted by the first character; among equals in the order in which they were found.
    private static func byStart(_ matches: [PatternMatch]) -> [PatternMatch] {
        matches.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }.map(\.element)
    }
}
