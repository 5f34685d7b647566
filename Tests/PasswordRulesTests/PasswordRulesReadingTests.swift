// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PasswordRules
import Testing

/// How rules are read and printed.
@Suite struct PasswordRulesReadingTests {
    static let printed: [(String, String)] = [
        // Nothing stated.
        ("", "allowed: ascii-printable"),
        ("   \t\n", "allowed: ascii-printable"),
        (";required: upper", "allowed: ascii-printable"),
        // Classes.
        ("required: upper", "required: upper; allowed: upper"),
        ("required: upper;", "required: upper; allowed: upper"),
        ("required:upper", "required: upper; allowed: upper"),
        (" required:\tUPPER\r\n", "required: upper; allowed: upper"),
        ("required: upper, lower", "required: upper, lower; allowed: upper, lower"),
        ("required: lower,upper,lower", "required: upper, lower; allowed: upper, lower"),
        (
            "required: upper; required: lower; required: digit",
            "required: upper; required: lower; required: digit; allowed: upper, lower, digit"
        ),
        ("required: upper; required: upper", "required: upper; required: upper; allowed: upper"),
        ("allowed: digit; allowed: lower", "allowed: lower, digit"),
        ("allowed: digit; required: [-]", "required: [-]; allowed: digit, [-]"),
        ("allowed: upper, lower, digit, special", "allowed: ascii-printable"),
        ("required: upper, unicode", "required: unicode; allowed: unicode"),
        ("allowed: unicode, ascii-printable", "allowed: unicode"),
        ("allowed: ascii-printable, unicode", "allowed: ascii-printable"),
        ("allowed: unicode; required: ascii-printable", "allowed: unicode; required: ascii-printable"),
        ("allowed: upper, lower, digit, special; allowed: unicode", "allowed: unicode"),
        // Custom classes.
        ("allowed: [a-z]", "allowed: [az]"),
        ("allowed: [-az]", "allowed: [-az]"),
        ("allowed: []]", "allowed: []]"),
        ("allowed: [ab]]", "allowed: [ab]]"),
        ("allowed: [-]]", "allowed: [-]]"),
        ("allowed: [!@#cBa1]", "allowed: [Bac1!#@]"),
        ("allowed: [ ]", "allowed: [ ]"),
        ("allowed: [aé€b]", "allowed: [ab]"),
        ("allowed: [é]", "allowed: ascii-printable"),
        ("allowed: []", "allowed: ascii-printable"),
        ("required: []; allowed: digit", "allowed: digit"),
        ("required: [0123456789]", "required: digit; allowed: digit"),
        ("required: [0123456789a]", "required: digit, [a]; allowed: digit, [a]"),
        ("required: upper, [", "required: upper; allowed: upper"),
        ("required: upper, [ab", "required: upper; allowed: upper"),
        // Numbers.
        (
            "minlength: 8; maxlength: 20; max-consecutive: 2",
            "allowed: ascii-printable; max-consecutive: 2; minlength: 8; maxlength: 20"
        ),
        ("minlength: 8; minlength: 12; minlength: 4", "allowed: ascii-printable; minlength: 12"),
        ("maxlength: 8; maxlength: 12; maxlength: 4", "allowed: ascii-printable; maxlength: 4"),
        ("max-consecutive: 3; max-consecutive: 2", "allowed: ascii-printable; max-consecutive: 2"),
        ("minlength: 0; maxlength: 0; max-consecutive: 0", "allowed: ascii-printable"),
        ("maxlength: 5; maxlength: 0", "allowed: ascii-printable; maxlength: 5"),
        ("minlength: 007", "allowed: ascii-printable; minlength: 7"),
        ("minlength: 8 ; maxlength: 9", "allowed: ascii-printable; maxlength: 9"),
        ("maxlength: 9; minlength: 8 ", "allowed: ascii-printable; maxlength: 9"),
        ("maxlength: 99999999999999999999", "allowed: ascii-printable; maxlength: 9223372036854775807"),
        // One rule lost, the others kept.
        ("minlength: 8; required", "allowed: ascii-printable; minlength: 8"),
        ("required; minlength: 8", "allowed: ascii-printable; minlength: 8"),
        ("required ; minlength: 8", "allowed: ascii-printable; minlength: 8"),
        ("required:; minlength: 8", "allowed: ascii-printable; minlength: 8"),
        ("minlength: 8; required: upper,", "allowed: ascii-printable; minlength: 8"),
        ("required: upper,; minlength: 8", "allowed: ascii-printable; minlength: 8"),
        // Reading ends, what came before is kept.
        ("required: upper;; minlength: 8", "required: upper; allowed: upper"),
        ("required: upper; 8", "required: upper; allowed: upper"),
        ("required: upper; é", "required: upper; allowed: upper"),
        // Everything lost.
        ("minlength: 8; foo: 3", "allowed: ascii-printable"),
        ("minlength: 8; foo", "allowed: ascii-printable"),
        ("minlength: 8; Required: upper", "allowed: ascii-printable"),
        ("minlength: 8; required : upper", "allowed: ascii-printable"),
        ("minlength: 8; required: digits", "allowed: ascii-printable"),
        ("minlength: 8; required: upper lower", "allowed: ascii-printable"),
        ("minlength: 8; required: upper[a]", "allowed: ascii-printable"),
        ("minlength: 8; required: ,upper", "allowed: ascii-printable"),
        ("minlength: 8; required: 5", "allowed: ascii-printable"),
        ("required: upper; minlength: -5", "allowed: ascii-printable"),
        ("minlength: 8x; maxlength: 4", "allowed: ascii-printable"),
        ("required: upper; minlength: 8 x", "allowed: ascii-printable"),
        ("required: upper; maxlength: ٨", "allowed: ascii-printable"),
    ]

    @Test(arguments: printed) func reading(text: String, canonical: String) {
        #expect(PasswordRules(text).description == canonical)
        #expect(PasswordRules(canonical).description == canonical)
    }

    @Test func whatIsWrongIsToldWithItsPlaceAndAFix() throws {
        func first(_ text: String) throws -> RulesDiagnostic {
            try #require(PasswordRulesReading(text).diagnostics.first)
        }
        #expect(try first("required: digits").column == 11)
        #expect(try first("required: digits").consequence == .discardsEverything)
        #expect(try first("é; ").column == 1)
        #expect(try first("allowed: [é-]; foo: 1").column == 11)
        #expect(try first("minlength: 8 ;").column == 13)
        #expect(try first("minlength: 8 ;").consequence == .dropsRule)
        #expect(try first("minlength: 9; maxlength: 8").consequence == .warning)
        #expect(PasswordRulesReading("required: upper; minlength: 8").diagnostics.isEmpty)
        #expect(PasswordRulesReading("required: digits").diagnostics.count == 1)
    }

    @Test func aTextFullOfFaultsIsReadInTimeAndToldOfInPart() {
        let reading = PasswordRulesReading("allowed: [" + String(repeating: "--é", count: 200_000) + "]")
        #expect((1...64).contains(reading.diagnostics.count))
    }

    @Test func sourcesCombine() {
        let rules = PasswordRules(combining: [
            "required: upper; minlength: 8", "allowed: digit; maxlength: 12; minlength: 6", "bad",
        ])
        #expect(rules.description == "required: upper; allowed: upper, digit; minlength: 8; maxlength: 12")
        #expect(PasswordRules(combining: ["allowed: ascii-printable", "required: upper"]).allowed == .asciiPrintable)
        #expect(PasswordRules(combining: []) == .unstated)
    }

    @Test func rulesMadeInCodeAreThoseThatArePrinted() {
        let rules = PasswordRules(
            required: [.upper, CharacterClasses(characters: "-]!")], allowed: .digit, maxConsecutive: 2, minLength: 8,
            maxLength: 0)
        #expect(
            rules.description
                == "required: upper; required: [-!]]; allowed: upper, digit, [-!]]; max-consecutive: 2; minlength: 8")
        #expect(PasswordRules(rules.description) == rules)
    }

    @Test func acceptance() {
        let rules = PasswordRules(
            "required: upper; required: digit; allowed: lower; max-consecutive: 2; minlength: 4; maxlength: 6")
        for password in ["aaB1", "a1B1a1"] { #expect(rules.accept(password)) }
        for password in ["aB1", "aaaB1", "abcB", "abc1", "aaBB11a", "aaB1é", "aB1!"] {
            #expect(!rules.accept(password))
        }
        let unicode = PasswordRules("allowed: unicode; required: digit; minlength: 3; max-consecutive: 2")
        for password in ["1é🙂", "123", "éé1éé"] { #expect(unicode.accept(password)) }
        // What is one character for people is one here, of two bytes, two scalars or a line's end.
        for password in ["1é", "1e\u{301}", "1\r\n", "1ééé", "éééé", ""] { #expect(!unicode.accept(password)) }
    }

    @Test("printing and reading again is the identity, whatever was read")
    func anyText() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "required", "allowed", "max-consecutive", "minlength", "maxlength", ":", ": ", ";", "; ", ",", ", ", " ",
            "upper", "lower",
            "digit", "special", "ascii-printable", "unicode", "[", "]", "[abc]", "[-]]", "-", "8", "12", "é", "\n", "x",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<14, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let rules = PasswordRules(text)
            #expect(PasswordRules(rules.description) == rules, "\(text)")
        }
    }
}

/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
