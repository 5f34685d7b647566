// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FormAnalysis

/// Fields outside forms, put together as a person would.
struct LooseFields {
    let scope: FormScope

    init(_ controls: [Int], _ outline: Outline) {
        var context = FormContext(events: outline.events.filter { !Self.isInForm($0.place, outline) })
        // A form that a parser closed too early has nothing in it, and what it asked for stands behind it.
        let empty = outline.forms.filter { outline.places[$0].fields.isEmpty }
        if let first = controls.first, let form = empty.last(where: { $0 < first }) {
            context.take(attributesOf: outline.places[form].element)
        }
        scope = FormScope(controls: controls, context: context)
    }

    private static func isInForm(_ place: Int, _ outline: Outline) -> Bool {
        guard let form = outline.places[place].form else { return false }
        return !outline.places[form].fields.isEmpty
    }
}
