// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the analysis says of a page.
public struct PageAnalysis: Sendable, Hashable {
    /// One answer for each field of the page, in the same order.
    public var fields: [FieldAnalysis]
    /// One answer for each form that has fields, in the order of their first fields.
    public var forms: [FormAnalysisResult]

    /// States what a page asks for; without arguments, nothing.
    public init(fields: [FieldAnalysis] = [], forms: [FormAnalysisResult] = []) {
        self.fields = fields
        self.forms = forms
    }

    /// What the page is for: what its first form with a password is for, or else its first that asks for any credential.
    public var kind: FormKind {
        let withPassword = forms.first { form in
            form.fields.contains { fields.indices.contains($0) && (fields[$0].role?.isPassword ?? false) }
        }
        return (withPassword ?? forms.first { !$0.fields.isEmpty })?.kind ?? .none
    }

    /// The other fields that are filled together with the field at `index`, in document order; never `index` itself.
    ///
    /// A user name and a current password go together; so do the fields that take the same new password, and the
    /// boxes that take one code. The fields are of the same form. Where a form has several user names, the last one
    /// before the password is meant. Empty for an index that has no role or does not exist.
    public func companions(of index: Int) -> [Int] {
        guard fields.indices.contains(index), let role = fields[index].role,
            let form = forms.first(where: { $0.fields.contains(index) })
        else { return [] }
        let others = form.fields.filter { fields.indices.contains($0) && $0 != index }
        switch role {
        case .newPassword, .oneTimeCode:
            return others.filter { fields[$0].role == role }
        case .currentPassword:
            return userName(for: index, among: others).map { [$0] } ?? []
        case .username:
            let passwords = others.filter { fields[$0].role == .currentPassword }
            let names = form.fields.filter { fields.indices.contains($0) }
            // Of two that look like the password one is filled.
            return Array(passwords.filter { userName(for: $0, among: names) == index }.prefix(1))
        }
    }

    private func userName(for password: Int, among candidates: [Int]) -> Int? {
        let names = candidates.filter { fields[$0].role == .username }
        return names.last { $0 < password } ?? names.first
    }
}
