// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import ShownText

/// One document of a frame chain.
public struct ChainLink: Codable, Sendable, Equatable {
    public var origin: String
    public var document: String

    public init(origin: String, document: String) {
        self.origin = origin
        self.document = document
    }
}

/// The browser's statement about the requesting frame.
public struct FrameEvidence: Codable, Sendable, Equatable {
    public var tab: Int
    public var frame: Int
    public var document: String
    /// The documents from the requesting one to the top one.
    public var chain: [ChainLink]

    public init(tab: Int, frame: Int, document: String, chain: [ChainLink]) {
        self.tab = tab
        self.frame = frame
        self.document = document
        self.chain = chain
    }
}

/// A content script's description of a page; it never contains the value of a field.
public struct PageStatement: Codable, Sendable, Equatable {
    public var title: String?
    public var path: String?
    public var language: String?
    public var forms: [FormStatement]?
    public var fields: [FieldStatement]
    /// Buttons and headings that belong to no form.
    public var outside: FormStatement?

    public init(
        title: String? = nil,
        path: String? = nil,
        language: String? = nil,
        forms: [FormStatement]? = nil,
        fields: [FieldStatement],
        outside: FormStatement? = nil
    ) {
        self.title = title
        self.path = path
        self.language = language
        self.forms = forms
        self.fields = fields
        self.outside = outside
    }
}

/// A form around fields.
public struct FormStatement: Codable, Sendable, Equatable {
    public var name: String?
    public var id: String?
    public var action: String?
    public var method: String?
    /// The `class` attribute.
    public var `class`: String?
    public var buttons: [String]?
    public var headings: [String]?
    /// The texts of links.
    public var links: [String]?
    /// The positions of those texts among the fields.
    public var places: TextPlaces?
    /// The text in the form before its first field, apart from headings, links and buttons.
    public var lead: String?

    public init(
        name: String? = nil,
        id: String? = nil,
        action: String? = nil,
        method: String? = nil,
        class: String? = nil,
        buttons: [String]? = nil,
        headings: [String]? = nil,
        links: [String]? = nil,
        places: TextPlaces? = nil,
        lead: String? = nil
    ) {
        self.places = places
        self.lead = lead
        self.name = name
        self.id = id
        self.action = action
        self.method = method
        self.class = `class`
        self.buttons = buttons
        self.headings = headings
        self.links = links
    }
}

/// For each text of a form, in the same order, the number of the page's fields before it.
public struct TextPlaces: Codable, Sendable, Equatable {
    public var buttons: [Int]?
    public var headings: [Int]?
    public var links: [Int]?

    public init(buttons: [Int]? = nil, headings: [Int]? = nil, links: [Int]? = nil) {
        self.buttons = buttons
        self.headings = headings
        self.links = links
    }
}

/// A field; `ref` is the content script's own name for it.
public struct FieldStatement: Codable, Sendable, Equatable {
    public var ref: Int
    public var tag: String?
    public var type: String?
    public var name: String?
    public var id: String?
    public var autocomplete: String?
    public var inputmode: String?
    public var pattern: String?
    public var passwordrules: String?
    public var placeholder: String?
    /// Further names for the field: from frameworks' bindings, from test identifiers, and its classes.
    public var other: String?
    public var aria: String?
    public var label: String?
    public var nearby: String?
    public var minlength: Int?
    public var maxlength: Int?
    public var form: Int?
    public var visible: Bool?
    public var editable: Bool?

    public init(
        ref: Int,
        tag: String? = nil,
        type: String? = nil,
        name: String? = nil,
        id: String? = nil,
        autocomplete: String? = nil,
        inputmode: String? = nil,
        pattern: String? = nil,
        passwordrules: String? = nil,
        placeholder: String? = nil,
        other: String? = nil,
        aria: String? = nil,
        label: String? = nil,
        nearby: String? = nil,
        minlength: Int? = nil,
        maxlength: Int? = nil,
        form: Int? = nil,
        visible: Bool? = nil,
        editable: Bool? = nil
    ) {
        self.ref = ref
        self.tag = tag
        self.type = type
        self.name = name
        self.id = id
        self.autocomplete = autocomplete
        self.inputmode = inputmode
        self.pattern = pattern
        self.passwordrules = passwordrules
        self.placeholder = placeholder
        self.other = other
        self.aria = aria
        self.label = label
        self.nearby = nearby
        self.minlength = minlength
        self.maxlength = maxlength
        self.form = form
        self.visible = visible
        self.editable = editable
    }
}

/// A field that would be filled.
public struct FieldRoleAnswer: Codable, Sendable, Equatable {
    public var ref: Int
    public var role: String

    public init(ref: Int, role: String) {
        self.ref = ref
        self.role = role
    }
}

/// A suggestion as a renderer draws it.
public struct Row: Codable, Sendable, Equatable {
    /// Absent if the row cannot be chosen.
    public var handle: String?
    public var title: DisplayText
    /// Empty if there is no user name.
    public var user: DisplayText
    public var provider: String
    /// The provider's display name, if more than one provider is enabled.
    public var providerName: DisplayText?
    public var fills: Bool?
    public var refusal: DisplayText?
    /// How the row matches: `sameSite`, `shared` or `associated`; absent if it was saved for exactly this place.
    public var relation: String?
    /// The place for which it was saved, if that is not this place.
    public var savedFor: DisplayText?
    /// The page around the frame, if the user will be asked whether to fill there.
    public var top: DisplayText?
    /// Whether a row that does not match can still be used, by `anyway` and a question that shows both names.
    public var anyway: Bool?
    /// Whether its user name was filled in this tab before, and the form asks for the password alone.
    public var continues: Bool?
    /// For a code: its source and how long it is valid. Never the code itself.
    public var code: CodeStatement?

    public init(
        handle: String? = nil,
        title: DisplayText,
        user: DisplayText,
        provider: String,
        providerName: DisplayText? = nil,
        fills: Bool? = nil,
        refusal: DisplayText? = nil,
        relation: String? = nil,
        savedFor: DisplayText? = nil,
        top: DisplayText? = nil,
        anyway: Bool? = nil,
        continues: Bool? = nil
    ) {
        self.continues = continues
        self.providerName = providerName
        self.handle = handle
        self.title = title
        self.user = user
        self.provider = provider
        self.fills = fills
        self.refusal = refusal
        self.relation = relation
        self.savedFor = savedFor
        self.top = top
        self.anyway = anyway
    }
}

/// The observations of the bar's guard (section 8, step 4, of `docs/protocol.md`).
public struct GuardReport: Codable, Sendable, Hashable {
    public var held: Bool
    public var reason: String?

    /// The reason where nothing is known to be wrong, and the browser does not say what lies over a suggestion.
    public static let unstated = "not stated"

    public init(held: Bool, reason: String? = nil) {
        self.held = held
        self.reason = reason
    }
}

/// A value for one field.
public struct Fill: Codable, Sendable, Equatable {
    public var ref: Int
    public var role: String
    public var value: WireSecret

    public init(ref: Int, role: String, value: WireSecret) {
        self.ref = ref
        self.role = role
        self.value = value
    }
}
