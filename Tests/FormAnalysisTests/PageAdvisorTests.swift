// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import Testing

@Suite struct PageAdvisorTests {
    private func rules(_ page: PageDescription) -> [String] {
        PageAdvisor().advice(for: page, FormAnalyzer().analyze(page)).map(\.rule)
    }

    private func form(_ fields: [FieldDescription], _ context: FormContext) -> PageDescription {
        PageDescription(
            fields: fields.map { field in
                var field = field
                field.form = 0
                return field
            }, forms: [context])
    }

    private let post = FormContext(actionPath: "/login", method: "post", buttons: ["Sign in"])
    private let user = FieldDescription(type: "email", name: "u", autocomplete: "username", label: "Email")
    private let password = FieldDescription(
        type: "password", name: "p", autocomplete: "current-password", label: "Password")

    @Test func hasNothingToSayOfAGoodForm() {
        #expect(rules(form([user, password], post)).isEmpty)
    }

    @Test func hasNothingToSayOfWhatIsNoCredential() {
        #expect(rules(form([.text("q"), .text("city")], FormContext(buttons: ["Search"]))).isEmpty)
    }

    struct Sample: Sendable {
        let rule: String
        let change: @Sendable (inout FieldDescription) -> Void
    }

    static let samples = [
        Sample(rule: "missing-autocomplete") { $0.autocomplete = "" },
        Sample(rule: "autocomplete-off") { $0.autocomplete = "off" },
        Sample(rule: "wrong-autocomplete") { $0.autocomplete = "new-password" },
        Sample(rule: "missing-label") { $0.label = "" },
        Sample(rule: "short-password") { $0.maxLength = 12 },
    ]

    @Test(arguments: samples.indices)
    func findsOneFault(_ index: Int) {
        var password = password
        let sample = Self.samples[index]
        sample.change(&password)
        let context = FormContext(
            actionPath: "/login", method: "post", buttons: ["Sign in"], headings: ["Sign in"],
            links: ["Forgot password?"])
        let page = form([user, password], context)
        let found = PageAdvisor().advice(for: page, FormAnalyzer().analyze(page))
        #expect(found.map(\.rule) == [sample.rule])
        #expect(found.allSatisfy { $0.field == 1 && !$0.fix.isEmpty && !$0.problem.isEmpty })
    }

    @Test func findsFaultsOfForms() {
        #expect(
            rules(form([user, password], FormContext(actionPath: "/login", buttons: ["Sign in"]))) == ["form-method"])
        #expect(rules(PageDescription(fields: [user, password])) == ["missing-form"])
        #expect(rules(form([password], post)) == ["missing-username"])
    }

    @Test func tellsTheGravestFirst() {
        var password = password
        password.autocomplete = ""
        password.label = ""
        let page = form([user, password], FormContext(actionPath: "/login", buttons: ["Sign in"]))
        let severities = PageAdvisor().advice(for: page, FormAnalyzer().analyze(page)).map(\.severity)
        #expect(severities == severities.sorted(by: >))
        #expect(severities.first == .error)
    }

    @Test func tellsWhatASiteLacks() {
        #expect(SiteFacts().advice.isEmpty)
        #expect(SiteFacts(changePassword: .present, association: .present, assetLinks: .present).advice.isEmpty)
        let lacking = SiteFacts(changePassword: .absent, association: .faulty("it is not JSON"), assetLinks: .absent)
            .advice
        #expect(lacking.map(\.rule) == ["change-password-url", "association-file", "asset-links"])
        #expect(lacking.map(\.severity) == [.note, .warning, .note])
    }
}
