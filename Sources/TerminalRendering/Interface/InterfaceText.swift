// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC

/// The texts of an interface's elements, for both kinds of surfaces. All escaping happens here.
package enum InterfaceText {
    package enum Part: Equatable {
        case text(String, ScreenLine.Style)
        case target(InterfaceTarget, String)
    }

    package static func parts(of element: InterfaceElement, in form: InterfaceForm) -> [Part] {
        switch element.kind {
        case "heading": return [.text(escaped(element.text), .heading)]
        case "message":
            let isError = element.style == "error"
            return [.text((isError ? "! " : "") + escaped(element.text), isError ? .error : .plain)]
        case "text", "secure":
            return [.target(.field(element.id), "\(label(element)): \(contents(of: element, in: form))")]
        case "button":
            let text = "[ \(label(element)) ]" + (element.style == "destructive" ? " (cannot be undone)" : "")
            if element.enabled == false { return [.text("       \(text)", .faint)] }
            return [.target(.button(element.id), text)]
        case "toggle": return [.target(.toggle(element.id), "[\(element.on == true ? "x" : " ")] \(label(element))")]
        case "progress": return [.text(progress(element), .plain)]
        case "list": return list(element, form)
        default: return []
        }
    }

    /// A field's label, also used in questions.
    package static func label(_ element: InterfaceElement) -> String {
        let text = element.label ?? element.placeholder ?? ""
        return text.isEmpty ? escaped(element.id) : escaped(text)
    }

    private static func contents(of element: InterfaceElement, in form: InterfaceForm) -> String {
        let text = form.text(of: .field(element.id))
        // The number of stars is fixed, so that the length stays private.
        if element.kind == "secure" { return text.isEmpty ? "(empty)" : "********" }
        if !text.isEmpty { return escaped(text.shown) }
        let placeholder = escaped(element.placeholder)
        return placeholder.isEmpty || placeholder == label(element) ? "(empty)" : "(\(placeholder))"
    }

    private static func list(_ element: InterfaceElement, _ form: InterfaceForm) -> [Part] {
        var parts: [Part] = []
        if element.search == true {
            let text = form.text(of: .search(element.id))
            parts.append(.target(.search(element.id), "Search: " + (text.isEmpty ? "" : escaped(text.shown))))
        }
        let sections = element.sections ?? []
        for section in sections {
            if !section.title.isEmpty { parts.append(.text(escaped(section.title), .heading)) }
            parts += section.rows.map { row in
                let second = row.subtitle.isEmpty ? "" : "  (\(escaped(row.subtitle)))"
                return .target(.row(list: element.id, row: row.id), escaped(row.title) + second)
            }
        }
        if sections.allSatisfy(\.rows.isEmpty) { parts.append(.text("(nothing here)", .faint)) }
        if element.more == true { parts.append(.target(.more(element.id), "More ...")) }
        return parts
    }

    private static func progress(_ element: InterfaceElement) -> String {
        let label = escaped(element.label)
        guard let fraction = element.fraction, fraction.isFinite else { return "\(label) ..." }
        return "\(label) \(Int((min(max(fraction, 0), 1) * 100).rounded())) %"
    }

    private static func escaped(_ text: String?) -> String {
        TerminalText.escaped(text ?? "")
    }
}
