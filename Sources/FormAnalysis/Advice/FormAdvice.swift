// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What could be better about one form.
struct FormAdvice {
    private(set) var all: [Advice] = []
    private let result: FormAnalysisResult

    init(_ page: PageDescription, _ analysis: PageAnalysis, _ result: FormAnalysisResult) {
        self.result = result
        let roles = Set(
            result.fields.compactMap { analysis.fields.indices.contains($0) ? analysis.fields[$0].role : nil })
        let form = result.form.flatMap { page.forms.indices.contains($0) ? page.forms[$0] : nil }
        if form == nil {
            add(
                "missing-form", .warning,
                "Its fields are not in a form, so nothing shows that they belong together.",
                "<form method=\"post\">…<button type=\"submit\">…</button></form>")
        } else if let form, form.method.lowercased() != "post", !form.actionPath.isEmpty,
            roles.contains(where: \.isPassword)
        {
            add("form-method", .error, "It sends the password in the address of the next page.", "method=\"post\"")
        }
        if !roles.contains(.username), roles.contains(where: \.isPassword) {
            add(
                "missing-username", .note,
                "No field names the account, so a new password is saved without a user name.",
                "<input type=\"text\" autocomplete=\"username\" readonly value=\"…\">")
        }
        let passwords = result.fields.filter {
            analysis.fields.indices.contains($0) && analysis.fields[$0].role == .newPassword
        }
        if result.kind == .changePassword, passwords.count == 1, !roles.contains(.currentPassword) {
            add(
                "unconfirmed-password", .note, "A new password is typed once, and mistyped unseen.",
                "a second field with autocomplete=\"new-password\"")
        }
    }

    private mutating func add(_ rule: String, _ severity: Advice.Severity, _ problem: String, _ fix: String) {
        all.append(Advice(rule: rule, severity: severity, form: result.form, problem: problem, fix: fix))
    }
}
