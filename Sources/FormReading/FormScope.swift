// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FormAnalysis

/// The fields that belong together, and what is said around them.
struct FormScope {
    /// Places of its controls, in document order.
    var controls: [Int] = []
    var context = FormContext()

    /// The forms of a page that have controls, and what stands in none.
    static func scopes(of outline: Outline) -> (forms: [FormScope], loose: FormScope) {
        var byForm: [Int: [Int]] = [:]
        var loose: [Int] = []
        var numberOfForm: [String: Int] = [:]
        for form in outline.forms {
            if let identifier = outline.places[form].element["id"] { numberOfForm[identifier] = form }
        }
        for control in outline.controls {
            let named = outline.places[control].element["form"].flatMap { numberOfForm[$0] }
            if let form = named ?? outline.places[control].form {
                byForm[form, default: []].append(control)
            } else {
                loose.append(control)
            }
        }
        let scopes = outline.forms.compactMap { form -> FormScope? in
            guard let controls = byForm[form] else { return nil }
            return FormScope(controls: controls, context: context(of: form, outline))
        }
        return (scopes, LooseFields(loose, outline).scope)
    }

    private static func context(of form: Int, _ outline: Outline) -> FormContext {
        let place = outline.places[form]
        var context = FormContext(events: outline.events[place.events])
        context.take(attributesOf: place.element)
        if context.headings.isEmpty {
            context.headings = headings(before: place.events.lowerBound, outline)
        }
        return context
    }

    /// The nearest heading above a form, if no field stands between.
    static func headings(before event: Int, _ outline: Outline) -> [PageText] {
        for event in outline.events[..<event].suffix(12).reversed() {
            if event.kind == .field { break }
            if event.kind == .heading { return [PageText(event.text, place: event.control)] }
        }
        return []
    }
}

extension FormContext {
    /// What the events of a form say around its fields.
    init(events: some Collection<Outline.Event>) {
        self.init()
        var sawField = false
        var leads: [String] = []
        for event in events {
            let text = PageText(event.text, place: event.control)
            switch event.kind {
            case .field: sawField = true
            case .button: if buttons.count < 16 { buttons.append(text) }
            case .heading: if headings.count < 8 { headings.append(text) }
            case .link: if links.count < 16 { links.append(text) }
            case .text: if !sawField, leads.count < 4 { leads.append(event.text) }
            }
        }
        lead = TextLine.cleaned(leads.joined(separator: " "))
    }

    mutating func take(attributesOf form: Element) {
        name = form["name"] ?? ""
        identifier = form["id"] ?? ""
        classes = form["class"] ?? ""
        actionPath = PagePath.path(of: form["action"] ?? "")
        method = form["method"] ?? ""
    }
}
