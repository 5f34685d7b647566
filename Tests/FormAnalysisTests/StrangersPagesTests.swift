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

    @Test(arguments: codes + addresses + passwords + places)
    func readsWhatPeopleAreTold(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis.fields.map(\.role) == sample.roles)
        if let kind = sample.kind { #expect(analysis.forms.first?.kind == kind) }
    }
}
