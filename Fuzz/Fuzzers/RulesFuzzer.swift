// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import PasswordRules

extension Fuzzer {
    /// Password rules: printing and reading again is the identity, and what is generated satisfies them.
    static let rules = Fuzzer(
        "rules",
        words: [
            "required: ", "allowed: ", "max-consecutive: ", "minlength: ", "maxlength: ", "upper", "lower", "digit",
            "special",
            "ascii-printable", "unicode", "[-!]]", "; ", ", ",
        ],
        seeds: {
            [
                "required: upper; required: lower; required: digit; allowed: [-!@]; minlength: 8; maxlength: 12",
                "allowed: [abc]; max-consecutive: 1; maxlength: 5", "required: special, [a]; required: unicode;;",
                "é required : upper",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let rules = PasswordRules(String(decoding: bytes, as: UTF8.self))
            precondition(PasswordRules(rules.description) == rules, "another reading of what was printed")
            for kind in [PasswordKind.standard, .random, .alphanumeric] {
                guard let passwords = try? PasswordGenerator(rules: rules, kind: kind) else { continue }
                precondition(
                    passwords.entropy >= 0 && rules.accept(passwords.password()), "a password against the rules")
            }
        })
}
