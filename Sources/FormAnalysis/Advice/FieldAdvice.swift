// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What could be better about one field that has a role.
struct FieldAdvice {
    private(set) var all: [Advice] = []
    private let index: Int

    init(_ field: FieldDescription, at index: Int, role: FieldRole, kind: FormKind) {
        self.index = index
        checkTag(field, role, kind)
        checkLabel(field)
        checkName(field)
        switch role {
        case .currentPassword, .newPassword: checkPassword(field, role)
        case .oneTimeCode: checkCode(field)
        case .username: checkUserName(field)
        }
    }

    private mutating func checkTag(_ field: FieldDescription, _ role: FieldRole, _ kind: FormKind) {
        let tagged = AutocompleteHint(field.autocomplete).role
        if tagged == role { return }
        let isEmail =
            role == .username && (field.type.lowercased() == "email" || AutocompleteHint(field.autocomplete).isEmail)
        // HTML allows one field name; on a form for signing up, an address that is tagged as one is well tagged.
        if isEmail, kind == .signUp, AutocompleteHint(field.autocomplete).isEmail { return }
        let fix = "autocomplete=\"\(role.rawValue)\""
        if let tagged {
            add(
                "wrong-autocomplete", .error,
                "It is tagged autocomplete=\"\(tagged.rawValue)\", and is used as \(role.rawValue).", fix)
        } else if field.autocomplete.lowercased() == "off" {
            add(
                "autocomplete-off", .warning,
                "autocomplete=\"off\" does not keep AutoFill away from credentials; it only hides what the field takes.",
                fix)
        } else {
            add("missing-autocomplete", .warning, "AutoFill has to guess that it takes the \(role.rawValue).", fix)
        }
    }

    private mutating func checkLabel(_ field: FieldDescription) {
        guard field.label.isEmpty, field.ariaLabel.isEmpty else { return }
        let target = field.identifier.isEmpty ? "ID" : field.identifier
        add(
            "missing-label", field.placeholder.isEmpty ? .warning : .note, "No label names it.",
            "<label for=\"\(target)\">…</label>")
    }

    private mutating func checkName(_ field: FieldDescription) {
        guard field.identifier.isEmpty, field.name.isEmpty else { return }
        add(
            "missing-name", .note,
            "It has neither a name nor an id, so that it cannot be found again when the page rebuilds it.",
            "id=\"…\" name=\"…\", the same at every visit")
    }

    private mutating func checkPassword(_ field: FieldDescription, _ role: FieldRole) {
        if field.type.lowercased() != "password" {
            add(
                "visible-password", .warning, "It shows the typed password.",
                "type=\"password\", and a button that shows it"
            )
        }
        if let length = field.maxLength, (1..<64).contains(length) {
            add(
                "short-password", role == .newPassword ? .warning : .note,
                "maxlength=\"\(length)\" cuts longer passwords off without a word.", "maxlength=\"128\", or none")
        }
        if role == .newPassword, field.passwordRules.isEmpty {
            add(
                "missing-passwordrules", .note, "A generated password may not match the site's rules.",
                "passwordrules=\"minlength: 12; required: lower; required: digit;\" with the site's own rules")
        }
    }

    private mutating func checkCode(_ field: FieldDescription) {
        let modes = ["numeric", "decimal", "tel"]
        if field.type.lowercased() != "tel", field.type.lowercased() != "number",
            !modes.contains(field.inputMode.lowercased())
        {
            add("code-keyboard", .note, "A telephone shows its keyboard of letters.", "inputmode=\"numeric\"")
        }
        if field.type.lowercased() == "number" {
            add("code-number", .note, "type=\"number\" drops leading zeros.", "type=\"text\" inputmode=\"numeric\"")
        }
        if field.maxLength == 1 {
            add(
                "code-boxes", .note, "A box for each digit takes no code at once.",
                "one field with maxlength=\"6\", drawn as boxes")
        }
    }

    private mutating func checkUserName(_ field: FieldDescription) {
        if field.type.lowercased() == "number" {
            add(
                "number-user-name", .warning, "type=\"number\" drops leading zeros.",
                "type=\"text\" inputmode=\"numeric\"")
        }
    }

    private mutating func add(_ rule: String, _ severity: Advice.Severity, _ problem: String, _ fix: String) {
        all.append(Advice(rule: rule, severity: severity, field: index, problem: problem, fix: fix))
    }
}
