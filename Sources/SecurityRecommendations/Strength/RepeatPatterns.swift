// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The same again and again: as many guesses as the part takes, for each time.
enum RepeatPatterns {
    static func matches(in password: [Unicode.Scalar], _ known: KnownWords) -> [PatternMatch] {
        var matches: [PatternMatch] = []
        var start = 0
        while start < password.count - 1 {
            guard let (shortest, longest) = parts(in: password, at: start) else {
                start += 1
                continue
            }
            // The longest part, where that covers more than the shortest one: "aabaab" is twice "aab", not twice "a".
            let (count, times) =
                longest.length * longest.times > shortest.length * shortest.times ? longest : shortest
            let whole = count * times
            let base = smallestPart(of: password[start..<(start + whole)])
            let sequence = PatternSequence(base, matches: PatternMatch.all(in: base, known))
            matches.append(
                PatternMatch(
                    kind: .repeat, range: start...(start + whole - 1),
                    guesses: sequence.guesses * Double(whole / base.count)))
            start += whole
        }
        return matches
    }

    private typealias Part = (length: Int, times: Int)

    /// The shortest and the longest part that stands at a place twice or more.
    private static func parts(in password: [Unicode.Scalar], at start: Int) -> (shortest: Part, longest: Part)? {
        var (shortest, longest): (Part?, Part?) = (nil, nil)
        let left = password.count - start
        guard left > 1 else { return nil }
        for length in 1...(left / 2) {
            var times = 1
            while (times + 1) * length <= left,
                (0..<length).allSatisfy({
                    password[start + times * length + $0] == password[start + $0]
                })
            { times += 1 }
            guard times > 1 else { continue }
            if shortest == nil { shortest = (length, times) }
            longest = (length, times)
        }
        guard let shortest, let longest else { return nil }
        return (shortest, longest)
    }

    private static func smallestPart(of text: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
        let text = Array(text)
        for length in 1...(text.count / 2) where text.count % length == 0 {
            if (length..<text.count).allSatisfy({ text[$0] == text[$0 - length] }) { return Array(text[..<length]) }
        }
        return text
    }
}
