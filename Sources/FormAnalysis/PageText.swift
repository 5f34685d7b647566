// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A text of a page that is not a field's: a button, a heading or a link, and where it stands among the fields.
public struct PageText: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// What it says.
    public var text: String
    /// The index in `PageDescription.fields` of the first field that stands after it, the number of fields where none
    /// does; `nil` where that is not known.
    public var place: Int?

    /// Describes a text.
    public init(_ text: String, place: Int? = nil) {
        self.text = text
        self.place = place
    }

    /// Describes a text whose place is not known.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
