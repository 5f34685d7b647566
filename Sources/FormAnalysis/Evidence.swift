// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What speaks for each thing that a form can be for, in points.
struct Evidence {
    private(set) var clues: [Clue] = []
    /// Everything that is said in the form and around it, fields excluded.
    private(set) var around: Concepts = []
    /// What is said of the form itself, the page excluded.
    private(set) var form: Concepts = []

    /// What the form's headings and buttons say.
    private var heads: Concepts = []

    /// Whether a heading speaks of something else than accounts.
    private(set) var hasOtherHeading = false

    /// Points for signing in.
    var signIn: Int { points(.signIn) }
    /// Points for signing up.
    var signUp: Int { points(.signUp) }
    /// Points for changing a password.
    var change: Int { points(.change) }
    /// What the form's own words say of signing in, without the page's and without its fields.
    var ownSignIn: Int { points(.signIn) { !$0.isPage && !$0.isField } }
    /// What the form's own words say of signing up.
    var ownSignUp: Int { points(.signUp) { !$0.isPage && !$0.isField } }
    /// What words say of signing up, the page's title and path included; what the fields ask for does not count.
    var wordsSignUp: Int { points(.signUp) { !$0.isField } }

    /// Whether the form's button says that it signs in, and none of the form's words that it signs up: what it asks for does not count
    /// against that.
    var buttonSignsIn: Bool {
        points(.signIn) { $0 == .button } > 0 && points(.signUp) { !$0.isField && $0 != .path } == 0
    }

    /// Whether the form's own name, address or heading says that it signs in.
    var formSignsIn: Bool { points(.signIn) { [.name, .action, .heading].contains($0) } >= 2 }

    /// Weighs a section. `pageWeight` is 1 where the page holds several sections that could ask for credentials, so
    /// that its title and path say little about each; 2 elsewhere.
    init(
        _ section: Section,
        facts: [FieldFacts],
        words: FormWords,
        page: PageWords,
        pageWeight: Int
    ) {
        count(words.name, weight: 2, from: .name)
        count(words.action, weight: 2, from: .action)
        // A form without any button is sent by what looks like one.
        let asked = section.fields.filter { facts[$0].control != nil && !facts[$0].own.contains(.search) }
        readButtons(
            words.buttons.isEmpty ? words.links : words.buttons,
            asksForLittle: asked.count == 2 && !words.buttons.isEmpty)
        readHeadings(words)
        readLinks(words.links, areButtons: words.buttons.isEmpty)
        form = words.all
        heads = (words.headings + words.buttons).reduce([]) { $0.union($1) }
        readFields(section.fields.lazy.map { facts[$0] })
        count(page.title, weight: pageWeight, from: .title)
        count(page.path, weight: pageWeight, from: .path)
        around = form.union(page.title).union(page.path)
    }

    /// Whether the fields hold the account of another server, which settings keep: "SMTP password". Who signs in to this site by a
    /// button that says so does not keep settings.
    func isOfOtherServer(_ fields: [FieldFacts]) -> Bool {
        guard points(.signIn, from: { $0 == .button }) == 0 else { return false }
        let passwords = fields.filter { $0.control == .password }
        return passwords.contains { $0.own.contains(.otherServer) }
            || !passwords.isEmpty
                && (heads.contains(.otherServer) && ownSignIn == 0
                    || fields.contains { $0.control != .password && $0.own.contains(.otherServer) })
    }

    /// The points for a purpose, from the sources that are wanted.
    func points(_ purpose: Clue.Purpose, from isWanted: (Clue.Source) -> Bool = { _ in true }) -> Int {
        clues.reduce(0) { $1.purpose == purpose && isWanted($1.source) ? $0 + $1.points : $0 }
    }

    /// Where a purpose is read from, for a reason.
    func sources(of purpose: Clue.Purpose) -> String {
        let sources = Set(clues.filter { $0.purpose == purpose && $0.points > 0 }.map(\.source)).sorted().prefix(3)
        return sources.map(\.words).joined(separator: ", ")
    }

    private mutating func readButtons(_ buttons: [Concepts], asksForLittle: Bool) {
        // The first button that names a purpose is the form's; later ones lead elsewhere.
        var weight = 3
        let signsIn = buttons.contains { $0.contains(.signIn) }
        // Two fields and, after the button for signing up, one for signing in: what is typed serves both.
        let isSignUp = { (words: Concepts) in
            words.contains(.signUp) && words.isDisjoint(with: [.hasNoAccount, .terms])
        }
        let first = buttons.firstIndex { $0.containsAny(of: [.signIn, .signUp]) && !$0.contains(.otherService) }
        let servesBoth =
            asksForLittle && signsIn && (first.map { isSignUp(buttons[$0]) && !buttons[$0].contains(.signIn) } ?? false)
        for var words in buttons {
            // "Not registered? Register" beside "Sign in" leads away from what is typed here.
            if signsIn, words.contains(.hasNoAccount) { words = Self.meant(words) }
            // "Reset password" beside "Sign in" is for a person who forgot it.
            if signsIn, words.contains(.changePassword) {
                words.remove(.changePassword)
                words.insert(.forgotten)
            }
            // "Continue with Google" says nothing of what is typed here.
            if words.contains(.otherService) { continue }
            if words.containsAny(of: [.signIn, .signUp, .changePassword]) {
                count(words, weight: servesBoth ? 2 : weight, from: weight == 3 ? .button : .otherButton)
                weight = 1
            }
            if words.contains(.forgotten) { add(.signIn, 1, from: .otherButton) }
        }
    }

    private mutating func readHeadings(_ words: FormWords) {
        var all: Concepts = []
        for heading in words.headings {
            all.formUnion(Self.meant(heading))
            if !heading.containsAny(of: [.signIn, .signUp, .email, .account, .hasAccount, .hasNoAccount]) {
                hasOtherHeading = true
            }
        }
        count(all, weight: 2, from: .heading)
        count(Self.meant(words.lead), weight: words.headings.isEmpty ? 2 : 1, from: .lead)
    }

    /// Links lead elsewhere: who is offered another account's form is in the other one.
    private mutating func readLinks(_ links: [Concepts], areButtons: Bool) {
        var all: Concepts = []
        for link in links { all.formUnion(Self.meant(link)) }
        if all.containsAny(of: [.forgotten, .changePassword]) { add(.signIn, 2, from: .link) }
        if areButtons { return }
        // A link that says both, or two that say one each, belong to a page's head.
        guard all.contains(.signIn) != all.contains(.signUp) else { return }
        if all.contains(.signUp) { add(.signIn, 1, from: .link) } else { add(.signUp, 1, from: .link) }
    }

    /// "Already have an account? Sign in" stands where people sign up, and the other way round.
    private static func meant(_ words: Concepts) -> Concepts {
        var words = words
        if words.contains(.hasAccount), words.contains(.signIn) { words.remove(.signIn) }
        if words.contains(.hasNoAccount), words.contains(.signUp) { words.remove(.signUp) }
        return words
    }

    private mutating func readFields(_ fields: some Sequence<FieldFacts>) {
        var names: Concepts = []
        var personal = 0
        var hasUserName = false
        var hasEmail = false
        var remembers = false
        var hasRules = false
        var typed = 0
        var asksForCookies = false
        for field in fields where field.isVisible {
            names.formUnion(field.names)
            if field.control == nil {
                // Check boxes speak plainly: "remember me" or "I accept the terms".
                if field.own.contains(.remember) { remembers = true }
                // Nor do those that follow: a page asks leave for several kinds of cookies at once.
                asksForCookies = asksForCookies || field.own.union(field.nearby).contains(.cookies)
                if field.own.contains(.terms), !field.own.contains(.remember), !asksForCookies {
                    add(.signUp, 1, from: .fields)
                }
            } else if !field.isPassword {
                if field.maxLength != 1, !field.own.contains(.search) { typed += 1 }
                if field.isPersonal, field.hint.isOther || !field.saysEmail { personal += 1 }
                if field.saysUserName {
                    hasUserName = true
                } else if field.saysEmail, !field.saysNewEmail {
                    hasEmail = true
                }
            } else if field.hasPasswordRules {
                hasRules = true
            }
            if field.nearby.contains(.forgotten) { remembers = true }
        }
        if names.contains(.signIn) { add(.signIn, 1, from: .fields) }
        if names.contains(.signUp) { add(.signUp, 2, from: .fields) }
        // A bank may ask for a surname, to sign in; who asks for more does not know the person yet.
        if typed > 3 { add(.signUp, 2, from: .fields) }
        if personal > 0 { add(.signUp, personal > 1 ? 4 : 2, from: .fields) }
        if hasUserName && hasEmail { add(.signUp, 2, from: .fields) }
        if hasRules { add(.signUp, 2, from: .passwordRules) }
        if remembers { add(.signIn, 2, from: .fields) }
    }

    private mutating func count(_ words: Concepts, weight: Int, from source: Clue.Source) {
        if words.contains(.signIn) { add(.signIn, weight, from: source) }
        if words.contains(.signUp) { add(.signUp, weight, from: source) }
        if words.contains(.changePassword) || words.contains([.password, .new]) { add(.change, weight, from: source) }
    }

    private mutating func add(_ purpose: Clue.Purpose, _ points: Int, from source: Clue.Source) {
        clues.append(Clue(purpose: purpose, source: source, points: points))
    }
}
