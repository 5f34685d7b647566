// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillAsking
internal import AutoFillIPC
internal import AutoFillSecrets
internal import FormAnalysis
internal import FormStatements

/// A submitted form, read by the roles that `FormAnalysis` gives its fields.
struct SubmittedForm: Sendable {
    /// The kind of password. A page that asks for the same kind again has not accepted it.
    enum Kind: Sendable, Equatable {
        case current
        case new
    }

    /// Maximum length of a password in bytes, as in `ItemLimits`.
    private static let passwordLimit = 4_096
    /// Highest confidence of a role that a field has only because of its position.
    private static let guess = 0.6

    /// The user name; `nil` if none was typed.
    let user: String?
    /// With a current password: an e-mail address in another field, which may be the saved user name.
    let otherUser: String?
    /// Whether the page names the field as one for a user name; `false` if it is only the text field before the password.
    let isUserSure: Bool
    /// A key for the field of the user name. A name in the same field replaces the earlier one.
    let userField: String
    /// The password to save, and its kind.
    let password: (value: SecretBytes, kind: Kind)?
    /// With a new password: the account's old password.
    let oldPassword: SecretBytes?

    /// - Returns: `nil` if nothing was typed that could be saved.
    init?(_ page: PageStatement, values: [TypedValue]) {
        let statements = Array(page.fields.prefix(PageDescription.fieldLimit))
        let analysis = FormAnalyzer().analyze(PageDescription(page))
        var typed: [Int: SecretBytes] = [:]
        for value in values.prefix(PageDescription.fieldLimit) where value.value.bytes.count > 0 {
            guard let index = statements.firstIndex(where: { $0.ref == value.ref }) else { continue }
            typed[index] = value.value.bytes
        }
        func indices(_ role: FieldRole, in fields: [Int]) -> [Int] {
            fields.filter { analysis.fields.indices.contains($0) && analysis.fields[$0].role == role }
        }
        // Prefer the form in which a password was typed; otherwise any with typed text.
        let forms = analysis.forms.filter { form in form.fields.contains { typed[$0] != nil } }
        let chosen =
            forms.first { form in
                form.fields.contains { typed[$0] != nil && analysis.fields[$0].role?.isPassword == true }
            } ?? forms.first
        guard let chosen else { return nil }
        let new = indices(.newPassword, in: chosen.fields)
        let current = indices(.currentPassword, in: chosen.fields)
        let newValues = new.compactMap { typed[$0] }
        let currentValue = current.compactMap { typed[$0] }.first
        var password: (SecretBytes, Kind)?
        var first = current.first
        if let value = newValues.first {
            // Every site refuses a repetition that differs.
            guard newValues.allSatisfy({ $0 == value }) else { return nil }
            password = (value, .new)
            first = new.first
        } else if let currentValue {
            password = (currentValue, .current)
        }
        if let (value, _) = password, value.count > Self.passwordLimit { return nil }
        let all = indices(.username, in: chosen.fields).filter { typed[$0] != nil }
        // A field that the page calls the user name goes before one for an e-mail address.
        let tagged = all.filter { statements[$0].autocomplete?.split(separator: " ").contains("username") == true }
        let names = tagged.isEmpty ? all : tagged
        let name = first.flatMap { place in names.last { $0 < place } } ?? names.first
        user = name.flatMap { typed[$0] }.flatMap(Self.text)
        isUserSure = name.map { analysis.fields[$0].confidence > Self.guess } ?? false
        userField =
            name.map { [page.path, statements[$0].name, statements[$0].id].map { $0 ?? "" }.joined(separator: "\n") }
            ?? ""
        otherUser = statements.indices.first { index in
            index != name && newValues.isEmpty && typed[index] != nil && statements[index].type == "email"
                && statements[index].form == chosen.form && name != nil
        }.flatMap { typed[$0] }.flatMap(Self.text)
        self.password = password.map { ($0.0, $0.1) }
        oldPassword = newValues.isEmpty ? nil : currentValue
        if user == nil, password == nil { return nil }
    }

    /// A user name; `nil` for a text that no item can have as one.
    private static func text(_ bytes: SecretBytes) -> String? {
        guard bytes.count <= SavedName.limit else { return nil }
        let text = bytes.withUnsafeBytes { String(onHeap: $0) }
        return text.flatMap { SavedName.isValid($0) ? $0 : nil }
    }
}

/// The page after a submission: if it asks for a kind of password again, it has not accepted the one before.
struct AfterSubmission: Sendable {
    /// Whether a form asks for a current password, and for no new one.
    private let signsIn: Bool
    private let asksForNew: Bool

    init(_ page: PageStatement) {
        let statements = Array(page.fields.prefix(PageDescription.fieldLimit))
        let analysis = FormAnalyzer().analyze(PageDescription(page))
        let forms = analysis.forms.map { form in
            Set(
                form.fields.filter { statements[$0].visible == true && statements[$0].editable != false }
                    .compactMap { analysis.fields[$0].role })
        }
        signsIn = forms.contains { $0.contains(.currentPassword) && !$0.contains(.newPassword) }
        asksForNew = forms.contains { $0.contains(.newPassword) }
    }

    /// Whether the page has rejected a password. A sign-in page after an account was made, or after its password was changed, has accepted
    /// the new one.
    func rejects(_ kind: SubmittedForm.Kind) -> Bool {
        switch kind {
        case .current: signsIn
        case .new: asksForNew
        }
    }
}
