// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of one field before its neighbours are looked at.
struct FieldFacts {
    /// The kinds of control that take what a credential holds.
    enum Control {
        case text, email, phone, number, url, password
    }

    /// `nil` where the field can have no role; `refusal` says why.
    let control: Control?
    let refusal: String
    /// Whether a person sees the control; one that is hidden says nothing about its form either.
    let isVisible: Bool
    let isTextArea: Bool
    let hint: AutocompleteHint
    /// What the names for programs say.
    let names: Concepts
    /// What the names for people say.
    let shown: Concepts
    let nearby: Concepts
    /// Digits are asked for.
    let isNumeric: Bool
    let maxLength: Int?
    let hasPasswordRules: Bool

    /// What the field itself says, `nearby` excluded.
    var own: Concepts { names.union(shown) }

    init(_ field: FieldDescription, reader: inout WordReader) {
        let tag = field.tag.prefix(16).lowercased()
        let type = field.type.prefix(16).lowercased()
        // A search box that is tagged for a credential is a text field with a button to clear it.
        let isTagged = tag == "input" && type == "search" && AutocompleteHint(field.autocomplete).role != nil
        let control = isTagged ? .text : Self.control(tag: tag, type: type)
        isVisible = field.isVisible && type != "hidden"
        isTextArea = tag == "textarea"
        maxLength = field.maxLength
        hasPasswordRules = !field.passwordRules.isEmpty
        if !isVisible {
            (self.control, refusal) = (nil, "not visible")
        } else if control == nil {
            (self.control, refusal) = (nil, "no field for a line of text")
        } else if !field.isEditable {
            (self.control, refusal) = (nil, "not editable")
        } else {
            (self.control, refusal) = (control, "nothing says that it takes a credential")
        }
        guard isVisible else {
            // Honeypots are full of the right words; none of them is read.
            (hint, names, shown, nearby, isNumeric) = (AutocompleteHint(""), [], [], [], false)
            return
        }
        hint = AutocompleteHint(field.autocomplete)
        names = reader.concepts(field.name, limit: WordReader.Limit.attribute)
            .union(reader.concepts(field.identifier, limit: WordReader.Limit.attribute))
            .union(field.name == "q" ? .search : [])
        let labels = reader.concepts(field.label, limit: WordReader.Limit.label)
            .union(reader.concepts(field.ariaLabel, limit: WordReader.Limit.label))
            .union(reader.concepts(field.placeholder, limit: WordReader.Limit.attribute))
        nearby = reader.concepts(field.nearbyText, limit: WordReader.Limit.nearby)
        // Few words beside a field without a label are its label, for whoever looks at the page.
        let isUnlabelled = field.label.isEmpty && field.ariaLabel.isEmpty && field.placeholder.isEmpty
        shown = isUnlabelled && field.nearbyText.utf8.count <= 48 ? nearby : labels
        let inputMode = field.inputMode.prefix(16).lowercased()
        isNumeric =
            control == .number || control == .phone || ["numeric", "decimal", "tel"].contains(inputMode)
            || Self.wantsDigits(field.pattern)
    }

    private static func control(tag: String, type: String) -> Control? {
        guard tag == "input" else { return nil }
        return switch type {
        case "email": .email
        case "tel": .phone
        case "number": .number
        case "url": .url
        case "password": .password
        case "hidden", "checkbox", "radio", "submit", "button", "image", "reset", "file", "range", "color", "search",
            "date", "datetime-local", "month", "week", "time":
            nil
        // Browsers make a text field of every type that they do not know.
        default: .text
        }
    }

    private static func wantsDigits(_ pattern: String) -> Bool {
        guard !pattern.isEmpty, pattern.utf8.count <= 40 else { return false }
        return pattern.contains(where: { $0 == "d" || $0 == "9" })
            && pattern.utf8.allSatisfy { "0123456789[]-\\d{},*+^$?".utf8.contains($0) }
    }
}
