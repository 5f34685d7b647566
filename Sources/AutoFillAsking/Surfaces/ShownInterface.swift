// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// An interface ready for a renderer: all text that is only displayed is cleaned.
///
/// The content of a field is the value itself, which the user may change; it is not altered, nor are names of elements and rows.
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

    /// An empty title stays empty. A title that is cleaned to nothing gets a placeholder, because the row could be overlooked.
    private static func title(_ text: String) -> String {
        text.isEmpty ? text : DisplayText(text, .sentence).text
    }

    /// A message may have several lines; they are joined into one.
    private static func paragraph(_ text: String) -> String {
        cleaned(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    }

    private static func cleaned(_ text: String) -> String {
        TextCleaner.cleaned(text, .sentence)
    }
}
