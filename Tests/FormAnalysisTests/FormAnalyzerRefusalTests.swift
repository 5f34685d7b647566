// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

/// What must not be filled: every page here asks for no credential, or hides that it does.
@Suite struct FormAnalyzerRefusalTests {
    static func invisible(_ field: FieldDescription) -> FieldDescription {
        var field = field
        field.isVisible = false
        return field
    }
    static func locked(_ field: FieldDescription) -> FieldDescription {
        var field = field
        field.isEditable = false
        return field
    }

    static let nothing: [SamplePage] = [
        SamplePage("search box", [.text("q")], form: .button("Search"), roles: [nil]),
        SamplePage(
            "search for users",
            [.text("search_username", label: "Search users")],
            form: .button("Go"),
            roles: [nil]
        ),
        SamplePage(
            "search on a page for signing in",
            [FieldDescription(type: "search", name: "user")],
            title: "Log in",
            roles: [nil]
        ),
        SamplePage("newsletter", [.email()], form: .button("Subscribe"), title: "Log in", roles: [nil]),
        SamplePage(
            "newsletter, by its heading",
            [.email()],
            form: FormContext(buttons: ["Sign up"], headings: ["Our newsletter"]),
            roles: [nil]
        ),
        SamplePage("newsletter, by its name", [.text("newsletter_email")], form: .button("Sign up"), roles: [nil]),
        SamplePage("an address and nothing else", [.email()], form: .button("Send"), roles: [nil]),
        SamplePage(
            "contact form",
            [.text("name"), .email(), FieldDescription(tag: "textarea", name: "message")],
            form: .button("Send"),
            title: "Log in",
            roles: [nil, nil, nil]
        ),
        SamplePage(
            "address",
            [.text("street"), .text("city"), .text("zip")],
            title: "Log in",
            roles: [nil, nil, nil]
        ),
        SamplePage(
            "checkout as a guest",
            [
                .email(), .text("given", autocomplete: "shipping given-name"),
                FieldDescription(type: "tel", name: "phone"),
            ],
            title: "Checkout",
            roles: [nil, nil, nil]
        ),
        SamplePage(
            "card",
            [.text("cardnumber"), .text("ccname"), .password("cvv", label: "CVV")],
            form: .button("Pay"),
            roles: [nil, nil, nil]
        ),
        SamplePage(
            "card by token",
            [.text("a", autocomplete: "cc-number"), .password("b", label: "Security code", autocomplete: "cc-csc")],
            roles: [nil, nil]
        ),
        SamplePage("names", [.text("first_name"), .text("last_name")], title: "Log in", roles: [nil, nil]),
        SamplePage("PIN", [.password("pin", label: "PIN")], roles: [nil]),
        SamplePage(
            "PIN in boxes",
            (0..<4).map { FieldDescription(type: "password", name: "d\($0)", label: "PIN", maxLength: 1) },
            roles: [nil, nil, nil, nil]
        ),
        SamplePage("answer to a question", [.password("answer", label: "Secret answer")], roles: [nil]),
        SamplePage("Social Security number", [.password("ssn")], roles: [nil]),
        SamplePage(
            "coupon",
            [FieldDescription(type: "text", name: "code", label: "Promo code", maxLength: 6)],
            roles: [nil]
        ),
        SamplePage("postal code", [.code("postal_code", label: "Postal code")], roles: [nil]),
        SamplePage(
            "country code",
            [.code("country_code", maxLength: 4)],
            title: "Two-factor authentication",
            roles: [nil]
        ),
        SamplePage("invitation", [.code("invite_code")], roles: [nil]),
        SamplePage("code at the checkout", [.code("code")], title: "Checkout", roles: [nil]),
        SamplePage("text in a picture", [.text("captcha_code", label: "Verification code")], roles: [nil]),
        SamplePage("shipping is no PIN and no password", [.text("shipping")], roles: [nil]),
        SamplePage(
            "blog is no log in",
            [.email("blog_email")],
            form: .button("Post"),
            title: "My blog",
            path: "/blog",
            roles: [nil]
        ),
        SamplePage("compass is no pass", [.text("compass_heading")], roles: [nil]),
        SamplePage("hint for a password", [.text("password_hint")], roles: [nil]),
        SamplePage("forgotten password", [.text("forgot_password_email")], roles: [nil]),
        SamplePage(
            "honeypot",
            [invisible(.text("username", autocomplete: "username")), invisible(.password())],
            roles: [nil, nil]
        ),
        SamplePage(
            "hidden by type",
            [FieldDescription(type: "hidden", name: "password", autocomplete: "current-password")],
            roles: [nil]
        ),
        SamplePage("read-only", [locked(.text("username")), locked(.password())], roles: [nil, nil]),
        SamplePage(
            "list tagged as a user name",
            [FieldDescription(tag: "select", name: "username", autocomplete: "username")],
            roles: [nil]
        ),
        SamplePage("check box called a password", [FieldDescription(type: "checkbox", name: "password")], roles: [nil]),
        SamplePage("button called login", [FieldDescription(type: "submit", name: "login")], roles: [nil]),
        SamplePage("user name tag on a password", [.password("pin", autocomplete: "username")], roles: [nil]),
        SamplePage(
            "new password tag on an address",
            [.text("address_line", autocomplete: "new-password")],
            roles: [nil]
        ),
        SamplePage(
            "new password tag on an email",
            [FieldDescription(type: "email", name: "email", autocomplete: "new-password")],
            form: .button("Send"),
            roles: [nil]
        ),
        SamplePage("code tag on a search", [.text("search", autocomplete: "one-time-code")], roles: [nil]),
        SamplePage(
            "name by token",
            [.text("f", autocomplete: "section-a billing family-name")],
            title: "Log in",
            roles: [nil]
        ),
        SamplePage(
            "text area named for a user",
            [FieldDescription(tag: "textarea", name: "username", label: "User name")],
            roles: [nil]
        ),
        SamplePage(
            "text area tagged for a password, which it would show",
            [FieldDescription(tag: "textarea", autocomplete: "current-password")],
            roles: [nil]
        ),
        SamplePage("text area for mail", [FieldDescription(tag: "textarea", autocomplete: "email")], roles: [nil]),
        SamplePage("a date", [FieldDescription(type: "date", name: "username")], roles: [nil]),
        SamplePage("quantity", [FieldDescription(type: "number", name: "qty", maxLength: 6)], roles: [nil]),
    ]

    @Test(arguments: nothing)
    func refuses(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis.fields.map(\.role) == sample.roles)
        #expect(analysis.forms == [FormAnalysisResult(form: 0)])
        #expect(analysis.fields.allSatisfy { $0.confidence == 0 && !$0.reasons.isEmpty })
    }

    static let beside: [SamplePage] = [
        SamplePage(
            "search above signing in",
            [.text("q"), .email(), .password()],
            roles: [nil, .username, .currentPassword]
        ),
        SamplePage(
            "one user name only",
            [.text("username"), .email("email"), .password()],
            form: .button("Sign in"),
            roles: [.username, nil, .currentPassword]
        ),
        SamplePage(
            "names beside an email",
            [.text("fullname"), .email(), .text("company"), .password()],
            form: .button("Register"),
            roles: [nil, .username, nil, .newPassword]
        ),
        SamplePage(
            "picture beside a password",
            [.text("username"), .password(), .text("captcha")],
            roles: [.username, .currentPassword, nil]
        ),
        SamplePage(
            "hidden field between",
            [.text("user"), invisible(.text("email")), .password()],
            roles: [.username, nil, .currentPassword]
        ),
        SamplePage(
            "card number before a password, where nobody signs in",
            [.text("card_number", label: "Card number"), .password()],
            form: .button("Check balance"),
            roles: [nil, .currentPassword]
        ),
        SamplePage(
            "newsletter after the password",
            [.email(), .password(), .text("newsletter_email")],
            roles: [.username, .currentPassword, nil]
        ),
    ]

    @Test(arguments: beside)
    func refusesWhatStandsBesideCredentials(_ sample: SamplePage) {
        #expect(sample.analysis.fields.map(\.role) == sample.roles)
    }

    @Test func refusesNewsletterUnderAFormForSigningIn() {
        let page = PageDescription(
            fields: [
                FieldDescription(type: "email", name: "email", form: 0),
                FieldDescription(type: "password", name: "password", form: 0),
                FieldDescription(type: "email", name: "email", form: 1),
            ],
            forms: [.button("Log in"), .button("OK")],
            title: "Log in"
        )
        #expect(FormAnalyzer().analyze(page).fields.map(\.role) == [.username, .currentPassword, nil])
    }
}
