// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Names the roles of a page's fields, from their descriptions alone.
///
/// Deterministic, without state, and in time that grows with the number of fields; texts are read up to a limit. Where
/// a page tags a field with an HTML `autocomplete` token for a credential, that stands. Elsewhere words in eighteen
/// languages and the order of the fields decide, and a field that says nothing gets no role.
public struct FormAnalyzer: Sendable {
    /// Makes an analyser.
    public init() {}

    /// Names the role of every field of `page`, and says what each form is for.
    public func analyze(_ page: PageDescription) -> PageAnalysis {
        var reader = WordReader()
        let facts = page.fields.map { FieldFacts($0, reader: &reader) }
        let words = PageWords(page, reader: &reader)
        let sections = Section.sections(of: page, facts: facts)
        let withPasswords = sections.count { $0.fields.contains { facts[$0].isPassword } }

        var analysis = PageAnalysis(fields: facts.map(Self.refusal))
        for section in sections {
            let context =
                section.form.map { page.forms.indices.contains($0) ? page.forms[$0] : FormContext() }
                ?? page.outsideForms
            let evidence = Evidence(
                section,
                facts: facts,
                context: context,
                page: words,
                pageWeight: withPasswords > 1 ? 1 : 2,
                reader: &reader
            )
            let kind = read(
                section,
                facts: facts,
                evidence: evidence,
                pageHasPassword: withPasswords > 0,
                into: &analysis.fields
            )
            let named = section.fields.filter { analysis.fields[$0].role != nil }
            analysis.forms.append(
                FormAnalysisResult(form: section.form, kind: named.isEmpty ? .none : kind, fields: named)
            )
        }
        return analysis
    }

    private func read(
        _ section: Section,
        facts: [FieldFacts],
        evidence: Evidence,
        pageHasPassword: Bool,
        into answers: inout [FieldAnalysis]
    ) -> FormKind {
        let codes = CodeReading(section, facts: facts, evidence: evidence).answers
        for (index, answer) in codes { answers[index] = answer }

        let passwords = section.fields.filter { facts[$0].isPassword }
        if passwords.isEmpty {
            let names = UserNameReading(
                section,
                facts: facts,
                evidence: evidence,
                pageHasPassword: pageHasPassword,
                taken: Set(codes.keys)
            ).answers
            for (index, answer) in names { answers[index] = answer }
            if !codes.isEmpty { return .oneTimeCode }
            return evidence.signUp > evidence.signIn ? .signUp : .userNameFirst
        }

        let reading = PasswordReading(passwords.map { facts[$0] }, evidence: evidence)
        for (index, answer) in zip(passwords, reading.answers) { answers[index] = answer }
        let hasCurrent = reading.answers.contains { $0.role == .currentPassword }
        let hasNew = reading.answers.contains { $0.role == .newPassword }
        let names = UserNameReading(
            section,
            facts: facts,
            passwords: passwords,
            isSignUp: !hasCurrent,
            taken: Set(codes.keys).union(passwords)
        ).answers
        for (index, answer) in names { answers[index] = answer }
        if hasCurrent {
            if hasNew { return .changePassword }
            return names.isEmpty ? .passwordSecond : .signIn
        }
        return evidence.change > evidence.signUp || names.isEmpty && evidence.signUp == 0 ? .changePassword : .signUp
    }

    private static func refusal(_ field: FieldFacts) -> FieldAnalysis {
        let reason =
            if field.control == nil {
                field.refusal
            } else if field.own.contains(.search) {
                "looks like a search box"
            } else if field.own.contains(.newsletter) {
                "looks like signing up for mail"
            } else if field.own.containsAny(of: [.card, .cardCode]) {
                "takes a card's number or code"
            } else if field.isSecretButNoPassword {
                "takes a PIN, a code or an answer, not a password"
            } else if field.hint.isOther || field.own.containsAny(of: .personal) {
                "takes a name, an address or the like"
            } else {
                field.refusal
            }
        return FieldAnalysis(reasons: [reason])
    }
}
