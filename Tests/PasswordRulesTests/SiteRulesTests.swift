// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PasswordRules
import Testing

@Suite struct SiteRulesTests {
    @Test func everythingThatIsSaidHoldsTogether() {
        let rules = SiteRules(field: "minlength: 8", confirmation: "required: digit", known: "maxlength: 12")
        #expect(rules.rules == PasswordRules(required: [.digit], minLength: 8, maxLength: 12))
        #expect(!rules.isReduced)
        #expect(SiteRules().rules == .unstated)
        #expect(SiteRules(field: "", confirmation: nil, known: "").rules == .unstated)
    }

    @Test func whatIsKnownWinsWhereNothingSatisfiesAll() throws {
        let rules = SiteRules(field: "minlength: 20", known: "maxlength: 12; required: lower")
        #expect(rules.isReduced)
        #expect(rules.rules == PasswordRules("maxlength: 12; required: lower"))
        let generator = try PasswordGenerator(rules: rules.rules)
        #expect(rules.rules.accept(generator.password()))
    }

    @Test func nothingIsBetterThanNoPassword() {
        let rules = SiteRules(field: "minlength: 20; maxlength: 12")
        #expect(rules.rules == .unstated)
        #expect(rules.isReduced)
    }
}

@Suite struct PatternRulesTests {
    @Test(arguments: [
        (".{8,}", "minlength: 8"), ("^.{8,20}$", "minlength: 8; maxlength: 20"),
        ("[A-Za-z0-9]{8,20}", "allowed: upper, lower, digit; minlength: 8; maxlength: 20"),
        (
            "(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}",
            "required: digit; required: lower; required: upper; allowed: ascii-printable; minlength: 8"
        ),
        ("(?=.*?[#?!@$%^&*-]).{10}", "required: [-!#$%&*?@^]; allowed: ascii-printable; minlength: 10; maxlength: 10"),
        ("[\\w-]{6,}", "allowed: upper, lower, digit, [-_]; minlength: 6"),
        ("[0-9]+", "allowed: digit; minlength: 1"),
    ])
    func readsPlainPatterns(pattern: String, rules: String) {
        #expect(PatternRules.text(of: pattern) == rules)
        #expect(PasswordRulesReading(rules).diagnostics.isEmpty)
    }

    @Test(arguments: [
        "", "(a+)+b", "a|b", "[a-z", "[z-a]{3}", ".{8", ".{9,8}", "(?!.*x).{8,}", "(?=.*[a-z]).", "\\p{L}{8}", ".{8,}x",
        "(?=.*\\d)[a-z]{8,}", "[]{3}", "\u{1F511}{3}", String(repeating: "(?=.*a)", count: 200) + ".{8,}", "{3}", "(",
        "\\",
    ])
    func anythingElseIsNoRule(pattern: String) {
        #expect(PatternRules.text(of: pattern) == nil)
    }
}
