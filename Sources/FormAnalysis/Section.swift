// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A run of fields that make one form in the eyes of a person.
///
/// Mostly a form of the page. One that asks for a name and a password again, after a password, is cut in two, and so is
/// one that goes on after a button that says what it is for: some frameworks wrap the whole page in one form, and some
/// pages use no forms at all.
struct Section {
    let form: Int?
    /// Indices into the page's fields, in document order.
    var fields: [Int]
    /// What is said around these fields.
    var words: FormWords

    /// Cuts a page into sections, in the order of their first fields.
    static func sections(of page: PageDescription, facts: [FieldFacts], reader: inout WordReader) -> [Section] {
        var order: [Int?] = []
        var fields: [Int?: [Int]] = [:]
        for (index, field) in page.fields.enumerated() {
            // An index without a form is a client's mistake; such fields still belong together.
            if fields[field.form] == nil { order.append(field.form) }
            fields[field.form, default: []].append(index)
        }
        for (form, next) in zip(order, order.dropFirst()) {
            guard let form, let next, isSplit(form, next, fields: fields, facts: facts, of: page) else { continue }
            let passwords = fields.removeValue(forKey: next) ?? []
            fields[form, default: []] += passwords
        }
        order.removeAll { fields[$0]?.isEmpty ?? true }
        return order.flatMap { form -> [Section] in
            let context = form.map { page.forms.indices.contains($0) ? page.forms[$0] : FormContext() }
            let words = FormWords(context ?? page.outsideForms, reader: &reader)
            return Section(form: form, fields: fields[form] ?? [], words: words).parts(facts)
        }
    }

    /// Whether a user name and its password stand in two forms of one field each, the first of which nothing sends.
    private static func isSplit(
        _ form: Int, _ next: Int, fields: [Int?: [Int]], facts: [FieldFacts], of page: PageDescription
    ) -> Bool {
        let asked = [form, next].map { (fields[$0] ?? []).filter { facts[$0].control != nil } }
        guard let name = asked[0].first, let password = asked[1].first, asked.allSatisfy({ $0.count == 1 }),
            page.forms.indices.contains(form), page.forms[form].buttons.isEmpty
        else { return false }
        return facts[name].canTakeUserName && facts[password].isPassword && name < password
    }

    /// Its passwords; where it has none and signs people in, the PIN or passcode that stands for one.
    func passwords(_ facts: [FieldFacts], evidence: Evidence) -> [Int] {
        let boxes = CodeReading.maskedBoxes(self, facts: facts)
        let passwords = fields.filter { facts[$0].isPassword && !boxes.contains($0) }
        guard passwords.isEmpty else { return passwords }
        let others = fields.filter { facts[$0].isPINOrPasscode }
        guard others.count == 1, let pin = others.first, evidence.signIn > 0, evidence.signIn >= evidence.signUp,
            fields.contains(where: { $0 < pin && facts[$0].canTakeUserName && !facts[$0].own.contains(.coupon) })
        else { return [] }
        return others
    }

    private func parts(_ facts: [FieldFacts]) -> [Section] {
        let starts = Set(startsAfterPasswords(facts)).union(startsAfterButtons(facts)).union(startOfFoot(facts))
            .sorted()
        guard !starts.isEmpty else { return [self] }
        var parts: [Section] = []
        for (start, end) in zip([0] + starts, starts + [fields.count]) where start < end {
            let own = Array(fields[start..<end])
            var part = Section(form: form, fields: own, words: words)
            // What stands between two parts belongs to the one that it stands above, or under.
            let first = start == 0 ? 0 : fields[start - 1] + 1
            let last = end == fields.count ? Int.max - 1 : own[own.count - 1]
            part.words = words.part(of: first...max(first, last), isFirst: start == 0)
            parts.append(part)
        }
        return parts
    }

    /// The positions where a user name is asked for again, after a password and before another.
    private func startsAfterPasswords(_ facts: [FieldFacts]) -> [Int] {
        guard let lastPassword = fields.last(where: { facts[$0].isPassword }) else { return [] }
        let opensSignIn = positionsThatOpenSignIn(facts)
        var starts: [Int] = []
        var sawPassword = false
        for (position, index) in fields.enumerated() {
            let field = facts[index]
            let startsAnother =
                field.taggedRole == .username || field.saysUserName || field.saysEmail && !field.own.contains(.again)
            if sawPassword, startsAnother, index < lastPassword, opensSignIn[position] {
                starts.append(position)
                sawPassword = false
            }
            sawPassword = sawPassword || field.isPassword
        }
        return starts
    }

    /// The positions of the first fields after buttons that say what the fields before them are for.
    private func startsAfterButtons(_ facts: [FieldFacts]) -> [Int] {
        var starts: [Int] = []
        var from = 0
        let ends = words.purposefulButtons().map { ($0, true) }
        // Outside forms any button that sends something ends what it stands under.
        let others = form == nil ? (words.sendingButtons() + words.leadingButtons()).map { ($0, false) } : []
        let leading = Set(words.leadingButtons())
        for (place, isPurpose) in (ends + others).sorted(by: { $0.0 < $1.0 }) {
            guard let next = fields.firstIndex(where: { $0 >= place }), next > from else { continue }
            if !isPurpose, goesOn(at: next, from: from, isLed: leading.contains(place), facts) { continue }
            // Both sides have to ask for something: check boxes under a button are still the button's.
            guard fields[from..<next].contains(where: { facts[$0].control != nil }),
                fields[next...].contains(where: { facts[$0].control != nil })
            else { continue }
            starts.append(next)
            from = next
        }
        return starts
    }

    /// Whether what follows a button outside forms belongs to what stands before it.
    private func goesOn(at next: Int, from: Int, isLed: Bool, _ facts: [FieldFacts]) -> Bool {
        // Behind what was checked or confirmed, a password belongs to it.
        let follower = fields[next...].first { facts[$0].control != nil }
        if follower.map({ facts[$0].isPassword }) ?? false { return true }
        guard isLed else { return false }
        // "Continue" leads from step to step where there is a password to come to, or where there was one and is no other.
        let (before, after) = (fields[from..<next], fields[next...])
        let passwords = (
            before: before.contains { facts[$0].isPassword }, after: after.contains { facts[$0].isPassword }
        )
        return passwords.before != passwords.after
    }

    /// Outside forms, the position of one last field under a heading of its own, behind a password and its button: what
    /// pages end with is not asked of whoever signs in.
    private func startOfFoot(_ facts: [FieldFacts]) -> [Int] {
        guard form == nil, let last = fields.lastIndex(where: { facts[$0].control != nil }), last > 0,
            !facts[fields[last]].isPassword,
            let before = fields[..<last].lastIndex(where: { facts[$0].control != nil }),
            facts[fields[before]].isPassword,
            words.turningPoints().contains(where: { $0 > fields[before] && $0 <= fields[last] })
        else { return [] }
        return [last]
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
