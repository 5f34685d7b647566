// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The wire form of an extension's interface: its elements and their names (section 7, "Interfaces").
public struct InterfaceStatement: Codable, Sendable, Equatable {
    public var title: String
    public var elements: [InterfaceElement]

    public init(title: String, elements: [InterfaceElement]) {
        self.title = title
        self.elements = elements
    }

    /// Maximum number of elements of one interface.
    public static let elementLimit = 64
    /// Maximum number of rows in all its lists together.
    public static let rowLimit = 500
    /// Maximum size of each text, in bytes.
    public static let textLimit = 1_024

    /// Cuts a text that is too long for an interface, and keeps its end: the end of a path identifies the program.
    package static func clipped(_ text: String) -> String {
        guard text.utf8.count > textLimit else { return text }
        return "…" + String(decoding: text.utf8.suffix(textLimit - 8), as: UTF8.self)
    }

    /// Checks the bounds.
    ///
    /// - Throws: `invalidParams` when the interface exceeds them, or when two elements have the same name.
    public func check() throws(WireError) {
        guard elements.count <= Self.elementLimit else {
            throw WireError(.invalidParams, "An interface has at most \(Self.elementLimit) elements.")
        }
        guard Set(elements.map(\.id)).count == elements.count else {
            throw WireError(.invalidParams, "Two elements have the same id.")
        }
        guard elements.allSatisfy({ (1...64).contains($0.id.utf8.count) }) else {
            throw WireError(.invalidParams, "The id of an element has 1 to 64 bytes.")
        }
        let sections = elements.flatMap { $0.sections ?? [] }
        let rows = sections.flatMap(\.rows)
        guard rows.count <= Self.rowLimit else {
            throw WireError(.invalidParams, "An interface has at most \(Self.rowLimit) rows; page them.")
        }
        let texts =
            [title] + elements.flatMap { [$0.text, $0.label, $0.placeholder, $0.value, $0.record].compactMap(\.self) }
            + sections.map(\.title) + rows.flatMap { [$0.id, $0.title, $0.subtitle] }
        guard texts.allSatisfy({ $0.utf8.count <= Self.textLimit }) else {
            throw WireError(.invalidParams, "A text of an interface has at most \(Self.textLimit) bytes.")
        }
    }
}

/// One element of an interface. `kind` determines which members apply.
public struct InterfaceElement: Codable, Sendable, Equatable {
    /// `heading`, `message`, `text`, `secure`, `button`, `toggle`, `list`, `progress` or `saved`. Other kinds are not drawn.
    public var kind: String
    public var id: String
    public var text: String?
    public var label: String?
    public var placeholder: String?
    public var value: String?
    /// For a text field: `username`, `email` or `number`.
    public var contents: String?
    /// For a button `default` or `destructive`, for a message `error`.
    public var style: String?
    public var enabled: Bool?
    public var on: Bool?
    public var sections: [ListSection]?
    public var search: Bool?
    public var more: Bool?
    public var fraction: Double?
    /// For `saved`: the item whose password it stands for. The built-in provider alone has such elements.
    public var record: String?

    public init(
        kind: String,
        id: String,
        text: String? = nil,
        label: String? = nil,
        placeholder: String? = nil,
        value: String? = nil,
        contents: String? = nil,
        style: String? = nil,
        enabled: Bool? = nil,
        on: Bool? = nil,
        sections: [ListSection]? = nil,
        search: Bool? = nil,
        more: Bool? = nil,
        fraction: Double? = nil,
        record: String? = nil
    ) {
        self.kind = kind
        self.id = id
        self.text = text
        self.label = label
        self.placeholder = placeholder
        self.value = value
        self.contents = contents
        self.style = style
        self.enabled = enabled
        self.on = on
        self.sections = sections
        self.search = search
        self.more = more
        self.fraction = fraction
        self.record = record
    }
}

/// The content of a text field. It is a secret, because any field may contain one.
public struct FieldContents: Codable, Sendable, Equatable {
    public var id: String
    public var text: WireSecret

    public init(id: String, text: WireSecret) {
        self.id = id
        self.text = text
    }
}

/// What the user did in an interface.
public struct InterfaceAct: Codable, Sendable, Equatable {
    public var element: String
    /// `press`, `select`, `search`, `more` or `change`.
    public var action: String
    /// For `select`: the chosen row.
    public var row: String?
    /// For `search` and `change`: the text.
    public var text: WireSecret?
    /// For `press` and `select`: the contents of all fields.
    public var fields: [FieldContents]?

    public init(
        element: String,
        action: String,
        row: String? = nil,
        text: WireSecret? = nil,
        fields: [FieldContents]? = nil
    ) {
        self.element = element
        self.action = action
        self.row = row
        self.text = text
        self.fields = fields
    }
}
