// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import FormAnalysis
internal import FormStatements

extension Renderer.Inspect.Answer {
    /// Runs on a page the analysis that decides on fills. It reads the page alone, and no store.
    init(inspecting page: PageStatement) {
        let analysis = FormAnalyzer().analyze(PageDescription(page))
        let fields = zip(page.fields, analysis.fields).enumerated().map { index, pair in
            let (field, answer) = pair
            return InspectedField(
                ref: field.ref, role: answer.role?.rawValue, confidence: answer.confidence, reasons: answer.reasons,
                kind: analysis.forms.first { $0.fields.contains(index) }?.kind.rawValue)
        }
        self.init(kind: analysis.kind.rawValue, fields: fields)
    }
}
