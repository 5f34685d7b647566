// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

/// Pages that say one thing to programs and another one to people, each beside those that it must not be taken for.
@Suite struct StrangersPagesTests {
    private static let sent = FormContext(
        buttons: ["Next"], headings: ["2-Step Verification"], lead: "Enter the verification code that we sent you")

    static let codes: [SamplePage] = [
        SamplePage(
            "PIN for programs, a code for people",
            [FieldDescription(type: "tel", name: "totpPin", identifier: "totpPin", ariaLabel: "Enter code")],
            form: sent, roles: [.oneTimeCode], kind: .oneTimeCode),
        SamplePage(
            "PIN for programs, nothing for people", [.text("idvPin")], form: sent, roles: [.oneTimeCode],
            kind: .oneTimeCode),
        SamplePage(
            "PIN for programs, few digits", [.code("pin", label: "Code")], form: sent, roles: [.oneTimeCode]),
        SamplePage("PIN for people", [.code("pin", label: "PIN")], form: sent, roles: [nil]),
        SamplePage("PIN that is hidden", [.password("pin")], form: sent, roles: [nil]),
        SamplePage("PIN of a card", [.text("pin", label: "Card PIN")], form: sent, roles: [nil]),
        SamplePage("end of a number", [.text("f", label: "Last 4 of your SSN")], form: sent, roles: [nil]),
        SamplePage(
            "PIN, and no word of a code", [.text("pin")], form: FormContext(buttons: ["Next"], headings: ["Your card"]),
            roles: [nil]),
        SamplePage(
            "game", [.text("game_pin")], form: FormContext(buttons: ["Join"], headings: ["Join the game"]), roles: [nil]
        ),
        SamplePage("three characters", [.code("otp", maxLength: 3)], form: sent, roles: [nil]),
        SamplePage(
            "two characters, tagged",
            [FieldDescription(type: "text", name: "otp", autocomplete: "one-time-code", maxLength: 2)],
            form: sent, roles: [nil]),
        SamplePage("four characters", [.code("otp", maxLength: 4)], form: sent, roles: [.oneTimeCode]),
    ]

    static let addresses: [SamplePage] = [
        SamplePage(
            "new address",
            [FieldDescription(type: "email", name: "email", label: "New email address"), .password()],
            roles: [nil, .currentPassword], kind: .passwordSecond),
        SamplePage(
            "new address, for programs", [.text("new_email", label: "Email"), .password()],
            roles: [nil, .currentPassword]),
        SamplePage(
            "new address, twice",
            [
                .text("email1", label: "New e-mail", autocomplete: "email"), .text("email2", label: "Repeat e-mail"),
                .password("password", autocomplete: "current-password"),
            ],
            roles: [nil, nil, .currentPassword]),
        SamplePage(
            "new address beside the old one",
            [.text("email", label: "Email"), .text("new_email", label: "New email"), .password()],
            roles: [.username, nil, .currentPassword]),
        SamplePage(
            "new address beside the user name",
            [.text("username"), .text("new_email", label: "New email"), .password()],
            roles: [.username, nil, .currentPassword]),
        SamplePage(
            "address of a person who signs in", [.text("email", label: "Email"), .password()],
            form: .button("Sign in"), roles: [.username, .currentPassword]),
        SamplePage(
            "address, tagged by the page", [.text("new_email", autocomplete: "username"), .password()],
            roles: [.username, .currentPassword]),
        SamplePage(
            "new account", [.text("new_email", label: "Email"), .password("new_password", label: "New password")],
            form: .button("Create account"), roles: [.username, .newPassword]),
    ]

    static let passwords: [SamplePage] = [
        SamplePage(
            "password, confirm new password",
            [.password("p", label: "Password"), .password("q", label: "Confirm new password")],
            roles: [.newPassword, .newPassword]),
        SamplePage(
            "the same, of a new account",
            [.email(), .password("p", label: "Password"), .password("q", label: "Confirm new password")],
            form: .button("Create account"), roles: [.username, .newPassword, .newPassword], kind: .signUp),
        SamplePage(
            "current password, confirm new password",
            [.password("p", label: "Current password"), .password("q", label: "Confirm new password")],
            roles: [.currentPassword, .newPassword]),
        SamplePage(
            "password, new password", [.password("p", label: "Password"), .password("q", label: "New password")],
            roles: [.currentPassword, .newPassword], kind: .changePassword),
        SamplePage(
            "password, new password, which programs call a repetition",
            [.password("p", label: "Password"), .password("again", label: "New password")],
            roles: [.currentPassword, .newPassword]),
        SamplePage(
            "password, new password, confirm new password",
            [
                .password("p", label: "Password"), .password("q", label: "New password"),
                .password("r", label: "Confirm new password"),
            ],
            roles: [.currentPassword, .newPassword, .newPassword], kind: .changePassword),
    ]

    /// Tags that the rest of the page contradicts, and the same tags where nothing does.
    static let contradictions: [SamplePage] = [
        SamplePage(
            "a new one, in a form that signs in and states rules",
            [
                .text("user"),
                FieldDescription(
                    type: "password", name: "password", autocomplete: "new-password", placeholder: "8-16 characters"),
            ],
            form: .button("Log in"), roles: [.username, .currentPassword], kind: .signIn),
        SamplePage(
            "a new one, in a form that signs in and leads to signing up",
            [.text("user"), .password("password", autocomplete: "new-password")],
            form: FormContext(buttons: ["Log in", "Sign up"]), roles: [.username, .currentPassword], kind: .signIn),
        SamplePage(
            "a new one, in a form that says nothing",
            [.email(), .password("password", autocomplete: "new-password")],
            form: .button("Continue"), roles: [.username, .newPassword]),
        SamplePage(
            "a new one, in a form that signs up",
            [.email(), .password("password", autocomplete: "new-password")],
            form: FormContext(buttons: ["Sign up"], links: ["Log in"]), roles: [.username, .newPassword], kind: .signUp),
        SamplePage(
            "the current one, which is created",
            [.email(), .password("password", label: "Create a password", autocomplete: "current-password")],
            form: .button("Continue"), roles: [.username, .newPassword]),
        SamplePage(
            "the current one, in a form that signs up",
            [.email(), .password("password", autocomplete: "current-password")],
            form: FormContext(buttons: ["Create account"], headings: ["Sign up"]), roles: [.username, .newPassword],
            kind: .signUp),
        SamplePage(
            "the current one, in a form that says nothing",
            [.email(), .password("password", autocomplete: "current-password")],
            form: .button("Continue"), roles: [.username, .currentPassword]),
        SamplePage(
            "the current one, called so, in a form that speaks of signing up",
            [
                .email(), .password("password", label: "Current password", autocomplete: "current-password"),
            ],
            form: FormContext(buttons: ["Create account"], headings: ["Sign up"]), roles: [.username, .currentPassword]),
        SamplePage(
            "the current one twice, the second a repetition",
            [
                .email(), .password("p", label: "Password", autocomplete: "current-password"),
                .password("q", label: "Confirm password", autocomplete: "current-password"),
            ],
            roles: [.username, .newPassword, .newPassword]),
        SamplePage(
            "the current one, beside bait that is tagged like it",
            [
                .text("user"), .password("password", autocomplete: "current-password"),
                .password("again1", autocomplete: "current-password"),
                .password("again2", autocomplete: "current-password"),
            ],
            form: .button("Log in"), roles: [.username, .currentPassword, .currentPassword, .currentPassword]),
        SamplePage(
            "the current one, in a form that signs in, beside one piece of bait",
            [
                .text("user"), .password("password", autocomplete: "current-password"),
                .password("again", autocomplete: "current-password"),
            ],
            form: .button("Log in"), roles: [.username, .currentPassword, .currentPassword]),
        SamplePage(
            "three new ones",
            [
                .password("p", autocomplete: "new-password"), .password("q", autocomplete: "new-password"),
                .password("r", autocomplete: "new-password"),
            ],
            form: .button("Change password"), roles: [.currentPassword, .newPassword, .newPassword],
            kind: .changePassword),
        SamplePage(
            "two new ones",
            [.password("p", autocomplete: "new-password"), .password("q", autocomplete: "new-password")],
            form: .button("Change password"), roles: [.newPassword, .newPassword], kind: .changePassword),
    ]

    /// What a new account goes by, where the form asks for an address as well.
    static let names: [SamplePage] = [
        SamplePage(
            "an ID before the password, an address after it",
            [.text("shiny_id", label: "Shiny ID"), .password("p"), .password("p2", label: "Repeat"), .email()],
            form: .button("Create account"), roles: [.username, .newPassword, .newPassword, .username]),
        SamplePage(
            "a person's name before the password, an address after it",
            [.text("n", label: "First name"), .password("p"), .email()],
            form: .button("Create account"), roles: [nil, .newPassword, .username]),
        SamplePage(
            "an address before the password",
            [.email(), .text("x", label: "Shop"), .password("p")],
            form: .button("Create account"), roles: [.username, nil, .newPassword]),
    ]

    /// Beside a password a code for one use has to say so; any other is mostly the text in a picture.
    static let pictures: [SamplePage] = [
        SamplePage(
            "digits of a picture",
            [.text("username"), .password(), .code("verifyCode", label: "验证码", maxLength: 4)],
            form: .button("登录"), roles: [.username, .currentPassword, nil]),
        SamplePage(
            "a code beside a telephone",
            [
                FieldDescription(type: "tel", name: "mobile", label: "手机号"), .code("verifyCode", label: "验证码"),
                .password("password", label: "设置密码"),
            ],
            form: .button("注册"), roles: [.username, .oneTimeCode, .newPassword]),
        SamplePage(
            "a code that was sent",
            [.text("username"), .password(), .code("verifyCode", label: "Verification code that we sent you")],
            roles: [.username, .currentPassword, .oneTimeCode]),
        SamplePage(
            "a second factor", [.text("username"), .password(), .text("mfa_code")],
            roles: [.username, .currentPassword, .oneTimeCode]),
    ]

    static let places: [SamplePage] = [
        SamplePage(
            "signs in, at an address for new accounts", [.email(), .password()], form: .button("Log in"),
            path: "/signup", roles: [.username, .currentPassword], kind: .signIn),
        SamplePage(
            "a heading that signs in, at an address for new accounts", [.email(), .password()],
            form: FormContext(buttons: ["Continue"], headings: ["Sign in to Shiny"]), title: "Sign in",
            path: "/signup", roles: [.username, .currentPassword], kind: .signIn),
        SamplePage(
            "remembers, at an address for new accounts", [.email(), .password(), .checkBox("Remember me")],
            form: FormContext(buttons: ["Continue"], headings: ["Sign in"]), path: "/signup",
            roles: [.username, .currentPassword, nil], kind: .signIn),
        SamplePage(
            "nothing but the address", [.email(), .password()], form: .button("Continue"), path: "/signup",
            roles: [.username, .newPassword], kind: .signUp),
        SamplePage(
            "new account, at an address for signing in", [.email(), .password()], form: .button("Create account"),
            path: "/login", roles: [.username, .newPassword], kind: .signUp),
    ]

    @Test(arguments: codes + addresses + passwords + contradictions + names + pictures + places)
    func readsWhatPeopleAreTold(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis.fields.map(\.role) == sample.roles)
        if let kind = sample.kind { #expect(analysis.forms.first?.kind == kind) }
    }
}
