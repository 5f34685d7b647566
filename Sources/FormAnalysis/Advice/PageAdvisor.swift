// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Tells the author of a page what AutoFill had to guess, and how to say it instead.
public struct PageAdvisor: Sendable {
    /// Makes an adviser.
    public init() {}

    /// What could be better about `page`, of which `analysis` was made; the gravest first, then in document order.
    public func advice(for page: PageDescription, _ analysis: PageAnalysis) -> [Advice] {
        var found: [Advice] = []
        for form in analysis.forms where form.kind != .none {
            found += FormAdvice(page, analysis, form).all
            for index in form.fields where page.fields.indices.contains(index) {
                guard analysis.fields.indices.contains(index), let role = analysis.fields[index].role else { continue }
                found += FieldAdvice(page.fields[index], at: index, role: role, kind: form.kind).all
            }
        }
        return found.enumerated().sorted { left, right in
            left.element.severity == right.element.severity
                ? left.offset < right.offset : left.element.severity > right.element.severity
        }.map(\.element)
    }
}
