// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Characters whose code points rise or fall by the same step, of at most five.
enum SequencePatterns {
    private static let largestStep = 5

    static func matches(in password: [Unicode.Scalar]) -> [PatternMatch] {
        guard password.count > 1 else { return [] }
        var matches: [PatternMatch] = []
        var (start, last): (Int, Int?) = (0, nil)
        func take(_ end: Int, _ step: Int) {
            guard end - start > 1 || abs(step) == 1, (1...largestStep).contains(abs(step)) else { return }
            matches.append(
                PatternMatch(kind: .sequence, range: start...end, guesses: guesses(password[start...end], step)))
        }
        for index in 1..<password.count {
            let step = Int(password[index].value) - Int(password[index - 1].value)
            if let before = last, before != step {
                take(index - 1, before)
                start = index - 1
            }
            last = step
        }
        if let last { take(password.count - 1, last) }
        return matches
    }

    private static func guesses(_ text: ArraySlice<Unicode.Scalar>, _ step: Int) -> Double {
        guard let first = text.first else { return 1 }
        // The obvious places to start from.
        let starts: Double = "aAzZ019".unicodeScalars.contains(first) ? 4 : ("0"..."9").contains(first) ? 10 : 26
        return starts * (step > 0 ? 1 : 2) * Double(text.count)
    }
}
