// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct AutocompleteTests {
    struct Sample: Sendable, CustomStringConvertible {
        let attribute: String
        let type: String
        let role: FieldRole?
        var description: String { "\(type) autocomplete=\"\(attribute)\"" }

        init(_ attribute: String, _ type: String, _ role: FieldRole?) {
            (self.attribute, self.type, self.role) = (attribute, type, role)
        }
    }

    static let samples = [
        Sample("username", "text", .username),
        Sample("USERNAME", "text", .username),
        Sample("  username\twebauthn ", "text", .username),
        Sample("section-login username", "email", .username),
        Sample("section-a shipping username", "text", .username),
        Sample("email username", "email", .username),
        Sample("username", "tel", .username),
        Sample("current-password", "password", .currentPassword),
        Sample("current-password webauthn", "password", .currentPassword),
        Sample("section-x Current-Password", "password", .currentPassword),
        Sample("new-password", "password", .newPassword),
        Sample("new-password current-password", "password", .newPassword),
        Sample("one-time-code", "text", .oneTimeCode),
        Sample("one-time-code", "tel", .oneTimeCode),
        Sample("one-time-code", "password", .oneTimeCode),
        Sample("off", "password", .currentPassword),
        Sample("nope", "password", .currentPassword),
        Sample("username", "password", .currentPassword),
        Sample("email", "text", nil),
        Sample("off", "text", nil),
        Sample("webauthn", "text", nil),
        Sample("user-name", "text", nil),
        Sample("current-password", "email", nil),
        Sample("current-password", "number", nil),
        Sample("one-time-code", "email", nil),
        Sample("username", "checkbox", nil),
        Sample("username", "hidden", nil),
        Sample("given-name", "text", nil),
        Sample("cc-csc", "text", nil),
    ]

    @Test(arguments: samples)
    func readsTokens(_ sample: Sample) {
        let field = FieldDescription(type: sample.type, autocomplete: sample.attribute)
        let answer = FormAnalyzer().analyze(PageDescription(fields: [field])).fields[0]
        #expect(answer.role == sample.role)
        if let role = answer.role, sample.attribute.lowercased().contains(role.rawValue) {
            #expect(answer.confidence == 1)
            #expect(answer.reasons == ["autocomplete=\"\(role.rawValue)\""])
        }
    }

    @Test("a text area is a field where its page says so", arguments: ["username", "Section-a USERNAME webauthn"])
    func textAreaForAUserName(attribute: String) {
        let page = PageDescription(
            fields: [FieldDescription(tag: "textarea", autocomplete: attribute), .password("secret")])
        #expect(FormAnalyzer().analyze(page).fields.map(\.role) == [.username, .currentPassword])
    }

    @Test func textAreaForACode() {
        let page = PageDescription(fields: [FieldDescription(tag: "textarea", autocomplete: "one-time-code")])
        #expect(FormAnalyzer().analyze(page).fields.map(\.role) == [.oneTimeCode])
    }

    @Test func tokensWinOverWords() {
        let page = PageDescription(
            fields: [
                .text("nickname_query", autocomplete: "username"),
                .password("new_password_confirm", autocomplete: "current-password"),
            ],
            title: "Register"
        )
        let analysis = FormAnalyzer().analyze(page)
        #expect(analysis.fields.map(\.role) == [.username, .currentPassword])
        #expect(analysis.forms.map(\.kind) == [.signIn])
    }
}
