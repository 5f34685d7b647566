// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis

/// A page with one form, and the roles that its fields should have.
struct SamplePage: Sendable, CustomStringConvertible {
    let description: String
    let page: PageDescription
    let roles: [FieldRole?]
    let kind: FormKind?

    init(
        _ description: String,
        _ fields: [FieldDescription],
        form: FormContext = FormContext(),
        title: String = "",
        path: String = "",
        roles: [FieldRole?],
        kind: FormKind? = nil
    ) {
        self.description = description
        let placed = fields.map { field in
            var field = field
            field.form = 0
            return field
        }
        page = PageDescription(fields: placed, forms: [form], title: title, path: path)
        self.roles = roles
        self.kind = kind
    }

    var analysis: PageAnalysis { FormAnalyzer().analyze(page) }
}

extension FieldDescription {
    static func text(_ name: String, label: String = "", autocomplete: String = "") -> FieldDescription {
        FieldDescription(type: "text", name: name, autocomplete: autocomplete, label: label)
    }

    static func email(_ name: String = "email") -> FieldDescription {
        FieldDescription(type: "email", name: name)
    }

    static func password(
        _ name: String = "password",
        label: String = "",
        autocomplete: String = ""
    )
        -> FieldDescription
    {
        FieldDescription(type: "password", name: name, autocomplete: autocomplete, label: label)
    }

    static func code(_ name: String, label: String = "", maxLength: Int? = 6) -> FieldDescription {
        FieldDescription(type: "text", name: name, inputMode: "numeric", label: label, maxLength: maxLength)
    }

    /// A check box, which takes no text and still says what a form is for.
    static func checkBox(_ label: String) -> FieldDescription {
        FieldDescription(type: "checkbox", name: "box", label: label)
    }
}

extension FormContext {
    static func button(_ text: String) -> FormContext { FormContext(buttons: [PageText(text)]) }
}
