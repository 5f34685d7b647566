// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct NativeFieldTests {
    struct Sample: Sendable, CustomStringConvertible {
        let field: NativeField
        let role: FieldRole?
        var description: String { "\(field.role) \(field.contentType) \(field.purpose) \(field.label)" }

        init(_ field: NativeField, _ role: FieldRole?) {
            self.field = field
            self.role = role
        }
    }

    static let samples = [
        Sample(NativeField(contentType: "username"), .username),
        Sample(NativeField(contentType: "UITextContentTypeUsername"), .username),
        Sample(NativeField(contentType: "password"), .currentPassword),
        Sample(NativeField(contentType: "newPassword"), .newPassword),
        Sample(NativeField(contentType: "oneTimeCode"), .oneTimeCode),
        Sample(NativeField(contentType: "username", purpose: "email"), .username),
        Sample(NativeField(contentType: "givenName", label: "User name"), nil),
        Sample(NativeField(contentType: "creditCardNumber"), nil),
        Sample(NativeField(role: "password text"), .currentPassword),
        Sample(NativeField(role: "password text", label: "New password"), .newPassword),
        Sample(NativeField(purpose: "GTK_INPUT_PURPOSE_PASSWORD"), .currentPassword),
        Sample(NativeField(purpose: "password"), .currentPassword),
        Sample(NativeField(purpose: "ImhHiddenText|ImhSensitiveData"), .currentPassword),
        Sample(
            NativeField(purpose: "Qt::ImhHiddenText | Qt::ImhNoPredictiveText", label: "Passphrase"), .currentPassword),
        Sample(NativeField(purpose: "pin"), nil),
        Sample(NativeField(purpose: "digits", label: "Verification code", maxLength: 6), .oneTimeCode),
        Sample(NativeField(purpose: "free-form", label: "Note"), nil),
        Sample(NativeField(role: "entry", label: "Search"), nil),
        Sample(NativeField(role: "password text", isVisible: false), nil),
        Sample(NativeField(contentType: "password", isEditable: false), nil),
    ]

    @Test(arguments: samples)
    func readsWhatToolkitsSay(_ sample: Sample) {
        let page = PageDescription(fields: [FieldDescription(sample.field)])
        #expect(FormAnalyzer().analyze(page).fields.map(\.role) == [sample.role])
    }

    @Test func readsAWindowThatSignsIn() {
        let page = PageDescription(
            fields: [
                FieldDescription(NativeField(role: "entry", purpose: "email", label: "Account")),
                FieldDescription(NativeField(role: "password text", label: "Password")),
            ],
            outsideForms: FormContext(buttons: ["Cancel", "Sign In"]), title: "Shiny")
        let analysis = FormAnalyzer().analyze(page)
        #expect(analysis.fields.map(\.role) == [.username, .currentPassword])
        #expect(analysis.kind == .signIn)
    }
}
