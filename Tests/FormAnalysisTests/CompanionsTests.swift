// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct CompanionsTests {
    private func companions(_ fields: [FieldDescription], buttons: [PageText] = []) -> [[Int]] {
        let page = PageDescription(fields: fields, outsideForms: FormContext(buttons: buttons))
        let analysis = FormAnalyzer().analyze(page)
        return fields.indices.map(analysis.companions(of:))
    }

    @Test func pairsUserNameAndPassword() {
        #expect(companions([.text("q"), .text("username"), .password()]) == [[], [2], [1]])
    }

    @Test func takesTheUserNameNearestBeforeThePassword() {
        let tagged = FieldDescription.text("a", autocomplete: "username")
        #expect(companions([tagged, tagged, .password()]) == [[], [2], [1]])
    }

    @Test func keepsSectionsOutsideFormsApart() {
        let fields: [FieldDescription] = [
            .text("username"), .password("login_password"), .email(), .password("other_password"),
        ]
        #expect(companions(fields) == [[1], [0], [3], [2]])
    }

    @Test func keepsFormsApart() {
        let page = PageDescription(
            fields: [
                FieldDescription(type: "email", form: 0), FieldDescription(type: "password", form: 1),
            ],
            forms: [.button("Log in"), .button("Log in")]
        )
        let analysis = FormAnalyzer().analyze(page)
        #expect(analysis.companions(of: 0).isEmpty)
        #expect(analysis.companions(of: 1).isEmpty)
    }

    @Test func joinsNewPasswordsWithoutTheCurrentOne() {
        let fields: [FieldDescription] = [
            .password("old_password"), .password("new_password"), .password("confirm_password"),
        ]
        #expect(companions(fields) == [[], [2], [1]])
    }

    @Test func leavesTheUserNameOutOfSigningUp() {
        #expect(companions([.email(), .password()], buttons: ["Register"]) == [[], []])
    }

    @Test func joinsBoxesOfOneCode() {
        let boxes = (0..<4).map { FieldDescription(type: "tel", name: "d\($0)", maxLength: 1) }
        #expect(companions(boxes)[1] == [0, 2, 3])
    }

    @Test(arguments: [-1, 2, .max, .min])
    func givesNoneForAnIndexThatDoesNotExist(_ index: Int) {
        #expect(FormAnalyzer().analyze(PageDescription(fields: [.email(), .password()])).companions(of: index).isEmpty)
    }

    @Test func survivesAnAnalysisThatContradictsItself() {
        let analysis = PageAnalysis(
            fields: [FieldAnalysis(role: .currentPassword, confidence: 1)],
            forms: [FormAnalysisResult(kind: .signIn, fields: [0, 7, -3])]
        )
        #expect(analysis.companions(of: 0).isEmpty)
    }
}
