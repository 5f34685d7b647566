// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Runs of three or more neighbours on a keyboard.
enum KeyboardPatterns {
    private static let shifted = Set("~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:\"ZXCVBNM<>?".unicodeScalars)

    static func matches(in password: [Unicode.Scalar]) -> [PatternMatch] {
        Keyboard.all.flatMap { matches(in: password, on: $0) }
    }

    private static func matches(in password: [Unicode.Scalar], on keyboard: Keyboard) -> [PatternMatch] {
        var matches: [PatternMatch] = []
        var start = 0
        while start < password.count - 1 {
            var (end, turns, direction) = (start + 1, 0, -1)
            var shiftedCount = !keyboard.isPad && shifted.contains(password[start]) ? 1 : 0
            while end < password.count, let step = keyboard.step(from: password[end - 1], to: password[end]) {
                if step.isShifted { shiftedCount += 1 }
                // The first step is a turn too.
                if step.direction != direction { (turns, direction) = (turns + 1, step.direction) }
                end += 1
            }
            if end - start > 2 {
                let guesses = guesses(end - start, turns: turns, shifted: shiftedCount, keyboard.extent)
                matches.append(PatternMatch(kind: .spatial, range: start...(end - 1), guesses: guesses))
            }
            start = end
        }
        return matches
    }

    /// Every run of this length or less with as many turns or fewer, from every key.
    private static func guesses(_ length: Int, turns: Int, shifted: Int, _ extent: Keyboard.Extent) -> Double {
        var guesses = 0.0
        for length in 2...length {
            for turn in 1...max(1, min(turns, length - 1)) {
                guesses +=
                    PatternMatch.choices(length - 1, turn - 1) * extent.keys
                    * PatternMatch.power(extent.neighbours, turn)
            }
        }
        return shifted == 0 ? guesses : guesses * PatternMatch.variations(shifted, length - shifted)
    }
}
