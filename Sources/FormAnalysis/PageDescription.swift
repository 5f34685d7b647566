// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Describes a document, or one frame of it: its fields, its forms, and what it calls itself.
public struct PageDescription: Sendable, Hashable, Codable {
    /// Every control, hidden ones too, in document order.
    public var fields: [FieldDescription]
    /// The forms that `FieldDescription.form` refers to.
    public var forms: [FormContext]
    /// The buttons and headings that belong to no form, for the fields that belong to none either.
    public var outsideForms: FormContext
    /// The document's title.
    public var title: String
    /// The path of the document's URL, without host and query.
    public var path: String
    /// The document's language as a BCP 47 tag, or the empty string.
    public var language: String

    /// Describes a document; whatever is left out is absent from it.
    public init(
        fields: [FieldDescription] = [],
        forms: [FormContext] = [],
        outsideForms: FormContext = FormContext(),
        title: String = "",
        path: String = "",
        language: String = ""
    ) {
        self.fields = fields
        self.forms = forms
        self.outsideForms = outsideForms
        self.title = title
        self.path = path
        self.language = language
    }
}
