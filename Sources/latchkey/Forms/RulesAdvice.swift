// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import PasswordRules

/// What is wrong with the rules that a page states for its passwords.
enum RulesAdvice {
    /// One advice for each field whose `passwordrules` browsers would not read as they are meant.
    static func advice(for page: PageDescription) -> [Advice] {
        page.fields.enumerated().compactMap { index, field in
            guard !field.passwordRules.isEmpty,
                let fault = PasswordRulesReading(field.passwordRules).diagnostics.first
            else { return nil }
            return Advice(
                rule: "wrong-passwordrules", severity: .error, field: index,
                problem: "passwordrules, column \(fault.column): \(fault.message)", fix: fault.fix)
        }
    }
}
