// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads a text of rules the way browsers do, and says what is wrong in it.
///
/// A text is `rule *(";" rule) [";"]`, a rule `name ":" [value]`; space, form feed, line feed, carriage return and tab may stand
/// between tokens, though not between a name and its colon, and not behind a number.
public struct PasswordRulesReading: Sendable {
    public let rules: PasswordRules
    public let diagnostics: [RulesDiagnostic]

    public init(_ text: String) {
        var text = text
        self = text.withUTF8 { bytes in
            var reader = RulesReader(bytes)
            reader.read()
            return PasswordRulesReading(rules: PasswordRules(reader.combination), diagnostics: reader.diagnostics)
        }
    }

    private init(rules: PasswordRules, diagnostics: [RulesDiagnostic]) {
        self.rules = rules
        self.diagnostics = diagnostics + Self.warnings(rules)
    }

    /// What is well written and still cannot be meant.
    private static func warnings(_ rules: PasswordRules) -> [RulesDiagnostic] {
        guard let least = rules.minLength, let most = rules.maxLength, least > most else { return [] }
        return [
            RulesDiagnostic(
                column: 1, consequence: .warning,
                message: "No password is as long as minlength (\(least)) and as short as maxlength (\(most)) ask.",
                fix: "Let maxlength be at least minlength.")
        ]
    }
}
