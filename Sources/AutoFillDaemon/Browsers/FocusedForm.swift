// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis
internal import FormStatements

/// The fields that a fill of the focused form would fill, by `FormAnalysis`: those for a user name and a password, or those for a
/// code.
struct FocusedForm: Sendable {
    /// The fields in the page's order; empty if the form takes neither a saved password nor a code.
    let fields: [FieldRoleAnswer]
    /// The rules that the fields state for a new password; `nil` if they do not take one.
    private(set) var newPassword: NewPasswordForm?

    /// - Parameter focused: the reference of the focused field; `nil` picks the first form that signs in.
    init(_ page: PageStatement, focused: Int?) {
        let statements = Array(page.fields.prefix(PageDescription.fieldLimit))
        var analysis = FormAnalyzer().analyze(PageDescription(page))
        // A field that shows what is typed gets no password, whatever it is called.
        for (index, statement) in statements.enumerated()
        where analysis.fields[index].role?.isPassword == true && statement.type != "password" {
            analysis.fields[index].role = nil
        }
        let index: Int? =
            if let focused {
                statements.firstIndex { $0.ref == focused }
            } else {
                analysis.fields.firstIndex { $0.role == .currentPassword }
                    ?? analysis.fields.firstIndex { $0.role == .newPassword }
                    ?? analysis.fields.firstIndex { $0.role == .username }
                    ?? analysis.fields.firstIndex { $0.role == .oneTimeCode }
            }
        if let index, analysis.fields[index].role == .newPassword {
            let places = Set(analysis.companions(of: index) + [index]).sorted()
            fields = places.map { FieldRoleAnswer(ref: statements[$0].ref, role: FieldRole.newPassword.rawValue) }
            newPassword = NewPasswordForm(places.map { statements[$0] })
            return
        } else if let index, let code = Self.codeFields(statements, analysis, index) {
            fields = code
            return
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
        return ![.signUp, .oneTimeCode, .none].contains(form.kind)
    }
}
