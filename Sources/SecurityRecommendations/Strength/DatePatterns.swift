// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Years of our time, 1900 to 2019, as zxcvbn has them.
enum YearPatterns {
    static let reference = 2017
    /// Years close by are all tried.
    static let leastYears = 20

    static func matches(in password: [Unicode.Scalar]) -> [PatternMatch] {
        var matches: [PatternMatch] = []
        var start = 0
        while start + 4 <= password.count {
            let digits = DatePatterns.number(password[start..<(start + 4)])
            if let year = digits, (1900...2019).contains(year) {
                matches.append(
                    PatternMatch(
                        kind: .regex, range: start...(start + 3),
                        guesses: Double(max(abs(year - reference), leastYears))))
                start += 4
            } else {
                start += 1
            }
        }
        return matches
    }
}

/// Days: three numbers that begin or end with a year, with the same separator between them or none.
///
/// It is not a calendar: the 31st of February counts, and no leap year is looked for.
enum DatePatterns {
    private static let years = 1_000...2_050
    private static let separators = Set(" \t\n\u{B}\u{C}\r/\\_.-".unicodeScalars)
    /// Where digits without separators are divided, by how many there are.
    private static let divisions: [Int: [(Int, Int)]] = [
        4: [(1, 2), (2, 3)], 5: [(1, 3), (2, 3)], 6: [(1, 2), (2, 4), (4, 5)], 7: [(1, 3), (2, 3), (4, 5), (4, 6)],
        8: [(2, 4), (4, 6)],
    ]

    static func matches(in password: [Unicode.Scalar]) -> [PatternMatch] {
        var found: [PatternMatch] = []
        // With or without separators it is a number that a day begins and ends with.
        for start in password.indices where isDigit(password[start]) {
            for length in 4...10 where start + length <= password.count && isDigit(password[start + length - 1]) {
                let text = password[start..<(start + length)]
                if length <= 8, let year = yearWithoutSeparators(text) {
                    found.append(match(start, length, year, separators: 1))
                } else if length >= 6, let year = yearWithSeparators(text) {
                    found.append(match(start, length, year, separators: 4))
                }
            }
        }
        // A date inside another one is no other one.
        return found.filter { inner in
            !found.contains { outer in
                outer.range != inner.range && outer.range.lowerBound <= inner.range.lowerBound
                    && outer.range.upperBound >= inner.range.upperBound
            }
        }
    }

    private static func match(_ start: Int, _ length: Int, _ year: Int, separators: Int) -> PatternMatch {
        let years = max(abs(year - YearPatterns.reference), YearPatterns.leastYears)
        return PatternMatch(
            kind: .date, range: start...(start + length - 1), guesses: Double(years * 365 * separators))
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// A number of ASCII digits; nothing for anything else.
    static func number(_ text: some Collection<Unicode.Scalar>) -> Int? {
        guard !text.isEmpty, text.allSatisfy(isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1.value) - 0x30 }
    }

    /// Of the ways to divide the digits the one whose year is closest to ours.
    private static func yearWithoutSeparators(_ text: ArraySlice<Unicode.Scalar>) -> Int? {
        guard number(text) != nil, let divisions = divisions[text.count] else { return nil }
        let years = divisions.compactMap { first, second in
            year(
                number(text.prefix(first)), number(text.dropFirst(first).prefix(second - first)),
                number(text.dropFirst(second)))
        }
        return years.min { abs($0 - YearPatterns.reference) < abs($1 - YearPatterns.reference) }
    }

    private static func yearWithSeparators(_ text: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let separator = text.first(where: { separators.contains($0) }) else { return nil }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3, (1...4).contains(parts[0].count), (1...2).contains(parts[1].count),
            (1...4).contains(parts[2].count)
        else { return nil }
        return year(number(parts[0]), number(parts[1]), number(parts[2]))
    }

    /// The year of three numbers, where they can be a day, a month and a year with the year outside.
    private static func year(_ first: Int?, _ second: Int?, _ third: Int?) -> Int? {
        guard let first, let second, let third, (1...31).contains(second) else { return nil }
        let numbers = [first, second, third]
        guard !numbers.contains(where: { 99 < $0 && $0 < years.lowerBound || $0 > years.upperBound }),
            numbers.count(where: { $0 > 31 }) < 2, numbers.contains(where: { $0 <= 12 }),
            numbers.count(where: { $0 <= 0 }) < 2
        else { return nil }
        let ways = [(year: third, rest: (first, second)), (year: first, rest: (second, third))]
        // With a year of four digits the rest has to be a day and a month.
        if let full = ways.first(where: { years.contains($0.year) }) { return isDay(full.rest) ? full.year : nil }
        guard let short = ways.first(where: { isDay($0.rest) }) else { return nil }
        return short.year > 50 ? short.year + 1_900 : short.year + 2_000
    }

    private static func isDay(_ numbers: (Int, Int)) -> Bool {
        (1...31).contains(numbers.0) && (1...12).contains(numbers.1)
            || (1...31).contains(numbers.1) && (1...12).contains(numbers.0)
    }
}
