// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Names the roles of a page's fields, from their descriptions alone.
///
/// Deterministic, without state, and in time that grows with the number of fields; texts are read up to a limit. Where
/// a page tags a field with an HTML `autocomplete` token for a credential, that stands. Elsewhere words in about fifty
/// languages and the order of the fields decide, and a field that says nothing gets no role.
public struct FormAnalyzer: Sendable {
    /// Makes an analyser.
    public init() {}

    /// Names the role of every field of `page`, and says what each form is for.
    public func analyze(_ page: PageDescription) -> PageAnalysis {
        var reader = WordReader()
        var facts = page.fields.map { FieldFacts($0, reader: &reader) }
        Self.refuseMute(&facts, of: page)
        Self.refuseDomains(&facts, of: page)
        Self.refuseHiddenNames(&facts, of: page)
        let words = PageWords(page, reader: &reader)
        let sections = Section.sections(of: page, facts: facts, reader: &reader)
        var analysis = PageAnalysis(fields: facts.map(Self.refusal))
        var evidence: [Evidence] = []
        var kinds: [FormKind?] = []
        let withPasswords = sections.count { $0.fields.contains { facts[$0].isPassword } }
        for section in sections {
            evidence.append(
                Evidence(
                    section, facts: facts, words: section.words, page: words,
                    pageWeight: withPasswords > 1 ? 1 : 2))
        }
        for (section, evidence) in zip(sections, evidence) {
            kinds.append(
                read(
                    section, page: page, facts: facts, evidence: evidence, pageHasPassword: withPasswords > 0,
                    into: &analysis.fields))
        }
        let hasPasswordField = facts.contains { $0.control == .password }
        let withAccounts = Set(zip(sections, kinds).lazy.filter { $0.1 != nil }.map(\.0.form))
        for (section, (kind, evidence)) in zip(sections, zip(kinds, evidence)) {
            let isOfAccounts =
                hasPasswordField || withAccounts.contains(section.form)
                || evidence.form.containsAny(of: [.signIn, .forgotten])
            let isOtherServer = evidence.isOfOtherServer(section.fields.map { facts[$0] })
            if kind == nil, isOfAccounts, !isOtherServer {
                for (index, answer) in AddressReading(section, facts: facts, evidence: evidence).answers {
                    analysis.fields[index] = answer
                }
            }
            let dormant = DormantReading(
                section, page: page, kind: kind, evidence: evidence, answers: analysis.fields, reader: &reader)
            for (index, role) in dormant.roles {
                analysis.fields[index].dormantRole = role
                analysis.fields[index].reasons.append("meant for \(role.rawValue), and never filled as it is")
            }
            let named = section.fields.filter { analysis.fields[$0].role != nil }
            analysis.forms.append(FormAnalysisResult(form: section.form, kind: kind ?? .none, fields: named))
        }
        return analysis
    }

    private func read(
        _ section: Section,
        page: PageDescription,
        facts: [FieldFacts],
        evidence: Evidence,
        pageHasPassword: Bool,
        into answers: inout [FieldAnalysis]
    ) -> FormKind? {
        if evidence.isOfOtherServer(section.fields.map { facts[$0] }) { return nil }
        let codes = CodeReading(section, facts: facts, evidence: evidence).answers
        for (index, answer) in codes { answers[index] = answer }

        let passwords = section.passwords(facts, evidence: evidence)
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
            if names.isEmpty { return nil }
            return evidence.signUp > evidence.signIn ? .signUp : .userNameFirst
        }

        let reading = PasswordReading(
            passwords.map { facts[$0] }, showTheSame: Self.showTheSame(passwords, page), evidence: evidence)
        for (index, answer) in zip(passwords, reading.answers) { answers[index] = answer }
        let hasCurrent = reading.answers.contains { $0.role == .currentPassword }
        let hasNew = reading.answers.contains { $0.role == .newPassword }
        let names = UserNameReading(
            section,
            facts: facts,
            passwords: passwords,
            evidence: evidence,
            isSignUp: !hasCurrent,
            taken: Set(codes.keys).union(passwords)
        ).answers.filter { !reading.isConfirmation || facts[$0.key].taggedRole == .username }
        for (index, answer) in names { answers[index] = answer }
        if hasCurrent {
            if hasNew { return .changePassword }
            return names.isEmpty ? .passwordSecond : .signIn
        }
        return evidence.change > evidence.signUp || names.isEmpty && evidence.signUp == 0 ? .changePassword : .signUp
    }

    /// Whether two passwords are one, once hidden and once shown: both say the same to people, and programs know one.
    private static func showTheSame(_ passwords: [Int], _ page: PageDescription) -> Bool {
        guard passwords.count == 2 else { return false }
        let (first, second) = (page.fields[passwords[0]], page.fields[passwords[1]])
        let says = { (field: FieldDescription) in
            [field.placeholder, field.ariaLabel, field.label].first { !$0.isEmpty }
        }
        return says(first) != nil && first.placeholder == second.placeholder && says(first) == says(second)
            && (second.name.isEmpty && second.identifier.isEmpty || second.name == first.name && !first.name.isEmpty)
    }

    /// A field that says nothing of itself, among others of its kind that do, is bait for programs. A password alone is
    /// not: its type says what it takes.
    private static func refuseMute(_ facts: inout [FieldFacts], of page: PageDescription) {
        var withText: Set<Int?> = []
        var withPassword: Set<Int?> = []
        var withMuteText: Set<Int?> = []
        for (field, fact) in zip(page.fields, facts) where fact.control != nil {
            switch (fact.control == .password, fact.isMute) {
            case (true, true): break
            case (true, false): withPassword.insert(field.form)
            case (false, true): withMuteText.insert(field.form)
            case (false, false): withText.insert(field.form)
            }
        }
        let withBait = withPassword.intersection(withMuteText)
        for (index, field) in page.fields.enumerated()
        where facts[index].isMute && facts[index].control != nil && facts[index].maxLength != 1 {
            let others = facts[index].control == .password ? withBait : withText
            if others.contains(field.form) {
                facts[index].refuse("has no name or label of its own, beside fields that do")
            }
        }
    }

    /// Some banks hide the number of an account as they hide its password: beside a password, it is none.
    private static func refuseHiddenNames(_ facts: inout [FieldFacts], of page: PageDescription) {
        let withPassword = Set(
            zip(page.fields, facts).lazy.filter { $1.isPassword && !$1.hidesName }.map(\.0.form))
        for (index, field) in page.fields.enumerated()
        where facts[index].hidesName && withPassword.contains(field.form) {
            facts[index].refuse("hides the name of an account, not its password")
        }
    }

    /// An address that is asked for in two fields, around the sign in its middle: the second takes a domain.
    private static func refuseDomains(_ facts: inout [FieldFacts], of page: PageDescription) {
        for index in facts.indices.dropFirst() where facts[index].control != nil {
            let (field, before) = (page.fields[index], page.fields[index - 1])
            guard [field.nearbyText, field.label].contains("@"), before.form == field.form else { continue }
            if facts[index - 1].own.contains(.email), facts[index].own.contains(.email) {
                facts[index].refuse("takes the domain of an address")
            }
        }
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
