// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a toolkit says of a field of a native app, in the toolkit's own words.
public struct NativeField: Sendable, Hashable {
    /// The accessible role, as AT-SPI names it: `password text`, `entry`, `text`.
    public var role: String
    /// The name of a `UITextContentType`: `username`, `password`, `newPassword`, `oneTimeCode`, `emailAddress`.
    public var contentType: String
    /// The input purpose: GTK's (`email`, `GTK_INPUT_PURPOSE_PASSWORD`), or Qt's hints (`ImhHiddenText|ImhSensitiveData`).
    public var purpose: String
    /// The accessible name, or the text of the label that names the field.
    public var label: String
    /// The text that stands in the field while it is empty.
    public var placeholder: String
    /// The name that the app's own code has for the field.
    public var identifier: String
    /// How many characters it takes, where that is limited.
    public var maxLength: Int?
    public var isVisible: Bool
    public var isEditable: Bool

    /// States what is known; whatever is left out the toolkit does not say.
    public init(
        role: String = "", contentType: String = "", purpose: String = "", label: String = "", placeholder: String = "",
        identifier: String = "", maxLength: Int? = nil, isVisible: Bool = true, isEditable: Bool = true
    ) {
        self.role = role
        self.contentType = contentType
        self.purpose = purpose
        self.label = label
        self.placeholder = placeholder
        self.identifier = identifier
        self.maxLength = maxLength
        self.isVisible = isVisible
        self.isEditable = isEditable
    }
}

extension FieldDescription {
    /// Describes a field of a native app in the terms of a page, so that one analysis decides both.
    public init(_ native: NativeField) {
        self.init(
            name: native.identifier, placeholder: native.placeholder, label: native.label, maxLength: native.maxLength,
            isVisible: native.isVisible, isEditable: native.isEditable)
        if Self.plain(native.role).hasPrefix("password") { type = "password" }
        for word in native.purpose.prefix(256).split(whereSeparator: { " |,".contains($0) }).prefix(16) {
            read(purpose: Self.plain(word))
        }
        read(contentType: Self.plain(native.contentType))
    }

    private mutating func read(purpose: String) {
        switch purpose {
        case "password", "hiddentext": type = "password"
        case "pin":
            type = "password"
            inputMode = "numeric"
            otherNames = "pin"
        case "email", "emailcharactersonly": type = "email"
        case "phone", "dialablecharactersonly": type = "tel"
        case "url", "urlcharactersonly": type = "url"
        case "digits", "number", "digitsonly", "formattednumbersonly", "prefernumbers": inputMode = "numeric"
        case "name": autocomplete = "name"
        default: break
        }
    }

    private mutating func read(contentType: String) {
        switch contentType {
        case "username": autocomplete = "username"
        case "password":
            autocomplete = "current-password"
            type = "password"
        case "newpassword":
            autocomplete = "new-password"
            type = "password"
        case "onetimecode": autocomplete = "one-time-code"
        case "emailaddress":
            autocomplete = "email"
            if type.isEmpty { type = "email" }
        case "telephonenumber": autocomplete = "tel"
        case "": break
        default: autocomplete = contentType.hasPrefix("creditcard") ? "cc-number" : "name"
        }
    }

    /// A name without the prefix of its toolkit, without case, and without what separates its words.
    private static func plain(_ name: some StringProtocol) -> String {
        var text = name.prefix(64).lowercased()
        for prefix in ["gtk_input_purpose_", "qt::imh", "imh", "uitextcontenttype"] where text.hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count))
        }
        return text.filter { $0.isLetter || $0.isNumber }
    }
}
