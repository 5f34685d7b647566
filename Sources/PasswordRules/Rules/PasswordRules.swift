// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a site says about the passwords it takes: the language of the `passwordrules` attribute, combined and in canonical form.
///
/// Reading a text never fails: what is wrong in it is passed over as browsers do, and `PasswordRulesReading` says what that was.
/// Printing and reading again gives the same rules.
public struct PasswordRules: Hashable, Sendable, CustomStringConvertible {
    /// A password holds at least one character of each.
    public let required: [CharacterClasses]
    /// Every character of a password is one of these; those that are required belong to it.
    public let allowed: CharacterClasses
    /// How often one character may stand in a row; nothing for no limit.
    public let maxConsecutive: Int?
    /// In characters.
    public let minLength: Int?
    /// In characters.
    public let maxLength: Int?

    /// The rules where nobody states any: every printable ASCII character, at any length.
    public static let unstated = PasswordRules()

    /// Numbers below 1 count as not stated, classes without a character too.
    public init(
        required: [CharacterClasses] = [], allowed: CharacterClasses? = nil, maxConsecutive: Int? = nil,
        minLength: Int? = nil, maxLength: Int? = nil
    ) {
        var combination = RulesCombination()
        for classes in required { combination.require(classes) }
        if let allowed { combination.allowed.add(allowed) }
        if let maxConsecutive { combination.limitRuns(to: maxConsecutive) }
        if let minLength { combination.raiseMinLength(to: minLength) }
        if let maxLength { combination.lowerMaxLength(to: maxLength) }
        self.init(combination)
    }

    init(_ combination: RulesCombination) {
        required = combination.required
        allowed = combination.allowed.classes.isEmpty ? .asciiPrintable : combination.allowed.classes
        maxConsecutive = combination.maxConsecutive
        minLength = combination.minLength
        maxLength = combination.maxLength
    }

    // MARK: Checking

    /// Whether a password satisfies the rules.
    public func accept(_ password: String) -> Bool {
        var password = password
        let isPlain = password.withUTF8 { bytes in
            // Where every byte is a character. Of the others, the line end of two bytes is one.
            bytes.allSatisfy { (0x20...0x7E).contains($0) } ? accept(bytes) : nil
        }
        return isPlain ?? accept(Array(password))
    }

    /// Of a password of printable ASCII.
    func accept(_ password: UnsafeBufferPointer<UInt8>) -> Bool {
        guard password.count >= minLength ?? 0, password.count <= maxLength ?? .max else { return false }
        var characters = ASCIISet()
        for byte in password { characters.insert(byte) }
        guard allowed.ascii.isSuperset(of: characters),
            required.allSatisfy({ $0.ascii.meets(characters) })
        else { return false }
        guard let maxConsecutive else { return true }
        return StringChecks.longestRun(password) <= maxConsecutive
    }

    private func accept(_ characters: [Character]) -> Bool {
        guard characters.count >= minLength ?? 0, characters.count <= maxLength ?? .max,
            characters.allSatisfy(allowed.contains),
            required.allSatisfy({ characters.contains(where: $0.contains) })
        else { return false }
        guard let maxConsecutive else { return true }
        var run = 0
        for (index, character) in characters.enumerated() {
            run = index > 0 && characters[index - 1] == character ? run + 1 : 1
            if run > maxConsecutive { return false }
        }
        return true
    }

    // MARK: Printing

    /// The canonical text: required classes, what is allowed, then the numbers.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(128)
        func rule(_ name: StaticString) {
            if !text.isEmpty { text.append("; ") }
            text.append(name)
        }
        // Of two classes that are everything the first one counts, so here the allowed one has to stand first.
        let standsFirst = allowed.isUnicode && required.contains(.asciiPrintable)
        if standsFirst {
            rule("allowed: ")
            allowed.append(to: &text)
        }
        for classes in required {
            rule("required: ")
            classes.append(to: &text)
        }
        if !standsFirst {
            rule("allowed: ")
            allowed.append(to: &text)
        }
        for (name, number) in [
            ("max-consecutive: " as StaticString, maxConsecutive), ("minlength: ", minLength),
            ("maxlength: ", maxLength),
        ] {
            guard let number else { continue }
            rule(name)
            text.append(decimal: number)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
