// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Draws strings that satisfy rules, every one as likely as every other one of its length.
struct UniformStrings: Sendable {
    static let usualLength = 20
    /// No password is made longer than this only to be harder to guess.
    private static let longestByChoice = 64
    /// A site that asks for more asks for something else.
    private static let longest = 1024
    private static let comfortableEntropy = 60.0

    let entropy: Double
    private let length: Int
    private let alphabet: [UInt8]
    private let checks: StringChecks
    /// How often a string is drawn as if there were no rules, before they are counted with.
    private let trials: Int
    private let table: CompletionTable

    init(rules: PasswordRules, isAlphanumeric: Bool) throws(PasswordGenerationFailure) {
        let alphanumeric = ASCIISet.upper.union(.lower).union(.digit)
        var allowed = rules.allowed.ascii
        var required = rules.required.map(\.ascii)
        if isAlphanumeric {
            allowed = allowed.intersection(alphanumeric)
            required = required.map { $0.intersection(alphanumeric) }
            required += [ASCIISet.upper, .lower, .digit].map(allowed.intersection).filter { !$0.isEmpty }
        }
        guard !allowed.isEmpty, required.allSatisfy({ !$0.isEmpty }) else {
            throw PasswordGenerationFailure(
                description: "The rules ask for characters that are neither letters nor digits.")
        }
        let least = max(rules.minLength ?? 1, 1)
        let most = rules.maxLength ?? Self.longest
        guard least <= most else {
            throw PasswordGenerationFailure(
                description: "No password is \(least) characters long or longer and at most \(most).")
        }
        guard least <= Self.longest else {
            throw PasswordGenerationFailure(
                description: "The rules ask for \(least) characters; more than \(Self.longest) are not made.")
        }
        checks = StringChecks(required: required, allowed: allowed, maxConsecutive: rules.maxConsecutive)
        alphabet = allowed.characters
        var table = try CompletionTable(checks: checks, alphabet: alphabet)
        let usual = min(max(Self.usualLength, least), most)
        // Shorter than usual where only that can be, longer where the usual is easy to guess.
        var length = usual
        while try !table.hasStrings(length: length) {
            length -= 1
            guard length >= least else { throw Self.impossible(checks, most: usual) }
        }
        var bits = try table.entropy(length: length)
        while length < min(most, Self.longestByChoice), bits < Self.comfortableEntropy {
            guard let longer = try? table.entropy(length: length + 1), longer > bits else { break }
            length += 1
            bits = longer
        }
        self.length = length
        self.table = table
        entropy = bits
        // Where not one of eight satisfies the rules, counting is the shorter way.
        trials = Double(length) * Double(alphabet.count).binaryLogarithm - bits < 3 ? 32 : 0
    }

    private static func impossible(_ checks: StringChecks, most: Int) -> PasswordGenerationFailure {
        let needed = checks.required.count
        if needed > most {
            return PasswordGenerationFailure(
                description: "The rules require \(needed) kinds of characters in at most \(most) characters.")
        }
        return PasswordGenerationFailure(
            description: "No password has all the characters the rules require and repeats none too often.")
    }

    func draw<Generator>(_ draws: inout RandomDraws<Generator>) -> String {
        // Straight into the storage of the result: no copy is left anywhere else.
        String(unsafeUninitializedCapacity: length) { storage in
            write(&draws, into: UnsafeMutableBufferPointer(rebasing: storage[..<length]))
            return length
        }
    }

    private func write<Generator>(_ draws: inout RandomDraws<Generator>, into text: UnsafeMutableBufferPointer<UInt8>) {
        // 1. Any string is as likely as any other; those that do not satisfy the rules are drawn again.
        for _ in 0..<trials {
            alphabet.withUnsafeBufferPointer { alphabet in
                for index in 0..<length { text[index] = alphabet[draws.below(alphabet.count)] }
            }
            if checks.accept(UnsafeBufferPointer(text)) { return }
        }
        // 2. Where few satisfy them, each character by the number of strings that go on from there.
        table.draw(&draws, into: text)
    }
}
