// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import PasswordRules

/// What a new password has to be. The same text stands in the pages' `passwordrules` and in the extension's `Info.plist`.
struct PasswordPolicy: Sendable {
    static let standard = PasswordPolicy(
        rules: "minlength: 16; maxlength: 64; required: lower; required: upper; required: digit; allowed: [-];")

    /// In the password rules language.
    let rules: String

    /// Refuses a password that the rules do not take.
    func check(_ password: String) throws(Refusal) {
        guard PasswordRules(rules).accept(password) else {
            throw Refusal(
                .policy,
                "A new password has 16 to 64 letters, digits and hyphens, small and capital letters and digits among them."
            )
        }
    }
}
