// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Testing

@testable import AutoFillDaemon

@Suite struct FocusedFormTests {
    private let user = FieldStatement(ref: 10, tag: "input", type: "text", autocomplete: "username")
    private let password = FieldStatement(ref: 20, tag: "input", type: "password", autocomplete: "current-password")
    private let other = FieldStatement(ref: 30, tag: "input", type: "search", name: "q")

    private func refs(_ fields: [FieldStatement], focused: Int?) -> [Int] {
        FocusedForm(PageStatement(fields: fields), focused: focused).fields.map(\.ref)
    }

    @Test(arguments: [10, 20, nil])
    func bothFieldsOfASignInFormAreNamed(focused: Int?) {
        let form = FocusedForm(PageStatement(fields: [user, password, other]), focused: focused)
        #expect(form.fields == [.init(ref: 10, role: "username"), .init(ref: 20, role: "current-password")])
    }

    @Test(arguments: [30, 40, -1, .max, .min])
    func fieldThatIsNoneOfThemNamesNothing(focused: Int) {
        #expect(refs([user, password, other], focused: focused) == [])
    }

    @Test("S16: hidden fields and fields that cannot be edited are never filled")
    func hiddenFieldsAreNeverFilled() {
        var hidden = password
        hidden.visible = false
        #expect(!refs([user, hidden], focused: 10).contains(20))
        #expect(refs([user, hidden], focused: 20) == [])
        var disabled = password
        disabled.editable = false
        #expect(!refs([user, disabled], focused: 10).contains(20))
    }

    /// Whatever a page calls a field that shows what is typed, it gets no password, saved or new.
    @Test(arguments: ["current-password", "new-password", ""])
    func shownPasswordIsNeverFilled(tag: String) {
        var shown = password
        (shown.type, shown.name, shown.autocomplete) = ("text", "password", tag)
        #expect(refs([user, shown], focused: 10) == [10])
        #expect(refs([user, shown], focused: 20) == [])
    }

    @Test func signUpFormsAreNotFilled() {
        let fields = [
            FieldStatement(ref: 1, type: "email", autocomplete: "username"),
            FieldStatement(ref: 2, type: "password", autocomplete: "new-password"),
            FieldStatement(ref: 3, type: "password", autocomplete: "new-password"),
        ]
        #expect(refs(fields, focused: 1) == [])
    }

    @Test(arguments: [2, 3, nil])
    func newPasswordAndItsRepetitionAreFilledTogether(focused: Int?) {
        let fields = [
            FieldStatement(ref: 1, type: "email", autocomplete: "username"),
            FieldStatement(ref: 2, type: "password", autocomplete: "new-password", passwordrules: "required: digit"),
            FieldStatement(ref: 3, type: "password", autocomplete: "new-password", maxlength: 12),
        ]
        let form = FocusedForm(PageStatement(fields: fields), focused: focused)
        #expect(form.fields == [.init(ref: 2, role: "new-password"), .init(ref: 3, role: "new-password")])
        #expect(form.newPassword?.fieldRules == "required: digit")
        #expect(form.newPassword?.confirmationRules == "maxlength: 12")
    }

    /// The analysis names the address there; a form that asks for no credential gets none.
    @Test func formsForSomethingElseAreNotFilled() {
        let fields = [
            FieldStatement(ref: 1, type: "text", name: "user", form: 0),
            FieldStatement(ref: 2, type: "password", name: "password", form: 0),
            FieldStatement(ref: 3, type: "text", name: "name", label: "Your name", form: 1),
            FieldStatement(ref: 4, type: "email", name: "email", form: 1),
        ]
        let forms = [FormStatement(buttons: ["Log in"]), FormStatement(buttons: ["Send"], headings: ["Contact us"])]
        let page = PageStatement(forms: forms, fields: fields)
        #expect(FocusedForm(page, focused: 4).fields.isEmpty)
        #expect(FocusedForm(page, focused: 1).fields.map(\.ref) == [1, 2])
    }

    @Test func pageWithoutFieldsNamesNothing() {
        #expect(refs([], focused: nil) == [])
        #expect(refs([], focused: 0) == [])
    }

    @Test(arguments: [0, 1, -1, 31, 32, 33, .max, .min])
    func formsThatDoNotExistAreNoTrap(form: Int) {
        var (first, second) = (user, password)
        (first.form, second.form) = (form, form)
        #expect(refs([first, second], focused: 10) == [10, 20])
        second.form = form &+ 1
        #expect(!refs([first, second], focused: 10).contains(20))
    }

    @Test(arguments: [-1, 0, 1, .max, .min])
    func absurdNumbersAreNoTrap(number: Int) {
        let fields = [
            FieldStatement(ref: number, type: "text", autocomplete: "username", maxlength: number),
            FieldStatement(ref: number, type: "password", maxlength: number),
        ]
        _ = refs(fields, focused: number)
    }

    @Test func onlyTheFirst64FieldsCount() {
        let many = (0..<64).map { FieldStatement(ref: 100 + $0, tag: "input", type: "search", name: "q") }
        #expect(refs(many + [password], focused: 20) == [])
        #expect(refs([password] + many, focused: 20) == [20])
    }

    @Test func longTextsAreCutWithoutATrap() {
        for text in [
            String(repeating: "x", count: 100_000), String(repeating: "😀", count: 1000),
            "\u{301}" + String(repeating: "\u{301}", count: 1000),
        ] {
            var field = password
            (field.name, field.label, field.nearby, field.placeholder) = (text, text, text, text)
            let forms = [FormStatement(name: text, action: text, buttons: [text], headings: [text])]
            let page = PageStatement(title: text, path: text, language: text, forms: forms, fields: [field])
            #expect(FocusedForm(page, focused: 20).fields.map(\.ref) == [20])
        }
    }
}
