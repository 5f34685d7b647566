// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How many strings go on from each point of a string, so that one can be drawn character by character, all alike.
///
/// Characters that the same rules require are alike, so the table counts by such groups. What came before matters only by which
/// rules it satisfies already and, where repetition is limited, by the group and the run of the last character.
struct CompletionTable: Sendable {
    private struct Group: Sendable {
        var characters: [UInt8]
        /// The required sets that a character of it satisfies, as bits.
        var satisfies: Int
        /// The space is alone in its group: it may stand neither first nor last.
        var isSpace: Bool
    }

    /// Beyond this there are too many combinations to count.
    private static let requiredLimit = 10
    /// A limit beyond this is looked after by drawing again.
    private static let runLimit = 8
    /// So many additions at most, a fraction of a second: rules come from pages, and one could state what takes hours to count.
    private static let workLimit = 1 << 25

    private let groups: [Group]
    private let checks: StringChecks
    /// The longest run that is counted; 0 where runs do not matter.
    private let runs: Int
    private let statesPerMask: Int
    private let masks: Int
    private let states: Int
    /// For each number of characters to come, the count of each state, divided by two to the power of its scale.
    private var counts: [Double]
    private var scales = [0]
    private var work = 0

    init(checks: StringChecks, alphabet: [UInt8]) throws(PasswordGenerationFailure) {
        guard checks.required.count <= Self.requiredLimit else {
            throw PasswordGenerationFailure(
                description: "The rules require more than \(Self.requiredLimit) kinds of characters.")
        }
        var groups: [Group] = []
        for character in alphabet {
            var satisfies = 0
            for (index, set) in checks.required.enumerated() where set.contains(character) { satisfies |= 1 << index }
            let isSpace = character == 0x20
            if !isSpace, let index = groups.firstIndex(where: { !$0.isSpace && $0.satisfies == satisfies }) {
                groups[index].characters.append(character)
            } else {
                groups.append(Group(characters: [character], satisfies: satisfies, isSpace: isSpace))
            }
        }
        self.groups = groups
        self.checks = checks
        runs = checks.maxConsecutive.map { $0 <= Self.runLimit ? $0 : 0 } ?? 0
        masks = 1 << checks.required.count
        statesPerMask = runs == 0 ? 1 : groups.count * runs
        states = masks * statesPerMask
        counts = Array(repeating: 0, count: states)
        for state in (masks - 1) * statesPerMask..<states { counts[state] = 1 }
    }

    /// Whether there are strings of a length.
    mutating func hasStrings(length: Int) throws(PasswordGenerationFailure) -> Bool {
        try extend(to: length - 1)
        return starts(length) > 0
    }

    /// The number of strings of a length, as a power of two.
    mutating func entropy(length: Int) throws(PasswordGenerationFailure) -> Double {
        try extend(to: length - 1)
        return starts(length).binaryLogarithm + Double(scales[length - 1])
    }

    // MARK: Counting

    private func state(mask: Int, group: Int, run: Int) -> Int {
        runs == 0 ? mask : mask * statesPerMask + group * runs + run - 1
    }

    private mutating func extend(to length: Int) throws(PasswordGenerationFailure) {
        while scales.count <= length {
            work += states * groups.count
            guard work <= Self.workLimit else {
                throw PasswordGenerationFailure(
                    description: "There are too many combinations of what the rules require to count with.")
            }
            let left = scales.count
            var level = [Double](repeating: 0, count: states)
            var largest = 0.0
            for mask in 0..<masks {
                for group in 0..<(runs == 0 ? 1 : groups.count) {
                    for run in 1...max(runs, 1) {
                        var sum = 0.0
                        forEachStep(after: mask, group: group, run: run, left: left) { _, _, weight in
                            sum += weight
                            return true
                        }
                        level[state(mask: mask, group: group, run: run)] = sum
                        largest = max(largest, sum)
                    }
                }
            }
            // Kept within what a number can hold, however long the strings are.
            let scale = largest > 0 ? Int(largest.exponent) : 0
            let factor = Double(sign: .plus, exponent: -scale, significand: 1)
            for count in level { counts.append(count * factor) }
            scales.append(scales[left - 1] + scale)
        }
    }

    /// Calls for what may come next, with the number of strings that go on behind it, until the answer is no: a group, and whether
    /// it is the last character once more.
    @inline(__always)
    private func forEachStep(
        after mask: Int, group last: Int, run: Int, left: Int,
        _ body: (_ group: Int, _ isRepetition: Bool, Double) -> Bool
    ) {
        let next = (left - 1) * states
        for index in groups.indices where !(left == 1 && groups[index].isSpace) {
            let isLast = runs > 0 && index == last
            let fresh = groups[index].characters.count - (isLast ? 1 : 0)
            if fresh > 0 {
                let count = counts[next + state(mask: mask | groups[index].satisfies, group: index, run: 1)]
                guard body(index, false, Double(fresh) * count) else { return }
            }
            if isLast, run < runs {
                guard body(index, true, counts[next + state(mask: mask, group: index, run: run + 1)]) else { return }
            }
        }
    }

    /// Calls for each group with the number of strings of a length that begin with one of its characters, until the answer is no.
    @inline(__always)
    private func forEachStart(_ length: Int, _ body: (_ group: Int, Double) -> Bool) {
        for index in groups.indices where !groups[index].isSpace {
            let count = counts[(length - 1) * states + state(mask: groups[index].satisfies, group: index, run: 1)]
            guard body(index, Double(groups[index].characters.count) * count) else { return }
        }
    }

    /// How many strings of a length there are.
    private func starts(_ length: Int) -> Double {
        var sum = 0.0
        forEachStart(length) { _, weight in
            sum += weight
            return true
        }
        return sum
    }

    // MARK: Drawing

    /// Writes a string of the buffer's length, one that was found to have some.
    func draw<Generator>(_ draws: inout RandomDraws<Generator>, into text: UnsafeMutableBufferPointer<UInt8>) {
        repeat { candidate(&draws, into: text) } while !checks.accept(UnsafeBufferPointer(text))
    }

    private func candidate<Generator>(
        _ draws: inout RandomDraws<Generator>, into text: UnsafeMutableBufferPointer<UInt8>
    ) {
        // What rounding may leave over of a draw belongs to the last choice that can be made.
        var rest = draws.below(starts(text.count))
        var group = 0
        forEachStart(text.count) { index, weight in
            if weight > 0 { group = index }
            rest -= weight
            return rest >= 0
        }
        text[0] = groups[group].characters[draws.below(groups[group].characters.count)]
        var mask = groups[group].satisfies
        var run = 1
        for position in 1..<text.count {
            let left = text.count - position
            var sum = 0.0
            forEachStep(after: mask, group: group, run: run, left: left) { _, _, weight in
                sum += weight
                return true
            }
            rest = draws.below(sum)
            var step = (group: group, isRepetition: false)
            forEachStep(after: mask, group: group, run: run, left: left) { index, isRepetition, weight in
                if weight > 0 { step = (index, isRepetition) }
                rest -= weight
                return rest >= 0
            }
            let last = text[position - 1]
            if step.isRepetition {
                text[position] = last
                run += 1
            } else {
                text[position] = fresh(of: groups[step.group].characters, otherThan: runs == 0 ? nil : last, &draws)
                run = 1
            }
            group = step.group
            mask |= groups[group].satisfies
        }
    }

    /// One of some characters, the last one that was drawn excepted.
    private func fresh<Generator>(
        of characters: [UInt8], otherThan last: UInt8?, _ draws: inout RandomDraws<Generator>
    ) -> UInt8 {
        guard let last, characters.contains(last) else { return characters[draws.below(characters.count)] }
        // The one at the end stands in for the one that is left out.
        let character = characters[draws.below(characters.count - 1)]
        return character == last ? characters[characters.count - 1] : character
    }
}
