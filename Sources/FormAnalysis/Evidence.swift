// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What speaks for each kind of form, in points.
struct Evidence {
    private(set) var signIn = 0
    private(set) var signUp = 0
    private(set) var change = 0
    /// What the form's own words say of signing in, without the page's and without its fields.
    private(set) var ownSignIn = 0
    /// What the form's own words say of signing up.
    private(set) var ownSignUp = 0
    /// What words say of signing up, the page's title and path included; what the fields ask for does not count.
    private(set) var wordsSignUp = 0
    /// Everything that is said in the form and around it, fields excluded.
    private(set) var around: Concepts = []
    /// What is said of the form itself, the page excluded.
    private(set) var form: Concepts = []

    /// Weighs a section. `pageWeight` is 1 where the page holds several sections that could ask for credentials, so
    /// that its title and path say little about each; 2 elsewhere.
    init(
        _ section: Section,
        facts: [FieldFacts],
        context: FormContext,
        page: PageWords,
        pageWeight: Int,
        reader: inout WordReader
    ) {
        readNames(of: context, reader: &reader)
        readButtons(of: context, reader: &reader)
        readHeadings(of: context, reader: &reader)
        (ownSignIn, ownSignUp) = (signIn, signUp)
        readFields(section.fields.lazy.map { facts[$0] })
        let fieldsSignUp = signUp - ownSignUp
        count(page.title, weight: pageWeight)
        count(page.path, weight: pageWeight)
        wordsSignUp = signUp - fieldsSignUp
        around = form.union(page.title).union(page.path)
    }

    private mutating func readNames(of context: FormContext, reader: inout WordReader) {
        let words = reader.concepts(context.name, limit: WordReader.Limit.attribute)
            .union(reader.concepts(context.identifier, limit: WordReader.Limit.attribute))
        count(words, weight: 2)
        let action = reader.concepts(context.actionPath, limit: WordReader.Limit.path)
        count(action, weight: 2)
        form.formUnion(words.union(action))
    }

    private mutating func readButtons(of context: FormContext, reader: inout WordReader) {
        // The first button that names a purpose is the form's; later ones lead elsewhere.
        var weight = 3
        let buttons = context.buttons.prefix(WordReader.Limit.texts).map {
            reader.concepts($0, limit: WordReader.Limit.button)
        }
        let signsIn = buttons.contains { $0.contains(.signIn) }
        for var words in buttons {
            // "Reset password" beside "Sign in" is for a person who forgot it.
            if signsIn, words.contains(.changePassword) {
                words.remove(.changePassword)
                words.insert(.forgotten)
            }
            form.formUnion(words)
            if words.containsAny(of: [.signIn, .signUp, .changePassword]) {
                count(words, weight: weight)
                weight = 1
            }
            if words.contains(.forgotten) { signIn += 1 }
        }
    }

    private mutating func readHeadings(of context: FormContext, reader: inout WordReader) {
        var words: Concepts = []
        for heading in context.headings.prefix(WordReader.Limit.texts) {
            words.formUnion(reader.concepts(heading, limit: WordReader.Limit.heading))
        }
        form.formUnion(words)
        count(words, weight: 2)
    }

    private mutating func readFields(_ fields: some Sequence<FieldFacts>) {
        var names: Concepts = []
        var personal: Concepts = []
        var hasUserName = false
        var hasEmail = false
        var isForgiving = false
        for field in fields where field.isVisible {
            names.formUnion(field.names)
            if field.control == nil {
                // Check boxes speak plainly: "remember me" or "I accept the terms".
                if field.own.contains(.remember) { isForgiving = true }
                if field.own.contains(.terms) { signUp += 1 }
            } else if !field.isPassword {
                personal.formUnion(field.own.intersection(.personal))
                if field.hint.isOther { personal.insert(.personName) }
                if field.saysUserName { hasUserName = true } else if field.saysEmail { hasEmail = true }
            } else if field.hasPasswordRules {
                signUp += 2
            }
            if field.nearby.contains(.forgotten) { isForgiving = true }
        }
        if names.contains(.signIn) { signIn += 1 }
        if names.contains(.signUp) { signUp += 2 }
        if !personal.isEmpty { signUp += 3 }
        if hasUserName && hasEmail { signUp += 2 }
        if isForgiving { signIn += 2 }
    }

    private mutating func count(_ words: Concepts, weight: Int) {
        if words.contains(.signIn) { signIn += weight }
        if words.contains(.signUp) { signUp += weight }
        if words.contains(.changePassword) { change += weight }
    }
}

/// What a page says of itself.
struct PageWords {
    let title: Concepts
    let path: Concepts

    init(_ page: PageDescription, reader: inout WordReader) {
        title = reader.concepts(page.title, limit: WordReader.Limit.heading)
        path = reader.concepts(page.path, limit: WordReader.Limit.path)
    }
}
