// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: the same numbers for the same seed, so that a property that fails once fails again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Letters, digits and hyphens; no number by itself and no `xn--`.
    mutating func label(_ length: ClosedRange<Int>) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        let count = Int.random(in: length, using: &self)
        return "q" + String((1..<max(count, 1)).compactMap { _ in letters.randomElement(using: &self) })
    }

    /// A site's own host or one up to three labels below it.
    mutating func host(below site: String) -> String {
        let count = Int.random(in: 0...3, using: &self)
        return ((0..<count).map { _ in label(1...6) } + [site]).joined(separator: ".")
    }
}
