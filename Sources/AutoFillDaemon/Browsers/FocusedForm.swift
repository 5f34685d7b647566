// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis

/// The fields that a fill of the focused form would fill, by `FormAnalysis`.
struct FocusedForm: Sendable {
    /// In the page's order; empty when the form is none that a password is saved for.
    let fields: [FieldRoleAnswer]

    private static let fieldLimit = 64
    private static let formLimit = 32
    private static let textLimit = 512

    /// - Parameter focused: the focused field; nothing picks the first form that signs in.
    init(_ page: PageStatement, focused: Int?) {
        let statements = Array(page.fields.prefix(Self.fieldLimit))
        let description = PageDescription(
            fields: statements.map(Self.describe), forms: (page.forms ?? []).prefix(Self.formLimit).map(Self.describe),
            outsideForms: Self.describe(page.outside ?? FormStatement()), title: Self.cut(page.title),
            path: Self.cut(page.path), language: Self.cut(page.language))
        let analysis = FormAnalyzer().analyze(description)
        let index: Int? =
            if let focused {
                statements.firstIndex { $0.ref == focused }
            } else {
                analysis.fields.firstIndex { $0.role == .currentPassword }
                    ?? analysis.fields.firstIndex { $0.role == .username }
            }
        guard let index, Self.isFilled(analysis.fields[index].role), Self.signsIn(analysis, index) else {
            fields = []
            return
        }
        fields = Set(analysis.companions(of: index) + [index]).sorted().compactMap { companion in
            guard let role = analysis.fields[companion].role, Self.isFilled(role) else { return nil }
            return FieldRoleAnswer(ref: statements[companion].ref, role: role.rawValue)
        }
    }

    private static func isFilled(_ role: FieldRole?) -> Bool {
        role == .username || role == .currentPassword
    }

    private static func signsIn(_ analysis: PageAnalysis, _ index: Int) -> Bool {
        guard let form = analysis.forms.first(where: { $0.fields.contains(index) }) else { return true }
        return form.kind != .signUp && form.kind != .oneTimeCode
    }

    private static func describe(_ field: FieldStatement) -> FieldDescription {
        FieldDescription(
            tag: cut(field.tag ?? "input"), type: cut(field.type), name: cut(field.name), identifier: cut(field.id),
            autocomplete: cut(field.autocomplete), inputMode: cut(field.inputmode), pattern: cut(field.pattern),
            passwordRules: cut(field.passwordrules), placeholder: cut(field.placeholder), ariaLabel: cut(field.aria),
            label: cut(field.label), nearbyText: cut(field.nearby), maxLength: field.maxlength, form: field.form,
            isVisible: field.visible ?? true, isEditable: field.editable ?? true)
    }

    private static func describe(_ form: FormStatement) -> FormContext {
        FormContext(
            name: cut(form.name), identifier: cut(form.id), actionPath: cut(form.action), method: cut(form.method),
            buttons: (form.buttons ?? []).prefix(16).map { cut($0) },
            headings: (form.headings ?? []).prefix(16).map { cut($0) })
    }

    private static func cut(_ text: String?) -> String {
        guard let text else { return "" }
        return text.utf8.count <= textLimit ? text : String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
    }
}
