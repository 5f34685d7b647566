// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct FormAnalyzerTests {
    static let forms: [SamplePage] = [
        SamplePage(
            "user name and password",
            [.text("username"), .password()],
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "email and password",
            [.email(), .password()],
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "telephone and password",
            [FieldDescription(type: "tel", name: "phone"), .password()],
            form: .button("Log in"),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "a field without a name before a password",
            [.text("f1"), .password("f2")],
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "a generic name before a password",
            [.text("name", label: "Name"), .password("pass")],
            form: .button("Log in"),
            roles: [.username, .currentPassword]
        ),
        SamplePage(
            "a library card and a PIN",
            [.text("card_number", label: "Card number"), .password("pin", label: "PIN")],
            form: .button("Log in"),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "a tag to keep browsers away",
            [.text("username"), .password("password", autocomplete: "new-password")],
            form: FormContext(buttons: ["Log in"], headings: ["Log in"], links: ["Forgot password?"]),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "a form that is sent by what looks like a button",
            [.text("member_no"), .password("pwd")],
            form: FormContext(links: ["Log in"]),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "tenant, user and password",
            [.text("company", label: "Company"), .text("user", label: "User"), .password()],
            form: .button("Sign in"),
            roles: [nil, .username, .currentPassword]
        ),
        SamplePage(
            "remember me beside a password",
            [.email(), .password(), .checkBox("Remember me")],
            roles: [.username, .currentPassword, nil],
            kind: .signIn
        ),
        SamplePage(
            "a password alone",
            [.password()],
            form: .button("Sign in"),
            roles: [.currentPassword],
            kind: .passwordSecond
        ),
        SamplePage(
            "confirming a password to go on",
            [.password("confirm_password", label: "Confirm your password")],
            form: .button("Sign in"),
            roles: [.currentPassword],
            kind: .passwordSecond
        ),
        SamplePage(
            "reset password beside sign in",
            [.email(), .password()],
            form: FormContext(buttons: ["Reset password", "Sign in"]),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "create account beside sign in",
            [.email(), .password()],
            form: FormContext(buttons: ["Sign in", "Create account"]),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "email first, signing in by the title",
            [.email()],
            form: .button("Next"),
            title: "Sign in",
            roles: [.username],
            kind: .userNameFirst
        ),
        SamplePage(
            "user name first",
            [.text("identifier", label: "Email or username")],
            form: .button("Log in"),
            roles: [.username],
            kind: .userNameFirst
        ),
        SamplePage(
            "search type tagged as a user name",
            [FieldDescription(type: "search", name: "id", autocomplete: "username"), .password()],
            roles: [.username, .currentPassword]
        ),
        SamplePage(
            "revealed password",
            [.email(), .text("password")],
            form: .button("Sign in"),
            roles: [.username, .currentPassword],
            kind: .signIn
        ),
        SamplePage(
            "a token for a password, on a field that shows what is typed",
            [.email(), .text("f", autocomplete: "current-password")],
            roles: [nil, nil]
        ),
        SamplePage(
            "a type that browsers do not know",
            [FieldDescription(type: "login", name: "user_name"), .password()],
            roles: [.username, .currentPassword]
        ),
        SamplePage(
            "a label that is only nearby",
            [
                FieldDescription(type: "text", name: "x1", nearbyText: "Username:"),
                FieldDescription(type: "text", name: "x2", nearbyText: "Branch:"), .password("x3"),
            ],
            roles: [.username, nil, .currentPassword]
        ),
        SamplePage(
            "signing up by the button",
            [.email(), .password()],
            form: .button("Create account"),
            roles: [.username, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "signing up by the path",
            [.email(), .password()],
            path: "/users/sign_up",
            roles: [.username, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "signing up by what it asks",
            [.text("first_name"), .text("last_name"), .email(), .password()],
            roles: [nil, nil, .username, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "signing up with user name and email",
            [.text("username"), .email(), .password()],
            form: .button("Register"),
            roles: [.username, .username, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "password and its repetition",
            [.email(), .password(), .password("password_confirmation")],
            roles: [.username, .newPassword, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "two passwords without words",
            [.email(), .password("p1"), .password("p2")],
            roles: [.username, .newPassword, .newPassword],
            kind: .signUp
        ),
        SamplePage(
            "signing up without a password",
            [.email()],
            form: .button("Create account"),
            roles: [.username],
            kind: .signUp
        ),
        SamplePage(
            "current and new",
            [.password("old_password"), .password("new_password")],
            roles: [.currentPassword, .newPassword],
            kind: .changePassword
        ),
        SamplePage(
            "current, new, repetition",
            [
                .password("a", label: "Current password"), .password("b", label: "New password"),
                .password("c", label: "Repeat"),
            ],
            roles: [.currentPassword, .newPassword, .newPassword],
            kind: .changePassword
        ),
        SamplePage(
            "three passwords without words",
            [.password("p1"), .password("p2"), .password("p3")],
            roles: [.currentPassword, .newPassword, .newPassword],
            kind: .changePassword
        ),
        SamplePage(
            "password, then a new one",
            [.password("password"), .password("newPassword")],
            roles: [.currentPassword, .newPassword],
            kind: .changePassword
        ),
        SamplePage(
            "resetting",
            [.password("password"), .password("password2")],
            title: "Reset your password",
            roles: [.newPassword, .newPassword],
            kind: .changePassword
        ),
        SamplePage(
            "resetting with one field",
            [.password("password")],
            form: .button("Reset password"),
            roles: [.newPassword],
            kind: .changePassword
        ),
    ]

    @Test(arguments: forms)
    func namesRolesAndKinds(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis.fields.map(\.role) == sample.roles)
        if let kind = sample.kind { #expect(analysis.forms.map(\.kind) == [kind]) }
    }

    @Test(arguments: forms)
    func isDeterministicAndSaysWhy(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis == sample.analysis)
        for field in analysis.fields {
            #expect(!field.reasons.isEmpty)
            #expect((field.confidence > 0) == (field.role != nil))
            #expect(field.confidence <= 1)
        }
    }

    @Test func tellsFormsOfOnePageApart() {
        let page = PageDescription(
            fields: [
                FieldDescription(type: "email", name: "email", form: 0),
                FieldDescription(type: "password", name: "password", form: 0),
                FieldDescription(type: "email", name: "email", form: 1),
                FieldDescription(type: "password", name: "password", form: 1),
            ],
            forms: [.button("Log in"), .button("Register")],
            title: "Log in or register"
        )
        let analysis = FormAnalyzer().analyze(page)
        #expect(analysis.fields.map(\.role) == [.username, .currentPassword, .username, .newPassword])
        #expect(analysis.forms.map(\.kind) == [.signIn, .signUp])
    }

    @Test func cutsFieldsOutsideFormsAtTheNextUserName() {
        let page = PageDescription(fields: [
            FieldDescription(type: "email", name: "login_email"), .password("login_password"),
            FieldDescription(type: "email", name: "new_email"), .password("new_password"), .password("repeat_password"),
        ])
        let analysis = FormAnalyzer().analyze(page)
        #expect(
            analysis.fields.map(\.role) == [.username, .currentPassword, .username, .newPassword, .newPassword]
        )
        #expect(analysis.forms.map(\.fields) == [[0, 1], [2, 3, 4]])
        #expect(analysis.forms.allSatisfy { $0.form == nil })
    }

    @Test func readsTheSurroundingsOfFieldsOutsideForms() {
        let page = PageDescription(
            fields: [.email(), .password()],
            outsideForms: FormContext(buttons: ["Create account"])
        )
        #expect(FormAnalyzer().analyze(page).fields.map(\.role) == [.username, .newPassword])
    }

    @Test func givesNothingForAnEmptyPage() {
        #expect(FormAnalyzer().analyze(PageDescription()) == PageAnalysis())
    }

    @Test func survivesFormIndicesThatNameNoForm() {
        let page = PageDescription(fields: [
            FieldDescription(type: "password", form: -1), FieldDescription(type: "password", form: .max),
        ])
        #expect(FormAnalyzer().analyze(page).forms.map(\.kind) == [.passwordSecond, .passwordSecond])
    }
}
