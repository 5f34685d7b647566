// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasswordRules
import Testing

/// What is generated satisfies the rules, as likely one as another.
@Suite struct PasswordGeneratorTests {
    /// Reads canonical rules its own way and checks a password against them, to be independent of what is tested.
    private struct Checker {
        var required: [Set<Character>] = []
        var allowed: Set<Character> = []
        var limits: [String: Int] = [:]

        init(_ canonical: String) {
            // A custom class may hold ; and , so it is taken out first.
            var customs: [Set<Character>] = []
            var text = ""
            var rest = canonical[...]
            while let open = rest.firstIndex(of: "[") {
                text += rest[..<open]
                let inside = rest[rest.index(after: open)...]
                var close = inside.firstIndex(of: "]") ?? inside.endIndex
                let behind = inside.index(after: close)
                if behind < inside.endIndex, inside[behind] == "]" { close = behind }
                customs.append(Set(inside[..<close]))
                text += "#\(customs.count - 1)"
                rest = inside[inside.index(after: close)...]
            }
            text += rest
            func set(_ list: String) -> Set<Character> {
                var all = Set<Character>()
                for name in list.components(separatedBy: ", ") {
                    let printable = (0x20...0x7E).map { Character(UnicodeScalar(UInt8($0))) }
                    if name.hasPrefix("#") {
                        all.formUnion(customs[Int(name.dropFirst()) ?? 0])
                    } else {
                        all.formUnion(
                            printable.filter { character in
                                switch name {
                                case "upper": character.isUppercase
                                case "lower": character.isLowercase
                                case "digit": character.isNumber
                                case "special": !character.isLetter && !character.isNumber
                                default: true
                                }
                            })
                    }
                }
                return all
            }
            for rule in text.components(separatedBy: "; ") {
                let parts = rule.components(separatedBy: ": ")
                switch parts[0] {
                case "required": required.append(set(parts[1]))
                case "allowed": allowed = set(parts[1])
                default: limits[parts[0]] = Int(parts[1])
                }
            }
        }

        func accepts(_ password: String) -> Bool {
            let characters = Array(password)
            guard (limits["minlength"] ?? 1)...(limits["maxlength"] ?? .max) ~= characters.count,
                characters.allSatisfy(allowed.contains), required.allSatisfy({ !$0.isDisjoint(with: characters) })
            else { return false }
            let limit = limits["max-consecutive"] ?? .max
            var longest = 0
            var run = 0
            for index in characters.indices {
                run = index > 0 && characters[index] == characters[index - 1] ? run + 1 : 1
                longest = max(longest, run)
            }
            return longest <= limit
        }
    }

    private static var quirks: [String: String]? {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../shared/data/quirks/password-rules.json").standardizedFileURL
        guard let content = try? Data(contentsOf: file) else { return nil }
        let sites = try? JSONSerialization.jsonObject(with: content) as? [String: [String: Any]]
        return sites?.compactMapValues { $0["password-rules"] as? String }
    }

    @Test(.enabled(if: quirks != nil, "the rules of real sites are not here"))
    func rulesOfRealSitesAreSatisfied() throws {
        let quirks = try #require(Self.quirks)
        #expect(quirks.count > 400)
        var generator = SeededGenerator(seed: 1)
        for (site, text) in quirks {
            #expect(
                PasswordRulesReading(text).diagnostics.allSatisfy { $0.consequence != .discardsEverything }, "\(site)")
            let rules = PasswordRules(text)
            let checker = Checker(rules.description)
            let passwords = try PasswordGenerator(rules: rules)
            for _ in 0..<20 {
                let password = passwords.password(using: &generator)
                guard checker.accepts(password) else {
                    Issue.record("\(site): \(rules)")
                    break
                }
            }
        }
    }

    static let satisfiable = [
        "required: upper; required: lower; required: digit; required: [!#$]; minlength: 6; maxlength: 6",
        "required: [!]; required: [#]; required: [a]; required: digit; required: upper; maxlength: 5",
        "allowed: [ab]; max-consecutive: 1; maxlength: 12", "allowed: [a]; max-consecutive: 2",
        "required: digit; maxlength: 4", "allowed: special; minlength: 30; max-consecutive: 1",
        "required: special; allowed: [ a]; maxlength: 8", "minlength: 40", "required: unicode; minlength: 12",
        "required: upper; required: lower; max-consecutive: 2; minlength: 8; maxlength: 8",
        "max-consecutive: 50; maxlength: 12",
        "required: upper; max-consecutive: 1", "minlength: 1000",
    ]

    @Test("S31: every kind honours the rules, lengths among them", arguments: satisfiable)
    func satisfied(text: String) throws {
        var generator = SeededGenerator(seed: 2)
        for kind in [PasswordKind.standard, .random] {
            let rules = PasswordRules(text)
            let checker = Checker(rules.description)
            let passwords = try PasswordGenerator(rules: rules, kind: kind)
            for _ in 0..<300 {
                let password = passwords.password(using: &generator)
                #expect(checker.accepts(password), "\(password)")
                #expect(password.first != " " && password.last != " ")
            }
        }
    }

    static let impossible = [
        "minlength: 9; maxlength: 8", "required: upper; required: lower; required: digit; maxlength: 2", "allowed: [ ]",
        "allowed: [a]; max-consecutive: 1; minlength: 2", "minlength: 5000",
    ]

    @Test("S31: rules that cannot be met are an error that says why", arguments: impossible)
    func refused(text: String) {
        #expect { try PasswordGenerator(rules: PasswordRules(text)) } throws: {
            ($0 as? PasswordGenerationFailure)?.description.hasSuffix(".") == true
        }
    }

    @Test("S31: rules that take for ever to count with are refused at once", arguments: ["", "; minlength: 1000"])
    func hostileRules(length: String) {
        // Ten classes, and each character in others of them than any other.
        let sets = (0..<10).map { bit in
            (0x21...0x7E).filter { $0 >> (bit % 7) & 1 == (bit < 7 ? 1 : 0) && $0 != 0x2D && $0 != 0x5D }
        }
        let required = sets.map { "required: [\(String(decoding: $0.map(UInt8.init), as: UTF8.self))]" }
        let text = required.joined(separator: "; ") + "; max-consecutive: 8" + length
        #expect { try PasswordGenerator(rules: PasswordRules(text), kind: .random) } throws: {
            ($0 as? PasswordGenerationFailure)?.description.contains("too many combinations") == true
        }
    }

    @Test("S31: rules that force passwords that are easy to guess are warned about")
    func weakness() throws {
        #expect(try PasswordGenerator(rules: PasswordRules("allowed: digit; maxlength: 6")).warning != nil)
        #expect(try PasswordGenerator(rules: PasswordRules("allowed: digit; maxlength: 16")).warning == nil)
        #expect(try PasswordGenerator().warning == nil)
        // What is easy to guess at the usual length is made longer where that is allowed.
        let long = try PasswordGenerator(rules: PasswordRules("allowed: [ab]"))
        #expect(long.entropy >= 60 && long.password().count >= 60)
    }

    static let counted: [(String, PasswordKind, Double)] = [
        ("allowed: digit; maxlength: 4", .random, log2(10_000)),
        ("allowed: [ab]; minlength: 3; maxlength: 3", .random, 3),
        ("required: [a]; required: [b]; maxlength: 2", .random, 1),
        ("required: [a]; allowed: [ab]; maxlength: 2", .random, log2(3)),
        ("allowed: [abc]; max-consecutive: 1; maxlength: 3", .random, log2(12)),
        ("allowed: [ab]; max-consecutive: 2; maxlength: 4", .random, log2(10)),
        ("allowed: [ a]; maxlength: 3", .random, 1),
        ("allowed: upper, lower, digit; maxlength: 1", .alphanumeric, -.infinity),
    ]

    @Test(arguments: counted) func entropy(text: String, kind: PasswordKind, bits: Double) throws {
        guard bits.isFinite else {
            #expect(throws: PasswordGenerationFailure.self) {
                try PasswordGenerator(rules: PasswordRules(text), kind: kind)
            }
            return
        }
        #expect(abs(try PasswordGenerator(rules: PasswordRules(text), kind: kind).entropy - bits) < 1e-9)
    }

    static let uniform = [
        "allowed: [abc]; required: [a]; required: [b]; maxlength: 6",
        "allowed: [ab]; max-consecutive: 2; maxlength: 12; minlength: 6",
        "allowed: digit; max-consecutive: 1; maxlength: 3",
        "required: [a]; required: [b]; required: [c]; allowed: [d]; maxlength: 4",
        "required: [a]; required: [bc]; required: [c!]; allowed: [ abcd]; max-consecutive: 1; maxlength: 5",
    ]

    /// Every string that the rules take, by trying all.
    private func all(_ rules: PasswordRules, length: Int) -> [String] {
        var texts = [""]
        for _ in 0..<length {
            texts = texts.flatMap { text in rules.allowed.asciiCharacters.map { text + String($0) } }
        }
        return texts.filter { rules.accept($0) && $0.first != " " && $0.last != " " }
    }

    @Test("S31: every string that satisfies the rules is as likely as any other", arguments: uniform)
    func uniformity(text: String) throws {
        let rules = PasswordRules(text)
        let passwords = try PasswordGenerator(rules: rules, kind: .random)
        var generator = SeededGenerator(seed: 3)
        let strings = all(rules, length: passwords.password(using: &generator).count)
        #expect(abs(log2(Double(strings.count)) - passwords.entropy) < 1e-6)
        var counts = Dictionary(uniqueKeysWithValues: strings.map { ($0, 0) })
        let each = 60
        for _ in 0..<each * strings.count { counts[passwords.password(using: &generator), default: -1_000_000] += 1 }
        let expected = Double(each)
        let chiSquare = counts.values.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        // Five standard deviations of the distribution around its mean.
        let freedom = Double(strings.count - 1)
        #expect(abs(chiSquare - freedom) < 5 * (2 * freedom).squareRoot())
    }

    @Test func theStandardFormat() throws {
        let passwords = try PasswordGenerator()
        #expect((71...72).contains(passwords.entropy))
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let password = passwords.password(using: &generator)
            let groups = password.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.map(\.count) == [6, 6, 6])
            #expect(password.count { $0.isUppercase } == 1 && password.count { $0.isNumber } == 1)
            #expect(password.count { $0.isLowercase } == 16 && password.first?.isNumber == false)
            for group in groups {
                for (index, character) in group.lowercased().enumerated() {
                    #expect("aeiouy".contains(character) == [1, 4].contains(index))
                }
            }
        }
    }

    @Test func theStandardFormatIsKeptToWhereTheRulesTakeIt() throws {
        func isFormat(_ text: String) throws -> Bool {
            let password = try PasswordGenerator(rules: PasswordRules(text)).password()
            return password.split(separator: "-").map(\.count) == [6, 6, 6]
        }
        #expect(try isFormat("required: upper; required: lower; required: digit; required: special; minlength: 8"))
        #expect(try isFormat("required: lower; required: upper; required: digit; allowed: [-]; max-consecutive: 2"))
        #expect(try !isFormat("required: lower; required: upper; required: digit"))
        #expect(try !isFormat("maxlength: 19"))
        #expect(try !isFormat("required: [!]; allowed: ascii-printable"))
    }

    @Test func passphrases() throws {
        let passwords = try PasswordGenerator(kind: .passphrase(words: 6))
        #expect(passwords.entropy > 60)
        let words = passwords.password().split(separator: "-")
        #expect(words.count == 6 && words.count { $0.first?.isUppercase == true } == 1)
        #expect(words.count { $0.last?.isNumber == true } == 1)
        for words in [0, 2, 17, -1, .max] {
            #expect(throws: PasswordGenerationFailure.self) { try PasswordGenerator(kind: .passphrase(words: words)) }
        }
        #expect(throws: PasswordGenerationFailure.self) {
            try PasswordGenerator(rules: PasswordRules("maxlength: 12"), kind: .passphrase(words: 4))
        }
    }

    @Test func lettersAndDigits() throws {
        let rules = PasswordRules("required: upper; required: lower; required: digit; required: special, digit")
        let password = try PasswordGenerator(rules: rules, kind: .alphanumeric).password()
        #expect(password.count == 20 && password.allSatisfy { $0.isLetter || $0.isNumber })
        #expect(throws: PasswordGenerationFailure.self) {
            try PasswordGenerator(rules: PasswordRules("required: special"), kind: .alphanumeric)
        }
    }

    @Test func systemRandomnessGivesOthersEachTime() throws {
        let passwords = try PasswordGenerator()
        #expect(Set((0..<100).map { _ in passwords.password() }).count == 100)
    }
}
