// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// An interface as a renderer may draw it: every text that is only shown is cleaned.
///
/// What stands in a field is the value itself, which the user may change; it stays as it is, and so do names of elements and rows.
package struct ShownInterface: Sendable {
    package let statement: InterfaceStatement

    package init(_ interface: InterfaceStatement) {
        var shown = interface
        shown.title = Self.cleaned(shown.title)
        shown.elements = shown.elements.map(Self.cleaned)
        statement = shown
    }

    private static func cleaned(_ element: InterfaceElement) -> InterfaceElement {
        var element = element
        element.text = element.text.map(paragraph)
        element.label = element.label.map(cleaned)
        element.placeholder = element.placeholder.map(cleaned)
        element.sections = element.sections?.map { section in
            ListSection(
                title: cleaned(section.title),
                rows: section.rows.map { row in
                    ListRow(id: row.id, title: title(row.title), subtitle: cleaned(row.subtitle))
                })
        }
        return element
    }

    /// A row that shows nothing could be taken for none.
    private static func title(_ text: String) -> String {
        text.isEmpty ? text : DisplayText(text, .sentence).text
    }

    /// A message may be written in several lines, which are drawn as one.
    private static func paragraph(_ text: String) -> String {
        cleaned(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    private static func cleaned(_ text: String) -> String {
        TextCleaner.cleaned(text, .sentence)
    }
}
