// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension FieldFacts {
    /// The role that the page tags the field with, where the field can have it.
    ///
    /// `new-password` and `one-time-code` are also written to keep browsers from filling a field at all. On a field
    /// that is not a password field they count only where its own words do not say something else.
    var taggedRole: FieldRole? {
        guard let control, let role = hint.role else { return nil }
        switch role {
        case .username:
            // Search boxes and newsletters are tagged so to be filled by browsers.
            if own.containsAny(of: [.search, .newsletter]), own.isDisjoint(with: [.userName, .account]) { return nil }
            return control == .password ? nil : role
        case .currentPassword:
            return control == .password ? role : nil
        case .newPassword:
            return control == .password ? role : nil
        case .oneTimeCode:
            if control == .email || control == .url { return nil }
            let saysCode = own.containsAny(of: [.oneTimeCode, .code])
            return saysCode || !saysSomethingElse() && !own.contains(.password) ? role : nil
        }
    }

    /// Whether the field takes a password, tagged or not.
    var isPassword: Bool {
        switch taggedRole {
        case .currentPassword, .newPassword: true
        case .username, .oneTimeCode: false
        case nil: control == .password ? !isSecretButNoPassword && !hint.isOther : isRevealedPassword
        }
    }

    /// Whether the field hides what is typed, and what is typed is a PIN, a card's code or an answer.
    var isSecretButNoPassword: Bool {
        guard control == .password else { return false }
        if own.contains(.decoy) { return true }
        if own.containsAny(of: [.cardCode, .captcha]) && !names.contains(.password) { return true }
        // "Password or code" takes either; "one-time password" says no password apart from that.
        if own.contains(.oneTimeCode) && !own.contains(.password) { return true }
        return own.containsAny(of: [.pin, .code, .card, .question, .programSecret]) && !own.contains(.password)
    }

    /// Whether the field hides what is typed, and asks for the name of an account all the same.
    var hidesName: Bool {
        control == .password && own.containsAny(of: [.userName, .identity, .account, .email])
            && !own.contains(.password)
    }

    /// Whether the field takes a PIN or a passcode, with which some sites sign people in as others do with passwords.
    var isPINOrPasscode: Bool {
        control == .password && maxLength != 1 && taggedRole == nil && !hint.isOther
            && own.containsAny(of: [.pin, .code])
            && own.isDisjoint(with: [.card, .cardCode, .captcha, .oneTimeCode, .question, .decoy, .coupon])
    }

    /// Whether the page asks for a password in a field that shows what is typed. It says what the form is for; none is ever filled into it.
    private var isRevealedPassword: Bool {
        guard control == .text, !isTaggedArea, names.contains(.password) else { return false }
        return own.isDisjoint(with: [.userName, .email, .phone, .forgotten, .oneTimeCode, .code, .pin])
            && !saysSomethingElse(besides: .account)
    }

    /// Whether the field's own words name something that is neither a password nor a code.
    private func saysSomethingElse(besides allowed: Concepts = []) -> Bool {
        let others: Concepts = [
            .userName, .email, .phone, .identity, .account, .search, .newsletter, .captcha, .question, .other,
            .personName, .address, .birthday, .company, .coupon, .card, .cardCode,
        ]
        return hint.isOther || hint.isEmail || hint.isPhone || own.containsAny(of: others.subtracting(allowed))
    }

    /// Whether the field says plainly that it takes an account's name.
    var saysUserName: Bool {
        canTakeUserName && own.contains(.userName)
    }

    /// Whether the field asks for what a form asks of a person that it does not know.
    var isPersonal: Bool {
        control != nil && !isPassword && (hint.isOther || own.containsAny(of: .personal))
    }

    /// Whether the field is called after the user in programs, and after a person's name in what people read.
    var asksForPerson: Bool {
        shown.contains(.personName) && shown.isDisjoint(with: [.userName, .email, .phone, .account, .identity])
    }

    /// Whether the field is called after the account, and after nothing else.
    var saysAccount: Bool {
        canTakeUserName && own.contains(.account) && own.isDisjoint(with: Concepts.seldomUserName.subtracting(.name))
            && control == .text && !saysEmail && !saysPhone
    }

    /// Whether the field takes an email address.
    var saysEmail: Bool {
        guard canTakeUserName else { return false }
        if control == .email || hint.isEmail || shown.contains(.email) { return true }
        // A name for programs may hold that of a whole group of fields; what people read decides.
        return names.contains(.email) && own.isDisjoint(with: [.other])
            && shown.isDisjoint(with: [.phone, .personName, .address, .birthday, .company])
    }

    /// Whether the field takes the address that an account is to have from now on: what is saved is the one before.
    var saysNewEmail: Bool { saysEmail && own.contains(.new) && !saysUserName }

    /// Whether the page's markup, not its words, says that the field takes an email address.
    var isMarkedAsEmail: Bool { control == .email || hint.isEmail }

    /// Whether the field takes a telephone number, and no email address.
    var saysPhone: Bool {
        canTakeUserName && !saysUserName && !saysEmail && (control == .phone || hint.isPhone || own.contains(.phone))
    }

    /// Whether a user name could be typed here, going by what the field does *not* say.
    var canTakeUserName: Bool {
        guard let control, control != .password, taggedRole == nil, !hint.isOther, !isPassword else { return false }
        // What is typed as an address is none of the codes that are sent to it.
        let never = control == .email ? Concepts.neverUserName.subtracting(.oneTimeCode) : .neverUserName
        // "The code that we sent to your email" names the address that it went to.
        let isPassword =
            own.contains(.password) && own.isDisjoint(with: [.userName, .email, .identity, .account, .phone])
        return !own.containsAny(of: never) && !isPassword
            && !(control != .email && shown.isSuperset(of: [.code, .sent]))
    }

    /// How well the field suits a user name; 0 where it does not.
    var userNameScore: Int {
        guard canTakeUserName else { return 0 }
        var score = 0
        if own.contains(.userName) { score += shown.contains(.userName) ? 7 : 6 }
        if saysEmail { score += 5 }
        if own.contains(.identity) { score += 4 }
        if own.contains(.account) { score += 3 }
        if saysPhone { score += 2 }
        if own.contains(.signIn) { score += 1 }
        if score < 4, nearby.containsAny(of: [.userName, .email]) { score += 2 }
        if own.containsAny(of: .seldomUserName), !saysUserName, !saysEmail, !own.contains(.identity) {
            // "Name" alone is the user name on many sites; "First name" of an account is not.
            let isName = own.isDisjoint(with: .seldomUserName.subtracting(.name))
            return isName && own.contains(.account) ? score : 0
        }
        // Repetitions of an address are not what a saved name belongs in first.
        return own.contains(.again) ? max(score - 2, 0) : score
    }
}
