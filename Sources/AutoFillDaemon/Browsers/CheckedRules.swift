// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import PasswordRules

extension Renderer.CheckRules.Answer {
    /// The answer of `latchkey rules check`. It is computed from the text of the rules alone.
    init(checking text: String) throws(WireError) {
        guard text.utf8.count <= Renderer.CheckRules.limit else {
            throw WireError(.invalidParams, "Rules longer than \(Renderer.CheckRules.limit) bytes are not read.")
        }
        let reading = PasswordRulesReading(text)
        let rules = reading.rules
        self.init(
            canonical: rules.description, characters: rules.allowed.asciiCharacters, isUnicode: rules.allowed.isUnicode,
            minlength: rules.minLength, maxlength: rules.maxLength, maxConsecutive: rules.maxConsecutive,
            diagnostics: reading.diagnostics.map {
                RulesFinding(
                    column: $0.column, message: $0.message, fix: $0.fix, loses: $0.consequence != .warning)
            }, entropy: nil, warning: nil, examples: [], failure: nil)
        do {
            let generator = try PasswordGenerator(rules: rules)
            entropy = Int(generator.entropy)
            warning = generator.warning
            examples = (0..<10).map { _ in generator.password() }
        } catch {
            failure = error.description
        }
    }
}
