// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct FormAnalyzerPropertyTests {
    /// A generator whose numbers are the same in every run, so that a failure can be had again from its seed.
    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    static let scraps = [
        "user", "Name", "pass", "word", "email", "_", "-", " ", "new", "old", "confirm", "code", "otp", "q", "é", "密码",
        "пароль", "كلمة المرور", "1", "PIN", "\u{0}", "\u{301}", "🔑", "İ", "ß", "log", "in", "\u{10FFFF}", "search",
    ]
    static let types = [
        "", "text", "email", "tel", "password", "number", "hidden", "checkbox", "search", "PassWord", "x",
    ]
    static let tokens = [
        "", "off", "email", "current-password", "new-password", "one-time-code", "cc-csc", "section-a tel",
    ]

    private func text(_ random: inout Seeded) -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.scraps.randomElement(using: &random) ?? "" }
            .joined()
    }

    private func page(_ random: inout Seeded) -> PageDescription {
        let fields = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            FieldDescription(
                tag: ["input", "input", "INPUT", "select", "textarea", ""].randomElement(using: &random) ?? "",
                type: Self.types.randomElement(using: &random) ?? "",
                name: text(&random),
                identifier: text(&random),
                autocomplete: Self.tokens.randomElement(using: &random) ?? "",
                inputMode: text(&random),
                pattern: text(&random),
                placeholder: text(&random),
                label: text(&random),
                nearbyText: text(&random),
                maxLength: [nil, -1, 0, 1, 6, .max].randomElement(using: &random) ?? nil,
                form: [nil, 0, 1, 2, -1].randomElement(using: &random) ?? nil,
                isVisible: Int.random(in: 0..<4, using: &random) > 0,
                isEditable: Int.random(in: 0..<4, using: &random) > 0
            )
        }
        let forms = (0..<2).map { _ in
            FormContext(
                name: text(&random), buttons: [PageText(text(&random), place: Int.random(in: -1...25, using: &random))],
                headings: [PageText(text(&random))], links: [PageText(text(&random), place: 3)])
        }
        return PageDescription(fields: fields, forms: forms, title: text(&random), path: text(&random))
    }

    @Test(arguments: 0..<300)
    func holdsItsPromisesForAnyPage(_ seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let page = page(&random)
        let analysis = FormAnalyzer().analyze(page)
        #expect(analysis == FormAnalyzer().analyze(page))
        #expect(analysis.fields.count == page.fields.count)

        for (field, answer) in zip(page.fields, analysis.fields) where answer.role != nil {
            #expect(field.isVisible && field.isEditable)
            // A text area shows what is in it.
            let isPassword = answer.role == .currentPassword || answer.role == .newPassword
            #expect(field.tag.lowercased() == "input" || field.tag.lowercased() == "textarea" && !isPassword)
            #expect(answer.confidence > 0 && answer.confidence <= 1)
        }
        // Every field with a role belongs to one form, and to its own.
        let listed = analysis.forms.flatMap(\.fields)
        #expect(listed.sorted() == analysis.fields.indices.filter { analysis.fields[$0].role != nil })
        for form in analysis.forms {
            #expect(form.fields.allSatisfy { page.fields[$0].form == form.form })
            // A form that asks for no credential may name an address, by which an account may go.
            #expect(!form.fields.isEmpty || form.kind == .none)
            if form.kind == .none {
                #expect(
                    form.fields.allSatisfy {
                        analysis.fields[$0].role == .username && analysis.fields[$0].confidence < 0.5
                    })
            }
            // No token here says `username`: such a page may have as many as it likes.
            #expect(form.fields.count { analysis.fields[$0].role == .username } <= 4)
        }
        for index in page.fields.indices {
            for companion in analysis.companions(of: index) {
                #expect(companion != index)
                #expect(analysis.companions(of: companion).contains(index))
                #expect(page.fields[companion].form == page.fields[index].form)
            }
        }
    }

    @Test func readsLongTextsAndManyFields() {
        let long = String(repeating: "password ", count: 20_000)
        let fields = (0..<1000).map { FieldDescription(type: "text", name: "f\($0)", label: long, form: $0 % 3) }
        let page = PageDescription(
            fields: fields,
            forms: Array(repeating: FormContext(buttons: Array(repeating: PageText(long), count: 500)), count: 3)
        )
        #expect(FormAnalyzer().analyze(page).fields.count == 1000)
    }
}
