// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon

@Suite struct SubmittedFormTests {
    private let user = FieldStatement(ref: 1, type: "text", autocomplete: "username", visible: true)
    private let current = FieldStatement(ref: 2, type: "password", autocomplete: "current-password", visible: true)
    private let new = FieldStatement(ref: 3, type: "password", autocomplete: "new-password", visible: true)
    private let again = FieldStatement(ref: 4, type: "password", autocomplete: "new-password", visible: true)

    private func submitted(_ fields: [FieldStatement], _ values: [Int: String]) -> SubmittedForm? {
        SubmittedForm(
            PageStatement(fields: fields),
            values: values.map { TypedValue(ref: $0.key, value: WireSecret(SecretBytes(utf8: $0.value))) })
    }

    @Test func fieldThatIsCalledTheUserNameGoesBeforeAnAddress() throws {
        let mail = FieldStatement(ref: 5, type: "email", name: "username", autocomplete: "email", visible: true)
        let both = try #require(submitted([user, mail, new], [1: "anna", 5: "anna@example.com", 3: "secret"]))
        #expect(both.user == "anna")
    }

    @Test func signInGivesNameAndPassword() throws {
        let form = try #require(submitted([user, current], [1: "anna", 2: "secret"]))
        #expect(form.user == "anna")
        #expect(form.password?.value == SecretBytes(utf8: "secret"))
        #expect(form.password?.kind == .current)
    }

    @Test func firstOfTwoStepsGivesTheNameAlone() throws {
        let form = try #require(submitted([user], [1: "anna"]))
        #expect(form.user == "anna")
        #expect(form.password == nil)
    }

    @Test func changeGivesTheNewPasswordAndTheOldOne() throws {
        let form = try #require(submitted([current, new, again], [2: "old", 3: "next", 4: "next"]))
        #expect(form.password?.value == SecretBytes(utf8: "next"))
        #expect(form.password?.kind == .new)
        #expect(form.oldPassword == SecretBytes(utf8: "old"))
        #expect(form.user == nil)
    }

    @Test func addressBesideAUserNameMayBeTheNameThatIsSaved() throws {
        let mail = FieldStatement(ref: 5, type: "email", name: "mail", visible: true)
        let both = try #require(submitted([user, mail, current], [1: "anna", 5: "anna@example.com", 2: "secret"]))
        #expect(both.user == "anna")
        #expect(both.otherUser == "anna@example.com")
        #expect(submitted([user, mail, current], [1: "anna", 2: "secret"])?.otherUser == nil)
        #expect(submitted([mail, current], [5: "anna@example.com", 2: "secret"])?.otherUser == nil)
        // Who makes an account has none that is saved.
        #expect(submitted([user, mail, new], [1: "anna", 5: "anna@example.com", 3: "secret"])?.otherUser == nil)
    }

    @Test func textFieldBeforeAPasswordIsNoSureUserName() throws {
        let stray = FieldStatement(ref: 6, type: "text", name: "display", visible: true)
        let change = try #require(submitted([stray, current, new], [6: "Anna Smith", 2: "old", 3: "next"]))
        #expect(change.user == "Anna Smith" && !change.isUserSure)
        #expect(submitted([user, current, new], [1: "anna", 2: "old", 3: "next"])?.isUserSure == true)
        #expect(change.userField != submitted([user, current], [1: "anna", 2: "old"])?.userField)
    }

    @Test func repetitionThatDiffersIsNothing() {
        #expect(submitted([user, new, again], [1: "anna", 3: "next", 4: "text"]) == nil)
    }

    @Test("S31: only what was typed counts: fields without a value and names of no field give nothing")
    func onlyWhatWasTypedCounts() {
        #expect(submitted([user, current], [:]) == nil)
        #expect(submitted([user, current], [1: "", 2: ""]) == nil)
        #expect(submitted([user, current], [7: "secret", -1: "secret"]) == nil)
        #expect(submitted([FieldStatement(ref: 9, type: "search", name: "q")], [9: "how to"]) == nil)
    }

    @Test func whatNoItemCouldHaveIsLeftOut() {
        let long = String(repeating: "x", count: 5_000)
        #expect(submitted([user, current], [1: "anna", 2: long]) == nil)
        #expect(submitted([user, current], [1: "an\nna", 2: "secret"])?.user == nil)
        #expect(submitted([user, current], [1: long, 2: "secret"])?.user == nil)
    }

    @Test func pageThatAsksForTheSameAgainHasNotTakenIt() {
        let signIn = AfterSubmission(PageStatement(fields: [user, current]))
        #expect(signIn.rejects(.current))
        #expect(!signIn.rejects(.new))
        let change = AfterSubmission(PageStatement(fields: [current, new, again]))
        #expect(change.rejects(.new))
        #expect(!change.rejects(.current))
        // A form for new accounts beside the one that signs in does not make a yes of a no.
        let forms = [FormStatement(name: "login"), FormStatement(name: "join")]
        func of(_ form: Int, _ field: FieldStatement) -> FieldStatement {
            var field = field
            field.form = form
            return field
        }
        let both = AfterSubmission(PageStatement(forms: forms, fields: [of(0, user), of(0, current), of(1, new)]))
        #expect(both.rejects(.current) && both.rejects(.new))
        let expired = AfterSubmission(PageStatement(forms: forms, fields: [of(0, current), of(0, new), of(1, user)]))
        #expect(!expired.rejects(.current))
        var hidden = current
        hidden.visible = false
        #expect(!AfterSubmission(PageStatement(fields: [user, hidden])).rejects(.current))
        #expect(!AfterSubmission(PageStatement(fields: [])).rejects(.current))
    }
}

@Suite struct NewPasswordFormTests {
    private func rules(_ field: FieldStatement) -> String? { NewPasswordForm([field]).fieldRules }

    @Test(
        arguments: [
            (FieldStatement(ref: 1), nil),
            (FieldStatement(ref: 1, passwordrules: "required: upper;"), "required: upper"),
            (
                FieldStatement(ref: 1, passwordrules: "required: upper", minlength: 8, maxlength: 12),
                "required: upper; minlength: 8; maxlength: 12"
            ),
            // A pattern is not combined with rules, and one that is not understood is none.
            (FieldStatement(ref: 1, pattern: "[a-z]{4,9}", passwordrules: "required: upper"), "required: upper"),
            (FieldStatement(ref: 1, pattern: "[a-z]{4,9}"), "allowed: lower; minlength: 4; maxlength: 9"),
            (FieldStatement(ref: 1, pattern: "(a+)+b"), nil),
            // Rules that are thrown away whole take no lengths with them.
            (FieldStatement(ref: 1, passwordrules: "required: nonsense", minlength: 10), "minlength: 10"),
            (FieldStatement(ref: 1, minlength: 0, maxlength: 1), nil),
        ] as [(FieldStatement, String?)])
    func statesWhatTheFieldStates(field: FieldStatement, expected: String?) {
        #expect(rules(field) == expected)
    }
}
