// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the fields of a form that take the name of an account.
struct UserNameReading {
    /// The answers by index into the page's fields.
    private(set) var answers: [Int: FieldAnalysis] = [:]

    /// Looks in a form that has passwords; `taken` have another role already.
    init(
        _ section: Section,
        facts: [FieldFacts],
        passwords: [Int],
        evidence: Evidence,
        isSignUp: Bool,
        taken: Set<Int>
    ) {
        let fields = section.fields.filter { !taken.contains($0) && facts[$0].control != nil }
        readTags(fields, facts)
        guard let first = passwords.first else { return }
        if isSignUp {
            readSignUp(fields, facts, firstPassword: first)
        } else if answers.isEmpty {
            readSignIn(fields, facts, firstPassword: first, evidence: evidence)
        }
    }

    /// Looks in a form without passwords, which may be the first of two steps.
    init(
        _ section: Section,
        facts: [FieldFacts],
        evidence: Evidence,
        pageHasPassword: Bool,
        taken: Set<Int>
    ) {
        var fields = section.fields.filter { !taken.contains($0) && facts[$0].control != nil }
        readTags(fields, facts)
        let isLookup = fields.contains { facts[$0].isPersonal }
        let asksForName = fields.contains { facts[$0].saysUserName || facts[$0].hint.isNickname }
        fields.removeAll { facts[$0].asksForPerson || facts[$0].hint.isNickname }
        guard answers.isEmpty, !section.fields.contains(where: { facts[$0].isVisible && facts[$0].isTextArea }),
            !evidence.form.containsAny(of: [.newsletter, .search, .contact, .coupon, .checkout]),
            fields.count > 1 || !evidence.around.contains(.newsletter)
        else { return }
        if evidence.around.contains(.forgotten) || evidence.change > 0 {
            // Beside a form with a password it is for whoever cannot sign in, and may want any address.
            readRecovery(fields, facts, isBesideOther: pageHasPassword, isLookup: isLookup)
            if !answers.isEmpty || pageHasPassword { return }
        }
        if evidence.signUp > evidence.signIn {
            // A shop's form for an address asks the same questions; only words tell them apart.
            let saysSo = pageHasPassword ? evidence.ownSignUp >= 2 : evidence.wordsSignUp >= 2
            let asked = fields.count { !facts[$0].own.contains(.decoy) }
            let saysNothingElse = evidence.ownSignUp >= 4 && asked <= 2
            if saysSo, asksForName || !pageHasPassword || saysNothingElse { readSignUp(fields, facts) }
            return
        }
        readFirstStep(fields, facts, evidence: evidence, pageHasPassword: pageHasPassword)
    }

    private mutating func readTags(_ fields: [Int], _ facts: [FieldFacts]) {
        for index in fields where facts[index].taggedRole == .username {
            answers[index] = FieldAnalysis(role: .username, confidence: 1, reasons: ["autocomplete=\"username\""])
        }
    }

    private mutating func readSignIn(
        _ fields: [Int], _ facts: [FieldFacts], firstPassword: Int, evidence: Evidence
    ) {
        // A new address is typed beside the password of an account that goes by the old one.
        let asksForNew = fields.contains { facts[$0].saysNewEmail }
        let before = fields.filter { index in
            let field = facts[index]
            return index < firstPassword
                && !(field.saysNewEmail || asksForNew && field.saysEmail && field.own.contains(.again))
        }
        // Of equals the one closest to the password: what stands further up is a tenant, a branch, a country.
        if let best = Self.best(of: before.reversed(), facts), facts[best].userNameScore >= 2 {
            let confidence = facts[best].userNameScore >= 5 ? 0.95 : 0.75
            add(best, facts, confidence: confidence, place: "before a password")
        } else if let nearest = before.last(where: { Self.isUnnamed(facts[$0]) }) {
            add(nearest, facts, confidence: 0.55, place: "before a password")
        } else if before.count == 1, Self.couldBeUserName(facts[before[0]], signsIn: evidence.signIn > 0) {
            add(before[0], facts, confidence: 0.5, place: "before a password")
        } else if let after = fields.first(where: { $0 > firstPassword && facts[$0].userNameScore >= 6 }) {
            add(after, facts, confidence: 0.6, place: "beside a password")
        }
        // An address that is asked for twice is the same twice.
        guard answers.keys.contains(where: { facts[$0].saysEmail }) else { return }
        for index in before where answers[index] == nil && facts[index].saysEmail && facts[index].own.contains(.again) {
            add(index, facts, confidence: 0.5, place: "before a password")
        }
    }

    /// A form for signing up may ask for a user name and for an email address; either signs in later.
    private mutating func readSignUp(_ fields: [Int], _ facts: [FieldFacts], firstPassword: Int? = nil) {
        let place = "in a form that looks like signing up"
        if answers.isEmpty, let name = Self.best(of: fields.filter { facts[$0].saysUserName }, facts) {
            add(name, facts, confidence: 0.9, place: place)
        }
        let hasName = !answers.isEmpty
        // Each of them: the second one repeats the address, or is another that leads to the account.
        for email in fields where answers.count < 4 && answers[email] == nil && facts[email].saysEmail {
            if facts[email].userNameScore > 0 { add(email, facts, confidence: 0.85, place: place) }
        }
        // "Login", beside an address to write to; "user", before a password.
        if !hasName,
            let name = fields.first(where: {
                answers[$0] == nil && facts[$0].saysAccount
                    && (facts[$0].own.contains(.signIn) || $0 < (firstPassword ?? 0))
            })
        {
            add(name, facts, confidence: 0.6, place: place)
        }
        // A number asked for before the password, where the address comes after it, is what the account goes by.
        if let firstPassword, !answers.keys.contains(where: { $0 < firstPassword }),
            let number = fields.first(where: { $0 < firstPassword && facts[$0].saysPhone })
        {
            add(number, facts, confidence: 0.5, place: place)
        }
        if answers.isEmpty, let best = fields.first(where: { facts[$0].userNameScore >= 2 }) {
            add(best, facts, confidence: 0.5, place: place)
        }
        // In whatever words: what is asked for last before the first password is what it goes with, also where the form asks for an
        // address to write to later on.
        if let firstPassword, !answers.keys.contains(where: { $0 < firstPassword }),
            let last = fields.last(where: { $0 < firstPassword }), Self.isUnnamed(facts[last])
        {
            add(last, facts, confidence: 0.5, place: place)
        }
    }

    /// A form for a forgotten password asks whose it is.
    private mutating func readRecovery(_ fields: [Int], _ facts: [FieldFacts], isBesideOther: Bool, isLookup: Bool) {
        let asked = fields.filter { facts[$0].control != .password }
        guard asked.count <= 2, let best = Self.best(of: asked, facts),
            facts[best].userNameScore >= 4 || facts[best].saysPhone && !isLookup,
            !isBesideOther || facts[best].isMarkedAsEmail
        else { return }
        add(best, facts, confidence: 0.6, place: "in a form for a forgotten password")
    }

    private mutating func readFirstStep(
        _ fields: [Int],
        _ facts: [FieldFacts],
        evidence: Evidence,
        pageHasPassword: Bool
    ) {
        let typed = fields.filter { facts[$0].control != .password }
        // What a form to sign in asks for alone is the user name, whatever it calls it.
        if typed.count == 1, !pageHasPassword, evidence.formSignsIn, evidence.ownSignIn > evidence.ownSignUp,
            facts[typed[0]].userNameScore == 0, Self.isUnnamed(facts[typed[0]])
        {
            add(typed[0], facts, confidence: 0.5, place: "alone in a form that looks like signing in")
            return
        }
        guard typed.count <= 3, let best = Self.best(of: typed, facts) else { return }
        let score = facts[best].userNameScore
        let looksLikeSignIn = pageHasPassword ? evidence.ownSignIn >= 2 : evidence.signIn >= 2
        // "We will send you a code": whoever has the address or the telephone has the account.
        let sendsCode =
            !pageHasPassword && typed.count == 1 && evidence.around.contains(.oneTimeCode)
            && (facts[best].isMarkedAsEmail || facts[best].control == .phone)
        // Who wants to write to an address sends it; "Continue" asks for the next thing.
        let leadsOn =
            !pageHasPassword && typed.count == 1 && evidence.form.contains(.onward) && facts[best].saysEmail
            && !evidence.hasOtherHeading
            && evidence.around.isDisjoint(with: [.newsletter, .contact, .checkout, .coupon, .proceed])
        if sendsCode, !looksLikeSignIn {
            add(best, facts, confidence: 0.6, place: "alone in a form that sends a code")
        } else if leadsOn, !looksLikeSignIn {
            add(best, facts, confidence: 0.5, place: "alone in a form that leads on")
        } else if facts[best].saysUserName, looksLikeSignIn || typed.count == 1 && !pageHasPassword {
            add(best, facts, confidence: looksLikeSignIn ? 0.9 : 0.6, place: "alone in a form")
        } else if score >= 2, looksLikeSignIn {
            add(best, facts, confidence: score >= 5 ? 0.85 : 0.6, place: "in a form that looks like signing in")
        }
    }

    /// The best of `candidates`; of equals the first.
    private static func best(of candidates: [Int], _ facts: [FieldFacts]) -> Int? {
        var best: Int?
        for index in candidates where facts[index].userNameScore > (best.map { facts[$0].userNameScore } ?? 0) {
            best = index
        }
        return best
    }

    /// Whether a field is the user name for being the only one before a password, whatever it calls it.
    ///
    /// Banks and libraries sign people in with the number of a card.
    private static func couldBeUserName(_ field: FieldFacts, signsIn: Bool) -> Bool {
        let others: Concepts = [.card, .address, .birthday, .coupon, .pin, .code, .again]
        return field.canTakeUserName && field.control != .url
            && field.own.isDisjoint(with: signsIn ? others.subtracting([.card, .code, .pin]) : others)
    }

    private static func isUnnamed(_ field: FieldFacts) -> Bool {
        field.canTakeUserName && field.control != .url
            && field.own.isDisjoint(with: Concepts.seldomUserName.subtracting(.name).union(.again))
    }

    private mutating func add(_ index: Int, _ facts: [FieldFacts], confidence: Double, place: String) {
        let field = facts[index]
        let what =
            if field.saysUserName {
                "named like a user name"
            } else if field.saysEmail {
                "takes an email address"
            } else if field.saysPhone {
                "takes a telephone number"
            } else if field.userNameScore > 0 {
                "named like an account"
            } else {
                "the last text field"
            }
        answers[index] = FieldAnalysis(role: .username, confidence: confidence, reasons: ["\(what), \(place)"])
    }
}
