// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FormAnalysis
import TerminalRendering

/// What the doctor says of one page.
struct DoctorReport {
    let name: String
    let page: PageDescription
    let analysis: PageAnalysis
    let advice: [Advice]
    /// Nothing for a file.
    let site: SiteSeen?

    /// The fields that are shown: those that people see.
    private var shown: [Int] { page.fields.indices.filter { page.fields[$0].isVisible } }

    var json: JSONText {
        .object([
            ("page", .string(name)), ("kind", .string(analysis.kind.rawValue)),
            ("fields", .array(shown.map(json(ofField:)))),
            ("findings", .array(advice.filter { $0.field == nil }.map(Self.json))),
            ("site", site?.json ?? .null),
        ])
    }

    private func json(ofField index: Int) -> JSONText {
        let field = page.fields[index]
        let answer = analysis.fields[index]
        return .object([
            ("index", .integer(Int64(index))), ("tag", .string(field.tag)), ("id", .string(field.identifier)),
            ("name", .string(field.name)), ("role", .optional(answer.role?.rawValue)),
            ("confidence", .fraction(answer.confidence)), ("reasons", .strings(answer.reasons)),
            ("findings", .array(advice.filter { $0.field == index }.map(Self.json))),
        ])
    }

    private static func json(_ advice: Advice) -> JSONText {
        .object([
            ("rule", .string(advice.rule)), ("severity", .string(advice.severity.rawValue)),
            ("problem", .string(advice.problem)), ("fix", .string(advice.fix)),
        ])
    }

    /// For people: the page, its fields with what is to be done for each, and what is to be done for the page.
    var lines: [String] {
        var lines = ["\(TerminalText.escaped(name)): \(analysis.kind.rawValue)"]
        for index in shown {
            let answer = analysis.fields[index]
            let field = TerminalText.escaped(FieldName.name(of: page.fields[index]))
            lines.append("  \(field)")
            lines.append("    \(answer.role?.rawValue ?? "no role"): \(answer.reasons.joined(separator: "; "))")
            lines += advice.filter { $0.field == index }.flatMap(Self.lines)
        }
        let rest = advice.filter { $0.field == nil }
        if !rest.isEmpty {
            lines.append("  the page")
            lines += rest.flatMap(Self.lines)
        }
        lines +=
            site?.lines ?? [
                "  the site was not asked for its change-password page and its association files: a file has none"
            ]
        return lines
    }

    private static func lines(_ advice: Advice) -> [String] {
        [
            "    \(advice.severity.rawValue) \(advice.rule): \(TerminalText.escaped(advice.problem))",
            "      write \(TerminalText.escaped(advice.fix))",
        ]
    }
}
