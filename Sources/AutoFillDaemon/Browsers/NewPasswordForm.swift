// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import PasswordRules

/// The password rules that the fields for a new password state: the first field, and the one that repeats it.
///
/// A valid `passwordrules` is passed on unchanged, so that it can be combined with rules known for the site; `minlength` and `maxlength`
/// are appended. A `pattern` is used only if there is no `passwordrules`, and only if it is a simple one.
struct NewPasswordForm: Sendable, Equatable {
    let fieldRules: String?
    let confirmationRules: String?

    /// - Parameter fields: those that take the new password, in the page's order.
    init(_ fields: [FieldStatement]) {
        fieldRules = fields.first.flatMap(Self.rules)
        confirmationRules = fields.dropFirst().first.flatMap(Self.rules)
    }

    private static func rules(of field: FieldStatement) -> String? {
        var parts: [String] = []
        let stated = field.passwordrules ?? ""
        if !stated.isEmpty {
            let reading = PasswordRulesReading(stated)
            if reading.diagnostics.allSatisfy({ $0.consequence == .warning }) {
                parts.append(stated.trimmed)
            } else if reading.rules != .unstated {
                parts.append(reading.rules.description)
            }
        } else if let text = field.pattern.flatMap(PatternRules.text) {
            parts.append(text)
        }
        // Lengths that no password can have are a mistake of the page, and are ignored.
        if let least = field.minlength, (1...1_000).contains(least) { parts.append("minlength: \(least)") }
        if let most = field.maxlength, (4...4_096).contains(most) { parts.append("maxlength: \(most)") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension String {
    /// Without white space and semicolons at its end.
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace || last == ";" { text.removeLast() }
        return String(text)
    }
}
