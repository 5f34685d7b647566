// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FormAnalysis

/// What AutoFill sees in a window, for the program's author and for a user who wonders why nothing is offered.
package struct WindowInspection: Sendable {
    /// A field, as it was read.
    package struct Field: Sendable {
        package let label: String
        /// The accessible identifier, by which an author says what the field is for.
        package let identifier: String
        /// The role that the analysis gives it.
        package let role: String?
        /// Why it has its role, or none.
        package let reasons: [String]
        package let isSecure: Bool
        package let isFocused: Bool
        /// Whether the field takes text through the accessibility bus.
        package let takesText: Bool
    }

    package let title: String
    package let fields: [Field]
    /// Why nothing is offered at the field with the focus; `nil` if its form is one that is filled.
    package let refusal: NoForm?
}

extension WindowReader {
    /// Reads the window around a field, whatever it is for.
    package func inspection(around focused: AccessibleObject) -> WindowInspection {
        focused.ask(until: now() + Self.patience * 2)
        defer { focused.ask(until: nil) }
        let window: AnalyzedWindow
        do throws(NoForm) {
            window = try analyzed(around: focused)
        } catch {
            return WindowInspection(title: "", fields: [], refusal: error)
        }
        let fields = window.fields.indices.map { index in
            let found = window.analysis.fields[index]
            let field = window.fields[index]
            return WindowInspection.Field(
                label: window.descriptions[index].label, identifier: window.descriptions[index].name,
                role: found.role?.rawValue, reasons: found.reasons, isSecure: field.role == .passwordText,
                isFocused: index == window.focused, takesText: field.object.takesText)
        }
        var refusal: NoForm?
        do throws(NoForm) { _ = try form(around: focused, in: window) } catch { refusal = error }
        return WindowInspection(title: window.window.name, fields: fields, refusal: refusal)
    }
}
