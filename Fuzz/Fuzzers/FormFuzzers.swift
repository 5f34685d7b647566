// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import FormReading
import FormStatements

@testable import AutoFillDaemon
@testable import AutoFillIPC

/// What describes pages: HTML files on the command line, and descriptions that content scripts send.
extension Fuzzer {
    /// Any HTML is read, and what is read is analysed.
    static let html = Fuzzer(
        "html",
        words: [
            "<form>", "</form>", "<input", " type=password", "<label for=a>", "<select>", "<textarea>", "<template>",
            "<table><tr><td>", " id=a", " name=", " style=display:none", "<dialog>", " autocomplete=one-time-code",
            "<meta charset=", " maxlength=1", "<button>", "<h1>", "<a href=>", "<fieldset><legend>", "&#", "<!--",
            " aria-labelledby=a", "<noscript>", " form=a", "<svg>", "<title>", " shadowrootmode=open",
        ],
        seeds: {
            [
                "<form action=/login><label for=a>User</label><input id=a><input type=password><button>Sign in</button></form>",
                "<dialog><h2>Code</h2><input maxlength=1><input maxlength=1><input maxlength=1><input maxlength=1></dialog>",
                "<x-a><template shadowrootmode=open><span id=l>Email</span><input aria-labelledby=l></template></x-a>",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let page = try? HTMLPage(parsing: Array(bytes)).description else { return }
            check(page)
        })

    /// Whatever a content script says becomes a description, and that is analysed.
    static let description = Fuzzer(
        "description",
        words: [
            #""fields":["#, #""ref":"#, #""type":"password""#, #""label":""#, #""form":0"#, #""forms":["#,
            #""buttons":["#, #""visible":false"#, #""maxlength":"#, #""outside":{"#, #""autocomplete":"username""#,
        ],
        seeds: {
            [
                #"{"title":"Sign in","forms":[{"buttons":["Go"]}],"fields":[{"ref":1,"form":0},{"ref":2,"type":"password","form":0}]}"#,
                #"{"fields":[{"ref":0,"type":"tel","maxlength":1,"nearby":"Code"}],"outside":{"headings":["Two steps"]}}"#,
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let value = try? JSONParser.parse(bytes), let page: PageStatement = try? value.decoded() else {
                return
            }
            check(PageDescription(page))
            for focused in [nil, page.fields.first?.ref] {
                let form = FocusedForm(page, focused: focused)
                let known = Set(page.fields.map(\.ref))
                precondition(form.fields.allSatisfy { known.contains($0.ref) }, "a field that the page does not have")
            }
        })

    private static func check(_ page: PageDescription) {
        let analysis = FormAnalyzer().analyze(page)
        precondition(analysis == FormAnalyzer().analyze(page), "another answer to the same question")
        precondition(analysis.fields.count == page.fields.count, "answers for fields that there are not")
        for (field, answer) in zip(page.fields, analysis.fields) {
            precondition(!answer.reasons.isEmpty, "an answer without a reason")
            if answer.role != nil {
                precondition(field.isVisible && field.isEditable, "a role for what cannot be filled")
            }
        }
        for index in page.fields.indices {
            for companion in analysis.companions(of: index) {
                precondition(analysis.companions(of: companion).contains(index), "a companion on one side only")
            }
        }
        for advice in PageAdvisor().advice(for: page, analysis) {
            precondition(!advice.fix.isEmpty && !advice.fix.contains("\n"), "an advice that is no line")
        }
    }
}
