// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Words with hyphens between; one begins with a capital, and behind one stands a digit.
struct PassphraseFormat: Sendable {
    private static let counts = 3...16
    /// Whether the rules take any is found out by trying.
    private static let trials = 1000

    private(set) var entropy: Double
    private let words: Int
    private let rules: PasswordRules

    init(words: Int, rules: PasswordRules) throws(PasswordGenerationFailure) {
        guard Self.counts.contains(words) else {
            throw PasswordGenerationFailure(
                description: "A passphrase has \(Self.counts.lowerBound) to \(Self.counts.upperBound) words.")
        }
        self.words = words
        self.rules = rules
        var accepted = 0
        var draws = RandomDraws(SystemRandomNumberGenerator())
        entropy = 0
        for _ in 0..<Self.trials where candidate(&draws).withUnsafeBufferPointer(rules.accept) {
            accepted += 1
        }
        guard accepted * 20 >= Self.trials else {
            throw PasswordGenerationFailure(
                description: "The rules take no passphrase of \(words) words, or hardly any.")
        }
        let all = Double(words) * Double(PassphraseWords.all.count).binaryLogarithm
        let choices = Double(words * words * 10) * Double(accepted) / Double(Self.trials)
        entropy = all + choices.binaryLogarithm
    }

    func draw<Generator>(_ draws: inout RandomDraws<Generator>) -> String {
        while true {
            let text = candidate(&draws)
            if text.withUnsafeBufferPointer(rules.accept) { return String(decoding: text, as: UTF8.self) }
        }
    }

    private func candidate<Generator>(_ draws: inout RandomDraws<Generator>) -> [UInt8] {
        let capital = draws.below(words)
        let numbered = draws.below(words)
        var text: [UInt8] = []
        text.reserveCapacity(8 * words)
        for index in 0..<words {
            if index > 0 { text.append(0x2D) }
            let start = text.count
            text += PassphraseWords.all[draws.below(PassphraseWords.all.count)]
            if index == capital { text[start] &= ~0x20 }
            if index == numbered { text.append(0x30 + UInt8(draws.below(10))) }
        }
        return text
    }
}
