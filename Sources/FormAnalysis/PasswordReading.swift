// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Tells the passwords of a form apart: which one the account has, and which are new.
struct PasswordReading {
    /// The passwords' roles, in their order.
    private(set) var answers: [FieldAnalysis] = []
    /// Whether the password of the account that is signed in confirms something, so that no name is asked for.
    private(set) var isConfirmation = false

    /// - Parameter showTheSame: whether two passwords are one, once hidden and once shown.
    init(_ passwords: [FieldFacts], showTheSame: Bool = false, evidence: Evidence) {
        if showTheSame {
            let one = PasswordReading(Array(passwords.prefix(1)), evidence: evidence).answers
            answers = passwords.flatMap { _ in one }
            return
        }
        if Self.confirms(passwords, evidence) {
            isConfirmation = true
            answers = [
                FieldAnalysis(
                    role: .currentPassword, confidence: 0.8, reasons: ["type=\"password\" that confirms something"])
            ]
            return
        }
        // Nobody is asked for so many passwords at once.
        if passwords.count > 5,
            passwords.allSatisfy({ $0.taggedRole == nil && $0.own.isDisjoint(with: [.new, .again, .current]) })
        {
            answers = passwords.map { _ in FieldAnalysis(reasons: ["one of many hidden fields without a word"]) }
            return
        }
        let words = passwords.map { Self.roleInWords($0, isBelieved: !Self.isContradicted($0, passwords, evidence)) }
        for (position, password) in passwords.enumerated() {
            if let role = password.taggedRole, !Self.isContradicted(password, passwords, evidence) {
                answers.append(
                    FieldAnalysis(role: role, confidence: 1, reasons: ["autocomplete=\"\(role.rawValue)\""])
                )
                continue
            }
            let (role, confidence, reason) = Self.role(at: position, of: passwords, words: words, evidence: evidence)
            let field = password.control == .password ? "type=\"password\"" : "named like a password"
            answers.append(FieldAnalysis(role: role, confidence: confidence, reasons: ["\(field) \(reason)"]))
        }
    }

    /// Whether one password, last in a form that neither signs in nor up by its words, confirms what the form does.
    private static func confirms(_ passwords: [FieldFacts], _ evidence: Evidence) -> Bool {
        guard passwords.count == 1, let one = passwords.first, one.taggedRole != .newPassword,
            !one.own.contains(.new), evidence.ownSignUp == 0, evidence.ownSignIn < 3, evidence.change == 0
        else { return false }
        return one.own.union(one.nearby).contains(.confirmation) || evidence.form.contains(.confirmation)
    }

    /// Whether everything else in the form contradicts the tag of a password.
    ///
    /// Pages write `new-password` on the password of a sign-in to keep browsers from filling it, and the same tag on all passwords
    /// of a form, whatever each of them takes.
    private static func isContradicted(
        _ field: FieldFacts, _ passwords: [FieldFacts], _ evidence: Evidence
    ) -> Bool {
        guard let tag = field.taggedRole, tag.isPassword else { return false }
        let saysNew = { (field: FieldFacts) in field.own.containsAny(of: [.new, .again]) }
        guard passwords.count == 1 else {
            guard passwords.allSatisfy({ $0.taggedRole == tag }) else { return false }
            // An account has one current password, and nobody types a new one three times. More of them are bait for programs, whose
            // words change nothing of the others.
            return tag == .currentPassword
                ? passwords.count == 2 && saysNew(passwords[1]) && evidence.ownSignIn < 3 : passwords.count == 3
        }
        if tag == .currentPassword {
            if field.own.contains(.current) { return false }
            return field.shown.contains(.new)
                || evidence.change == 0 && evidence.signUp >= evidence.signIn + 4 && evidence.ownSignUp >= 3
        }
        guard evidence.change == 0 else { return false }
        if saysNew(field) { return false }
        return evidence.signIn >= evidence.signUp + 4
            || evidence.ownSignIn >= 3 && (evidence.ownSignUp == 0 || evidence.ownSignIn >= evidence.ownSignUp + 2)
    }

    private static func roleInWords(_ field: FieldFacts, isBelieved: Bool) -> FieldRole? {
        if isBelieved, let role = field.taggedRole { return role }
        if field.own.containsAny(of: [.new, .again]) { return .newPassword }
        return field.own.contains(.current) ? .currentPassword : nil
    }

    private static func role(
        at position: Int,
        of passwords: [FieldFacts],
        words: [FieldRole?],
        evidence: Evidence
    ) -> (FieldRole, Double, String) {
        if let role = words[position] {
            // A form that signs people in repeats nothing: its second password is another secret of the same account.
            if position == 1, passwords.count == 2, evidence.signUp == 0, evidence.ownSignIn >= 3, role == .newPassword,
                passwords.allSatisfy({ $0.taggedRole == nil && !$0.own.contains(.new) })
            {
                return (.currentPassword, 0.5, "the second of two, in a form that looks like signing in")
            }
            // "Confirm your password" is asked of a person who signs in again, too.
            if passwords.count == 1, !passwords[0].own.contains(.new), role == .newPassword {
                return evidence.signUp > evidence.signIn
                    ? (role, 0.8, "that repeats one, in a form that looks like signing up")
                    : (.currentPassword, 0.6, "alone in a form that does not look like signing up")
            }
            return role == .newPassword
                ? (role, 0.95, "called new or a repetition") : (role, 0.95, "called the current one")
        }
        if passwords.count == 1 { return roleOfOne(evidence) }
        let others = words.enumerated().filter { $0.offset != position }.compactMap(\.element)
        if others.contains(.currentPassword) { return (.newPassword, 0.9, "beside the current one") }
        if position == 0, let second = passwords.dropFirst().first, words[1] == .newPassword {
            // "Password, repeat it" makes an account; "password, new password" or three of them change it.
            if passwords.count == 2, !second.own.contains(.new), second.taggedRole == nil, evidence.signUp == 0,
                evidence.ownSignIn >= 3
            {
                return (.currentPassword, 0.6, "the first of two, in a form that looks like signing in")
            }
            // "Confirm new password" repeats a new one, in words; "new password" follows the current one, whatever programs call it.
            let isRepetition =
                second.shown.contains(.again) || second.own.contains(.again) && !second.own.contains(.new)
            let repeatsFirst = isRepetition && passwords.count == 2
            return repeatsFirst
                ? (.newPassword, 0.95, "that the next field repeats") : (.currentPassword, 0.85, "before a new one")
        }
        if others.contains(.newPassword) { return (.newPassword, 0.85, "beside another new one") }
        if passwords.count == 3 && position == 0 && evidence.signUp <= evidence.change + 2 {
            return (.currentPassword, 0.8, "first of three")
        }
        if passwords.count == 2, evidence.signIn >= evidence.signUp + 4 || evidence.buttonSignsIn {
            return (.currentPassword, 0.5, "in a form that looks like signing in")
        }
        return (.newPassword, 0.75, "one of \(passwords.count) in a form")
    }

    private static func roleOfOne(_ evidence: Evidence) -> (FieldRole, Double, String) {
        if evidence.change >= 3, evidence.change > evidence.signIn {
            return (
                .newPassword, 0.7, "in a form that looks like changing a password by \(evidence.sources(of: .change))"
            )
        }
        if evidence.signUp > evidence.signIn, !evidence.buttonSignsIn {
            let confidence = evidence.signUp - evidence.signIn >= 3 ? 0.9 : 0.7
            return (
                .newPassword, confidence, "in a form that looks like signing up by \(evidence.sources(of: .signUp))"
            )
        }
        return evidence.signIn > evidence.signUp
            || evidence.buttonSignsIn
            ? (.currentPassword, 0.9, "in a form that looks like signing in by \(evidence.sources(of: .signIn))")
            : (.currentPassword, 0.7, "alone in a form")
    }
}
