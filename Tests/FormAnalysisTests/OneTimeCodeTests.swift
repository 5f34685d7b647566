// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct OneTimeCodeTests {
    static let samples: [SamplePage] = [
        SamplePage("otp", [.text("otp")], roles: [.oneTimeCode], kind: .oneTimeCode),
        SamplePage("camel case", [.code("otpCode")], roles: [.oneTimeCode], kind: .oneTimeCode),
        SamplePage("two-factor by its label", [.code("f", label: "2FA code")], roles: [.oneTimeCode]),
        SamplePage("verification code", [.code("f", label: "Verification code")], roles: [.oneTimeCode]),
        SamplePage(
            "code under a heading",
            [.code("code")],
            form: FormContext(headings: ["Two-factor authentication"]),
            roles: [.oneTimeCode]
        ),
        SamplePage("few digits, alone", [.code("code", label: "Enter the code we sent")], roles: [.oneTimeCode]),
        SamplePage(
            "beside a password",
            [.text("username"), .password(), .code("otp")],
            roles: [.username, .currentPassword, .oneTimeCode],
            kind: .signIn
        ),
        SamplePage("password field for a code", [.password("otp", label: "One-time password")], roles: [.oneTimeCode]),
        SamplePage(
            "boxes",
            (0..<6).map { FieldDescription(type: "tel", name: "digit\($0)", maxLength: 1) },
            roles: Array(repeating: .oneTimeCode, count: 6),
            kind: .oneTimeCode
        ),
        SamplePage(
            "boxes that take text",
            (0..<4).map {
                FieldDescription(type: "text", name: "c\($0)", ariaLabel: "Verification code", maxLength: 1)
            },
            roles: Array(repeating: .oneTimeCode, count: 4)
        ),
        SamplePage(
            "three boxes are too few",
            (0..<3).map { FieldDescription(type: "tel", name: "digit\($0)", maxLength: 1) },
            roles: [nil, nil, nil]
        ),
        SamplePage(
            "nine boxes are too many",
            (0..<9).map { FieldDescription(type: "tel", name: "digit\($0)", maxLength: 1) },
            roles: Array(repeating: nil, count: 9)
        ),
        SamplePage(
            "boxes for letters",
            (0..<5).map { FieldDescription(type: "text", name: "c\($0)", maxLength: 1) },
            roles: Array(repeating: nil, count: 5)
        ),
        SamplePage("a long code", [FieldDescription(type: "text", name: "code", maxLength: 40)], roles: [nil]),
        SamplePage(
            "picture on a Chinese page",
            [.text("username"), .password(), .text("yzm", label: "验证码")],
            roles: [.username, .currentPassword, nil]
        ),
    ]

    @Test(arguments: samples)
    func findsCodes(_ sample: SamplePage) {
        let analysis = sample.analysis
        #expect(analysis.fields.map(\.role) == sample.roles)
        if let kind = sample.kind { #expect(analysis.forms.map(\.kind) == [kind]) }
    }
}
