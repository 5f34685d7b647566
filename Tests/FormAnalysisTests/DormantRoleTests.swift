// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

/// Fields that take nothing now are said to be meant for something, and have no role all the same.
@Suite struct DormantRoleTests {
    private static func hidden(_ type: String, _ name: String) -> FieldDescription {
        FieldDescription(type: type, name: name, isVisible: false)
    }

    private static func analysis(_ fields: [FieldDescription], button: String, form: Int? = 0) -> PageAnalysis {
        let placed = fields.map { field in
            var field = field
            field.form = form
            return field
        }
        return FormAnalyzer().analyze(
            PageDescription(fields: placed, forms: [.button(button)], outsideForms: .button(button)))
    }

    @Test("S16: what a hidden field is meant for is no role")
    func givesNoRole() {
        let analysis = Self.analysis(
            [
                Self.hidden("email", "email"), Self.hidden("password", "pass"), .text("login"), .password("p"),
                FieldDescription(type: "email", name: "mail", isEditable: false),
            ], button: "Sign in")
        #expect(analysis.fields.map(\.role) == [nil, nil, .username, .currentPassword, nil])
        #expect(analysis.fields.map(\.dormantRole) == [.username, .currentPassword, nil, nil, .username])
        #expect(analysis.fields[1].confidence == 0)
        #expect(analysis.forms.map(\.fields) == [[2, 3]])
        #expect(analysis.companions(of: 3) == [2])
        #expect(analysis.companions(of: 1).isEmpty)
    }

    @Test func followsTheForm() {
        let fields = [Self.hidden("password", "a"), .email(), .password("b")]
        #expect(Self.analysis(fields, button: "Create account").fields[0].dormantRole == .newPassword)
        #expect(Self.analysis(fields, button: "Sign in").fields[0].dormantRole == .currentPassword)
    }

    @Test func changesNothingOfTheOthers() {
        let seen: [FieldDescription] = [.text("login"), .password("p")]
        let traps = [
            Self.hidden("password", "new_password"), Self.hidden("text", "username"), Self.hidden("tel", "otp"),
        ]
        let with = Self.analysis(seen + traps, button: "Sign in").fields.prefix(2)
        #expect(Array(with) == Self.analysis(seen, button: "Sign in").fields)
    }

    @Test(
        "Bait, codes, and what is hidden among fields for something else are meant for nothing",
        arguments: [
            hidden("email", "fake_email"), hidden("password", "fakepassword"), hidden("tel", "otp"),
            hidden("text", "q"), hidden("text", "first_name"), hidden("hidden", "username"),
            hidden("checkbox", "login"),
        ])
    func isMeantForNothing(_ field: FieldDescription) {
        let analysis = Self.analysis([field, .text("login"), .password("p")], button: "Sign in")
        #expect(analysis.fields[0].role == nil && analysis.fields[0].dormantRole == nil)
    }

    @Test func readsNoNamesOfWhatIsHiddenOutsideForms() {
        let fields = [Self.hidden("text", "email_to_change"), .text("login"), .password("p")]
        #expect(Self.analysis(fields, button: "Sign in", form: nil).fields[0].dormantRole == nil)
        #expect(Self.analysis(fields, button: "Sign in").fields[0].dormantRole == .username)
        #expect(Self.analysis([fields[0]], button: "Search").fields[0].dormantRole == nil)
    }

    @Test func isNilWhereTheFieldHasARole() {
        let analysis = Self.analysis([.text("login"), .password("p")], button: "Sign in")
        #expect(analysis.fields.allSatisfy { $0.role != nil && $0.dormantRole == nil })
    }

    @Test func leavesCodesOfLaterStepsAlone() {
        var code = FieldDescription.code("otp")
        code.autocomplete = "one-time-code"
        #expect(Self.analysis([code], button: "Verify").fields[0].role == .oneTimeCode)
        code.mayComeLater = true
        #expect(Self.analysis([code], button: "Verify").fields[0].role == nil)
        var name = FieldDescription.text("username")
        name.mayComeLater = true
        #expect(Self.analysis([name, .password()], button: "Log in").fields[0].role == .username)
    }
}
