// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
public import FormAnalysis

extension PageDescription {
    /// The most fields of a statement that are described.
    public static let fieldLimit = 64
    private static let formLimit = 32
    private static let textLimit = 512

    /// What a content script says of a page, as the analysis takes it: cut to what a page can honestly need.
    public init(_ page: PageStatement) {
        self.init(
            fields: page.fields.prefix(Self.fieldLimit).map(Self.describe),
            forms: (page.forms ?? []).prefix(Self.formLimit).map(Self.describe),
            outsideForms: Self.describe(page.outside ?? FormStatement()), title: Self.cut(page.title),
            path: Self.cut(page.path), language: Self.cut(page.language))
    }

    private static func describe(_ field: FieldStatement) -> FieldDescription {
        FieldDescription(
            tag: cut(field.tag ?? "input"), type: cut(field.type), name: cut(field.name), identifier: cut(field.id),
            otherNames: cut(field.other), autocomplete: cut(field.autocomplete), inputMode: cut(field.inputmode),
            pattern: cut(field.pattern), passwordRules: cut(field.passwordrules), placeholder: cut(field.placeholder),
            ariaLabel: cut(field.aria), label: cut(field.label), nearbyText: cut(field.nearby),
            maxLength: field.maxlength, form: field.form, isVisible: field.visible ?? true,
            isEditable: field.editable ?? true)
    }

    private static func describe(_ form: FormStatement) -> FormContext {
        FormContext(
            name: cut(form.name), identifier: cut(form.id), classes: cut(form.class), actionPath: cut(form.action),
            method: cut(form.method), buttons: texts(form.buttons, form.places?.buttons),
            headings: texts(form.headings, form.places?.headings), links: texts(form.links, form.places?.links),
            lead: cut(form.lead))
    }

    /// A place that no field can have is none.
    private static func texts(_ texts: [String]?, _ places: [Int]?) -> [PageText] {
        let places = places ?? []
        return (texts ?? []).prefix(16).enumerated().map { index, text in
            let place = places.indices.contains(index) ? places[index] : -1
            return PageText(cut(text), place: (0...fieldLimit).contains(place) ? place : nil)
        }
    }

    private static func cut(_ text: String?) -> String {
        guard let text else { return "" }
        return text.utf8.count <= textLimit ? text : String(decoding: text.utf8.prefix(textLimit), as: UTF8.self)
    }
}
