// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The notions that the words of a page can stand for.
struct Concepts: OptionSet, Sendable {
    let rawValue: UInt64

    // What a field takes.
    static let password = Concepts(bit: 0)
    /// Says "user name", and nothing else.
    static let userName = Concepts(bit: 1)
    static let email = Concepts(bit: 2)
    static let phone = Concepts(bit: 3)
    /// A customer's, member's or citizen's number, with which some sites sign people in.
    static let identity = Concepts(bit: 4)
    /// "User", "account": says little alone.
    static let account = Concepts(bit: 5)
    /// Names a code for one use plainly.
    static let oneTimeCode = Concepts(bit: 6)
    /// "Code", "verification": says little alone.
    static let code = Concepts(bit: 7)

    // Which password.
    static let current = Concepts(bit: 8)
    static let new = Concepts(bit: 9)
    static let again = Concepts(bit: 10)

    // What a form is for.
    static let signIn = Concepts(bit: 11)
    static let signUp = Concepts(bit: 12)
    static let changePassword = Concepts(bit: 13)
    static let forgotten = Concepts(bit: 14)
    static let remember = Concepts(bit: 15)
    static let terms = Concepts(bit: 16)
    /// A person other than whoever fills in the form.
    static let someoneElse = Concepts(bit: 17)
    static let newsletter = Concepts(bit: 18)
    static let checkout = Concepts(bit: 19)
    static let contact = Concepts(bit: 20)

    // What is not a credential.
    static let search = Concepts(bit: 21)
    static let captcha = Concepts(bit: 22)
    static let pin = Concepts(bit: 23)
    static let card = Concepts(bit: 24)
    static let cardCode = Concepts(bit: 25)
    static let personName = Concepts(bit: 26)
    /// "Name" alone, which some sites say for the user name.
    static let name = Concepts(bit: 27)
    static let address = Concepts(bit: 28)
    static let birthday = Concepts(bit: 29)
    static let company = Concepts(bit: 30)
    static let coupon = Concepts(bit: 31)
    static let question = Concepts(bit: 32)
    static let other = Concepts(bit: 33)

    // What tells forms apart.
    /// "Already have an account?"
    static let hasAccount = Concepts(bit: 34)
    /// "Don't have an account?", "New here?"
    static let hasNoAccount = Concepts(bit: 35)
    /// Signing in by another site: "Continue with Google".
    static let otherService = Concepts(bit: 36)
    /// Says that it is one of two factors, which a text in a picture never is.
    static let secondFactor = Concepts(bit: 38)
    /// Bait for programs that fill whatever they find.
    static let decoy = Concepts(bit: 39)
    /// "Send", "Save": ends a form without saying what it is for.
    static let proceed = Concepts(bit: 40)
    /// "Continue", "Next": leads to what belongs to this.
    static let onward = Concepts(bit: 44)
    /// What a page keeps in the browser, which it asks leave for.
    static let cookies = Concepts(bit: 43)
    /// Keys and tokens that programs keep.
    static let programSecret = Concepts(bit: 42)
    /// A code that has been sent already: "Send again".
    static let sent = Concepts(bit: 41)
    /// The password of the account that is signed in confirms something: "to confirm, enter your password".
    static let confirmation = Concepts(bit: 45)
    /// Another service whose account is kept in this site's settings: a mail server, a proxy, a database, a Wi-Fi network.
    static let otherServer = Concepts(bit: 46)
    /// What a new password has to be like: "at least eight characters".
    static let rules = Concepts(bit: 37)

    /// Whatever else its words say, such a field takes no user name.
    static let neverUserName: Concepts = [
        .search, .newsletter, .captcha, .question, .oneTimeCode, .cardCode, .decoy, .someoneElse,
        .programSecret,
    ]
    /// Such a field takes a user name only where it says so as well.
    static let seldomUserName: Concepts = [
        .pin, .card, .personName, .name, .address, .birthday, .company, .coupon, .other, .code,
    ]
    /// What says what a field takes, however vaguely.
    static let named: Concepts = [
        .password, .userName, .email, .phone, .identity, .account, .oneTimeCode, .code, .search, .captcha, .pin, .card,
        .cardCode, .personName, .name, .address, .birthday, .company, .coupon, .question, .other, .newsletter,
        .programSecret,
    ]
    /// What a form asks a person who has no account yet.
    static let personal: Concepts = [.personName, .address, .birthday, .company]

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private init(bit: UInt64) {
        self.init(rawValue: 1 << bit)
    }

    /// Whether any of `others` is here.
    func containsAny(of others: Concepts) -> Bool {
        !isDisjoint(with: others)
    }
}
