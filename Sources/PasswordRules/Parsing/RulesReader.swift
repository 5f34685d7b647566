// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Walks over the bytes of a text once. Everything that has a meaning is ASCII, so UTF-8 needs no decoding.
struct RulesReader {
    private(set) var combination = RulesCombination()
    private(set) var diagnostics: [RulesDiagnostic] = []

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    static func combination(of text: String) -> RulesCombination {
        var text = text
        return text.withUTF8 { bytes in
            var reader = RulesReader(bytes)
            reader.read()
            return reader.combination
        }
    }

    private enum Name {
        case required, allowed, maxConsecutive, minLength, maxLength

        init?(_ token: Slice<UnsafeBufferPointer<UInt8>>) {
            func isToken(_ name: StaticString) -> Bool { name.withUTF8Buffer { token.elementsEqual($0) } }
            switch token.count {
            case 8 where isToken("required"): self = .required
            case 7 where isToken("allowed"): self = .allowed
            case 15 where isToken("max-consecutive"): self = .maxConsecutive
            case 9 where isToken("minlength"): self = .minLength
            case 9 where isToken("maxlength"): self = .maxLength
            default: return nil
            }
        }
    }

    mutating func read() {
        skipSpace()
        while position < bytes.count {
            guard isNameByte(bytes[position]) else {
                report(.endsReading, "A rule begins with its name.", "Remove what stands here, a second ; perhaps.")
                return
            }
            readRule()
            skipSpace()
            guard position < bytes.count else { return }
            guard bytes[position] == Self.semicolon else {
                if diagnostics.last?.consequence != .discardsEverything {
                    report(
                        .discardsEverything, "A rule ends with ; here, and something else stands there.",
                        "Separate rules by ; and write each as name: value.")
                }
                combination = RulesCombination()
                return
            }
            position += 1
            skipSpace()
        }
    }

    /// Reads one rule, and stops behind it; where it cannot be read, at what is wrong.
    private mutating func readRule() {
        let start = position
        while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
        guard let name = Name(bytes[start..<position]) else {
            position = start
            report(
                .discardsEverything, "There is no rule of this name.",
                "The rules are required, allowed, max-consecutive, minlength and maxlength, in lower case.")
            return
        }
        guard position < bytes.count, bytes[position] == Self.colon else {
            let isEnd = position >= bytes.count || bytes[position] == Self.semicolon
            report(
                isEnd ? .dropsRule : .discardsEverything, "A colon has to follow the name at once.",
                "Write the colon directly behind the name.")
            return
        }
        position += 1
        skipSpace()
        guard position < bytes.count, bytes[position] != Self.semicolon else {
            report(.dropsRule, "The rule has no value.", "Give it one, or leave the rule out.")
            return
        }
        switch name {
        case .required:
            if let list = readClasses() { combination.require(list.classes) }
        case .allowed:
            if let list = readClasses() { combination.allowed.add(list) }
        case .maxConsecutive:
            if let number = readNumber() { combination.limitRuns(to: number) }
        case .minLength:
            if let number = readNumber() { combination.raiseMinLength(to: number) }
        case .maxLength:
            if let number = readNumber() { combination.lowerMaxLength(to: number) }
        }
    }

    // MARK: Values

    /// Reads a list of classes; nothing if there is something else in it.
    private mutating func readClasses() -> ClassUnion? {
        var list = ClassUnion()
        while true {
            let start = position
            if bytes[position] == Self.openBracket {
                if let characters = readCustomClass() { list.add(characters) }
            } else {
                while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
                guard start < position else {
                    report(.discardsEverything, "A class belongs here.", Self.classesFix)
                    return nil
                }
                guard let classes = CharacterClasses(token: bytes[start..<position]) else {
                    position = start
                    report(.discardsEverything, "There is no class of this name.", Self.classesFix)
                    return nil
                }
                list.add(classes)
            }
            skipSpace()
            guard position < bytes.count, bytes[position] != Self.semicolon else { return list }
            guard bytes[position] == Self.comma else {
                report(.discardsEverything, "Classes are separated by commas.", "Write a comma between them.")
                return nil
            }
            position += 1
            skipSpace()
            guard position < bytes.count, bytes[position] != Self.semicolon else {
                report(.dropsRule, "A class has to follow the comma.", "Remove the comma at the end.")
                return nil
            }
        }
    }

    private static let classesFix =
        "The classes are upper, lower, digit, special, ascii-printable, unicode and [characters]."

    /// Reads `[characters]`; nothing if it has no end. A hyphen counts as the first character only, a right bracket as the last.
    private mutating func readCustomClass() -> ASCIISet? {
        let start = position
        position += 1
        var set = ASCIISet()
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.closeBracket {
                if position < bytes.count, bytes[position] == Self.closeBracket {
                    set.insert(byte)
                    position += 1
                }
                if set.isEmpty { report(.dropsPart, "The class has no character.", "Leave it out.", at: start) }
                return set
            }
            if byte == Self.hyphen, position - 2 > start {
                report(
                    .dropsPart, "The hyphen is left out: there are no ranges.",
                    "For a hyphen, write it first; for a range, list its characters or name a class.", at: position - 1)
            } else if (0x20...0x7E).contains(byte) {
                set.insert(byte)
            } else if byte & 0xC0 != 0x80 {
                report(
                    .dropsPart, "A character that is not printable ASCII is left out.",
                    "Allow unicode if the site takes such characters.", at: position - 1)
            }
        }
        report(.dropsPart, "The class does not end.", "Close it with ].", at: start)
        return nil
    }

    /// Reads a number that ends at `;` or at the end. One too large to count with is as large as can be.
    private mutating func readNumber() -> Int? {
        let start = position
        var number = 0
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            number =
                isTooLarge
                ? .max
                : product.addingReportingOverflow(Int(bytes[position] - 0x30)).overflow
                    ? .max : product + Int(bytes[position] - 0x30)
            position += 1
        }
        guard start < position else {
            report(.discardsEverything, "A number belongs here.", "Write it in the digits 0 to 9, without a sign.")
            return nil
        }
        guard position >= bytes.count || bytes[position] == Self.semicolon else {
            let isSpace = isSpace(bytes[position])
            report(
                isSpace ? .dropsRule : .discardsEverything, "A number ends at ; or at the end of the text.",
                isSpace ? "Remove the white space behind the number." : "Write nothing but digits.")
            return nil
        }
        if number == 0 {
            report(.dropsRule, "Zero is as if nothing were stated.", "Leave the rule out.", at: start)
        }
        return number
    }

    /// So many are told; a text with more has other problems.
    private static let diagnosticsLimit = 64

    // MARK: Bytes

    private static let semicolon: UInt8 = 0x3B
    private static let colon: UInt8 = 0x3A
    private static let comma: UInt8 = 0x2C
    private static let hyphen: UInt8 = 0x2D
    private static let openBracket: UInt8 = 0x5B
    private static let closeBracket: UInt8 = 0x5D

    private func isNameByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == Self.hyphen
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    /// Notes what is wrong at an offset, here if none is given.
    private mutating func report(
        _ consequence: RulesDiagnostic.Consequence, _ message: String, _ fix: String, at offset: Int? = nil
    ) {
        guard diagnostics.count < Self.diagnosticsLimit else { return }
        let scalars = bytes[..<(offset ?? position)].count { $0 & 0xC0 != 0x80 }
        diagnostics.append(
            RulesDiagnostic(column: scalars + 1, consequence: consequence, message: message, fix: fix))
    }
}
