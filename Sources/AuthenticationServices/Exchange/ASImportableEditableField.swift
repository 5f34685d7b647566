// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value that the user can see and change. It prints as nothing: some of them are secret.
public struct ASImportableEditableField: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The exporter's own key for the field.
    public var id: Data?
    /// How the value is written.
    public var fieldType: ASImportableEditableField.FieldType
    /// The value.
    public var value: String
    /// The field's name for people.
    public var label: String?

    /// A field with all its members.
    public init(
        id: Data?,
        fieldType: ASImportableEditableField.FieldType,
        value: String,
        label: String? = nil
    ) {
        self.id = id
        self.fieldType = fieldType
        self.value = value
        self.label = label
    }

    /// Never what it holds.
    public var description: String { "ASImportableEditableField(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableEditableField {
    /// How the value of a field is written; the raw values are CXF's.
    @nonexhaustive(warn)
    public enum FieldType: String, Codable, Hashable, Sendable {
        /// Any text.
        case string
        /// A text that is not shown unasked.
        case concealedString = "concealed-string"
        /// An address for mail.
        case email
        /// A number.
        case number
        /// True or false.
        case boolean
        /// A day.
        case date
        /// A month of a year.
        case yearMonth = "year-month"
        /// How a wireless network is protected.
        case wifiNetworkSecurityType = "wifi-network-security-type"
        /// A country by its code.
        case countryCode = "country-code"
        /// A part of a country by its code.
        case subdivisionCode = "subdivision-code"
    }
}
