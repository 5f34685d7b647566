// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Says what the fields of a form would take that take nothing now: those that are hidden, disabled or read-only.
///
/// It comes last and changes nothing of what the other fields are: traps are made to mislead whoever reads them.
struct DormantReading {
    /// The roles by index into the page's fields.
    private(set) var roles: [Int: FieldRole] = [:]

    /// - Parameter kind: what the form is for; `nil` where it asks for no credential.
    init(
        _ section: Section,
        page: PageDescription,
        kind: FormKind?,
        evidence: Evidence,
        answers: [FieldAnalysis],
        reader: inout WordReader
    ) {
        var beside = section.fields.lazy.compactMap { answers[$0].role }.first(where: \.isPassword)
        var names: [Int] = []
        for index in section.fields {
            if let role = answers[index].role {
                if role.isPassword { beside = role }
                continue
            }
            var field = page.fields[index]
            guard !field.isVisible || !field.isEditable, field.tag == "input", field.type.lowercased() != "hidden"
            else { continue }
            (field.isVisible, field.isEditable) = (true, true)
            let facts = FieldFacts(field, reader: &reader)
            guard facts.control != nil, !facts.own.contains(.decoy) else { continue }
            if facts.isPassword {
                roles[index] = Self.role(of: facts, beside: beside, evidence: evidence)
            } else if facts.taggedRole == .username {
                roles[index] = .username
            } else if Self.takesUserName(facts) {
                // What is hidden outside forms may belong to anything, and a name for programs says too little.
                if section.form != nil && kind != nil || facts.shown.contains(.email) {
                    roles[index] = .username
                } else {
                    names.append(index)
                }
            }
        }
        if section.form == nil, roles.values.contains(where: \.isPassword) {
            for index in names { roles[index] = .username }
        }
    }

    private static func role(of facts: FieldFacts, beside: FieldRole?, evidence: Evidence) -> FieldRole {
        if let role = facts.taggedRole { return role }
        if facts.own.containsAny(of: [.new, .again]) { return .newPassword }
        if facts.own.contains(.current) { return .currentPassword }
        return beside ?? (evidence.signUp > evidence.signIn ? .newPassword : .currentPassword)
    }

    private static func takesUserName(_ facts: FieldFacts) -> Bool {
        (facts.saysUserName || facts.saysEmail)
            && facts.own.isDisjoint(with: [.other, .changePassword, .newsletter])
    }
}
