// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Describes one control of a page, as a client reports it; never holds what the control contains.
///
/// Members are the attributes as written in the page; an attribute that is absent is the empty string.
public struct FieldDescription: Sendable, Hashable, Codable {
    /// The element's name: `input`, `select` or `textarea`.
    public var tag: String
    /// The `type` attribute.
    public var type: String
    /// The `name` attribute.
    public var name: String
    /// The `id` attribute.
    public var identifier: String
    /// Other names that programs have for the field: those that frameworks bind it by, those of tests, its classes.
    public var otherNames: String
    /// The `autocomplete` attribute.
    public var autocomplete: String
    /// The `inputmode` attribute.
    public var inputMode: String
    /// The `pattern` attribute.
    public var pattern: String
    /// The `passwordrules` attribute.
    public var passwordRules: String
    /// The `placeholder` attribute.
    public var placeholder: String
    /// The accessible name that the page gives, where it is not a visible label.
    public var ariaLabel: String
    /// The text of the field's labels.
    public var label: String
    /// Text that stands close to the field without being its label.
    public var nearbyText: String
    /// The `maxlength` attribute, in characters; `nil` where there is none.
    public var maxLength: Int?
    /// The index of the field's form in `PageDescription.forms`; `nil` outside forms.
    public var form: Int?
    /// Whether a person can see the field.
    public var isVisible: Bool
    /// Whether the field may be part of a step that is shown later, where the client cannot see what is shown now.
    public var mayComeLater: Bool
    /// Whether a person can type into the field: neither disabled nor read-only.
    public var isEditable: Bool

    /// Describes a control; whatever is left out is absent from the page.
    public init(
        tag: String = "input",
        type: String = "",
        name: String = "",
        identifier: String = "",
        otherNames: String = "",
        autocomplete: String = "",
        inputMode: String = "",
        pattern: String = "",
        passwordRules: String = "",
        placeholder: String = "",
        ariaLabel: String = "",
        label: String = "",
        nearbyText: String = "",
        maxLength: Int? = nil,
        form: Int? = nil,
        isVisible: Bool = true,
        mayComeLater: Bool = false,
        isEditable: Bool = true
    ) {
        self.tag = tag
        self.type = type
        self.name = name
        self.identifier = identifier
        self.otherNames = otherNames
        self.autocomplete = autocomplete
        self.inputMode = inputMode
        self.pattern = pattern
        self.passwordRules = passwordRules
        self.placeholder = placeholder
        self.ariaLabel = ariaLabel
        self.label = label
        self.nearbyText = nearbyText
        self.maxLength = maxLength
        self.form = form
        self.isVisible = isVisible
        self.mayComeLater = mayComeLater
        self.isEditable = isEditable
    }
}
