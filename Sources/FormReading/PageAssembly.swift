// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FormAnalysis

/// Puts a page's description together from its outline.
struct PageAssembly {
    private let outline: Outline
    private let forms: [FormScope]
    private let loose: FormScope
    private let surroundings: [FieldSurroundings]
    private let labels: LabelTable
    private let sight: Sight

    init(_ outline: Outline) {
        self.outline = outline
        (forms, loose) = FormScope.scopes(of: outline)
        surroundings = FieldSurroundings.all(in: outline)
        labels = LabelTable(outline)
        sight = Sight(outline, scopes: forms + [loose])
    }

    /// The page.
    var page: PageDescription {
        var formOfControl: [Int: Int] = [:]
        for (index, form) in forms.enumerated() {
            for control in form.controls { formOfControl[control] = index }
        }
        var numberOfField: [Int: Int] = [:]
        for (index, place) in outline.fields.enumerated() { numberOfField[place] = index }
        return PageDescription(
            fields: outline.controls.map { describe($0, form: formOfControl[$0], field: numberOfField[$0]) },
            forms: forms.map(\.context), outsideForms: loose.context,
            title: outline.title, path: outline.path, language: outline.language)
    }

    private func describe(_ control: Int, form: Int?, field: Int?) -> FieldDescription {
        let place = outline.places[control]
        let element = place.element
        var description = FieldDescription(tag: element.name, form: form)
        for (name, value) in element.attributes {
            switch name {
            case "type": description.type = value
            case "name": description.name = value
            case "id": description.identifier = value
            case "autocomplete": description.autocomplete = value
            case "inputmode": description.inputMode = value
            case "pattern": description.pattern = value
            case "passwordrules": description.passwordRules = value
            case "placeholder": description.placeholder = TextLine.cleaned(value)
            case "maxlength": description.maxLength = Int(value.prefix(12).filter(\.isNumber))
            // A script may enable what is disabled, as soon as something was typed elsewhere; a password that cannot be
            // typed is one that a script will unlock.
            case "readonly": description.isEditable = element["type"]?.lowercased() == "password"
            case "class", "formcontrolname", "ng-model", "data-ng-model", "v-model", "data-testid", "data-test-id",
                "data-test", "data-qa", "data-cy", "data-name", "data-field", "data-bind", "ng-reflect-name",
                "data-automation-id":
                description.otherNames += description.otherNames.isEmpty ? value : " " + value
            default: break
            }
        }
        // Dots in the place of letters are what a password field shows, too.
        if let style = element["style"], Concealment.masks(style: style) { description.type = "password" }
        description.ariaLabel = TextLine.cleaned(element["aria-label"] ?? element["title"] ?? "")
        description.label = labels.text(for: control)
        if let field { description.nearbyText = surroundings[field].nearby }
        description.isVisible = sight.isVisible(control)
        description.mayComeLater = sight.mayComeLater(control)
        return description
    }
}
