// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Rules being combined: required ones stay apart, allowed ones unite, and of numbers the strictest holds.
struct RulesCombination: Sendable {
    private(set) var required: [CharacterClasses] = []
    /// What is required is allowed as well, so both are united here, in the order in which they are stated.
    var allowed = ClassUnion()
    private(set) var maxConsecutive: Int?
    private(set) var minLength: Int?
    private(set) var maxLength: Int?

    mutating func require(_ classes: CharacterClasses) {
        guard !classes.isEmpty else { return }
        required.append(classes)
        allowed.add(classes)
    }

    mutating func limitRuns(to count: Int) {
        guard count > 0 else { return }
        maxConsecutive = min(maxConsecutive ?? count, count)
    }

    mutating func raiseMinLength(to length: Int) {
        guard length > 0 else { return }
        minLength = max(minLength ?? length, length)
    }

    mutating func lowerMaxLength(to length: Int) {
        guard length > 0 else { return }
        maxLength = min(maxLength ?? length, length)
    }

    /// Adds everything of another source.
    mutating func add(_ other: RulesCombination) {
        required += other.required
        allowed.add(other.allowed)
        if let limit = other.maxConsecutive { limitRuns(to: limit) }
        if let length = other.minLength { raiseMinLength(to: length) }
        if let length = other.maxLength { lowerMaxLength(to: length) }
    }
}
