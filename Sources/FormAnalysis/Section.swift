// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A run of fields that make one form in the eyes of a person.
///
/// Mostly a form of the page. One whose fields ask for a name and a password again, after a password, is cut in two:
/// some frameworks wrap the whole page in one form, and some pages use no forms at all.
struct Section {
    let form: Int?
    /// Indices into the page's fields, in document order.
    var fields: [Int]

    /// Cuts a page into sections, in the order of their first fields.
    static func sections(of page: PageDescription, facts: [FieldFacts]) -> [Section] {
        var sections: [Section] = []
        var positions: [Int?: Int] = [:]
        for (index, field) in page.fields.enumerated() {
            // An index without a form is a client's mistake; such fields still belong together.
            if let position = positions[field.form] {
                sections[position].fields.append(index)
            } else {
                positions[field.form] = sections.count
                sections.append(Section(form: field.form, fields: [index]))
            }
        }
        return sections.flatMap { $0.parts(facts) }
    }

    private func parts(_ facts: [FieldFacts]) -> [Section] {
        guard let lastPassword = fields.last(where: { facts[$0].isPassword }) else { return [self] }
        let opensSignIn = positionsThatOpenSignIn(facts)
        var parts: [Section] = []
        var part = Section(form: form, fields: [])
        var sawPassword = false
        for (position, index) in fields.enumerated() {
            let field = facts[index]
            let startsAnother =
                field.taggedRole == .username || field.saysUserName || field.saysEmail && !field.own.contains(.again)
            if sawPassword, startsAnother, index < lastPassword, opensSignIn[position] {
                parts.append(part)
                part = Section(form: form, fields: [])
                sawPassword = false
            }
            part.fields.append(index)
            sawPassword = sawPassword || field.isPassword
        }
        parts.append(part)
        return parts
    }

    /// For each position whether the next password after it is one of its own, not the repetition of an earlier one.
    private func positionsThatOpenSignIn(_ facts: [FieldFacts]) -> [Bool] {
        var answers = [Bool](repeating: false, count: fields.count)
        var nextIsFirst = false
        for position in fields.indices.reversed() {
            answers[position] = nextIsFirst
            let field = facts[fields[position]]
            if field.isPassword { nextIsFirst = !field.own.contains(.again) }
        }
        return answers
    }
}
