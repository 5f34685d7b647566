// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Words in a password: as they are, reversed, and with look-alikes for letters.
struct DictionaryPatterns {
    /// So many ways of reading look-alikes are tried.
    private static let readingLimit = 1_024
    /// What stands for a letter, by letter.
    private static let lookalikes: [(letter: UInt8, stand: [UInt8])] = [
        ("a", "4@"), ("b", "8"), ("c", "({[<"), ("e", "3"), ("g", "69"), ("i", "1!|"), ("l", "1|7"), ("o", "0"),
        ("s", "$5"),
        ("t", "+7"), ("x", "%"), ("z", "2"),
    ].map { (Array($0.0.utf8)[0], Array($0.1.utf8)) }

    /// Which character is read as which letter.
    private struct Reading {
        var stand: UInt8
        var letter: UInt8
    }

    private(set) var matches: [PatternMatch] = []
    private let password: [Unicode.Scalar]
    /// In lower case; 0xFF for what stands in no word.
    private let lower: [UInt8]

    init(_ password: [Unicode.Scalar], _ known: KnownWords) {
        self.password = password
        lower = password.map { scalar in
            guard scalar.isASCII else { return 0xFF }
            let byte = UInt8(scalar.value)
            return (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
        }
        for (range, rank) in Self.words(in: lower, known) { add(range, rank) }
        for (range, rank) in Self.words(in: lower.reversed(), known) {
            let mirrored = (lower.count - 1 - range.upperBound)...(lower.count - 1 - range.lowerBound)
            add(mirrored, rank * 2)
        }
        for reading in readings() {
            let letters = lower.map { byte in reading.first { $0.stand == byte }?.letter ?? byte }
            // Only what was really read otherwise.
            for (range, rank) in Self.words(in: letters, known) where range.count > 1 && lower[range] != letters[range]
            {
                let written = lower[range]
                let variations = reading.filter { written.contains($0.stand) }.map { reading in
                    PatternMatch.variations(
                        written.count { $0 == reading.stand }, written.count { $0 == reading.letter })
                }
                add(range, variations.reduce(rank, *))
            }
        }
    }

    private static func words(in text: [UInt8], _ known: KnownWords) -> [(range: ClosedRange<Int>, rank: Double)] {
        var found: [(ClosedRange<Int>, Double)] = []
        for start in text.indices {
            known.forEach(in: text, from: start) { found.append((start...(start + $0 - 1), Double($1))) }
        }
        return found
    }

    private mutating func add(_ range: ClosedRange<Int>, _ guesses: Double) {
        matches.append(PatternMatch(kind: .dictionary, range: range, guesses: guesses * capitals(password[range])))
    }

    /// Every way to read the look-alikes of the password: one letter for each of them, where one can stand for several.
    private func readings() -> [[Reading]] {
        let there = Set(lower)
        var readings: [[Reading]] = [[]]
        for (letter, stands) in Self.lookalikes {
            let stands = stands.filter { there.contains($0) }
            guard !stands.isEmpty else { continue }
            var next: [[Reading]] = []
            for stand in stands {
                for reading in readings {
                    let extended = Reading(stand: stand, letter: letter)
                    if let taken = reading.firstIndex(where: { $0.stand == stand }) {
                        var other = reading
                        other.remove(at: taken)
                        next += [reading, other + [extended]]
                    } else {
                        next.append(reading + [extended])
                    }
                }
            }
            var seen: Set<[UInt16]> = []
            readings = next.filter { reading in
                seen.insert(reading.map { UInt16($0.letter) << 8 | UInt16($0.stand) }.sorted()).inserted
            }
            if readings.count > Self.readingLimit { readings.removeLast(readings.count - Self.readingLimit) }
        }
        return readings.filter { !$0.isEmpty }
    }

    /// How many ways of writing in capitals are tried before this one.
    private func capitals(_ word: ArraySlice<Unicode.Scalar>) -> Double {
        let isUpper = { (scalar: Unicode.Scalar) in ("A"..."Z").contains(scalar) }
        let isLower = { (scalar: Unicode.Scalar) in ("a"..."z").contains(scalar) }
        let upper = word.count(where: isUpper)
        let lower = word.count(where: isLower)
        guard upper > 0, let first = word.first, let last = word.last else { return 1 }
        // First letter, last letter, all letters: these everybody tries.
        if lower == 0 || word.count > 1 && upper == 1 && (isUpper(first) || isUpper(last)) { return 2 }
        return PatternMatch.variations(upper, lower)
    }
}
