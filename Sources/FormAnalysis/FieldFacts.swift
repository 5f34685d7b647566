// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What is known of one field before its neighbours are looked at.
struct FieldFacts {
    /// The kinds of control that take what a credential holds.
    enum Control {
        case text, email, phone, number, url, password
    }

    /// `nil` where the field can have no role; `refusal` says why.
    private(set) var control: Control?
    private(set) var refusal: String
    /// Whether a person sees the control; one that is hidden says nothing about its form either.
    let isVisible: Bool
    /// Whether it may be part of a step that is shown later.
    let mayComeLater: Bool
    /// A text area that a person writes in, which captchas bring along too.
    let isTextArea: Bool
    /// A text area whose page tags it for a user name or a code.
    let isTaggedArea: Bool
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
    /// Whether the page says nothing of the field: no name, no label, nothing beside it.
    let isMute: Bool

    /// What the field itself says, `nearby` excluded.
    var own: Concepts { names.union(shown) }

    init(_ field: FieldDescription, reader: inout WordReader) {
        let tag = field.tag.prefix(16).lowercased()
        let type = field.type.prefix(16).lowercased()
        let isTagged: Bool
        if tag == "input", type == "search" {
            // A search box that is tagged or named for a credential is a text field with a button to clear it.
            isTagged =
                AutocompleteHint(field.autocomplete).role != nil || Self.isNamedForUsers(field, reader: &reader)
        } else {
            // A text area is for a message unless its page tags it. It never takes a password, because it would show it.
            isTagged =
                tag == "textarea" && [.username, .oneTimeCode].contains(AutocompleteHint(field.autocomplete).role)
        }
        isTaggedArea = isTagged && tag == "textarea"
        let control = isTagged ? .text : Self.control(tag: tag, type: type)
        isVisible = field.isVisible && type != "hidden"
        mayComeLater = field.mayComeLater
        isMute =
            field.name.isEmpty && field.identifier.isEmpty && field.label.isEmpty && field.ariaLabel.isEmpty
            && field.placeholder.isEmpty && field.nearbyText.isEmpty && field.autocomplete.isEmpty
            && field.otherNames.isEmpty
        maxLength = field.maxLength
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
            hasPasswordRules = false
            isTextArea = false
            return
        }
        hint = AutocompleteHint(field.autocomplete)
        let ownNames = reader.concepts(field.name, limit: WordReader.Limit.attribute)
            .union(reader.concepts(field.identifier, limit: WordReader.Limit.attribute))
            .union(field.name == "q" ? .search : [])
        let labels = reader.concepts(field.label, limit: WordReader.Limit.label)
            .union(reader.concepts(field.ariaLabel, limit: WordReader.Limit.label))
            .union(reader.concepts(field.placeholder, limit: WordReader.Limit.attribute))
        nearby = reader.concepts(field.nearbyText, limit: WordReader.Limit.nearby)
        // Few words beside a field without a label are its label, for whoever looks at the page. An example in the field is none.
        let isUnlabelled =
            field.label.isEmpty && field.ariaLabel.isEmpty && labels.isDisjoint(with: .named)
            && field.nearbyText.utf8.count <= 48
        let said = isUnlabelled ? nearby.union(labels) : labels
        let texts = [field.label, field.ariaLabel, field.placeholder] + (isUnlabelled ? [field.nearbyText] : [])
        shown = texts.contains(where: Self.isAccountAlone) ? said.union(.userName) : said
        // What frameworks and tests call a field counts where nothing else says anything.
        let otherNames = reader.concepts(field.otherNames, limit: WordReader.Limit.label)
        // That it is bait counts wherever it is said: people are told, and style sheets hide it.
        names =
            (ownNames.union(labels).isDisjoint(with: .named) ? ownNames.union(otherNames) : ownNames)
            .union(otherNames.union(nearby).intersection(.decoy))
        isTextArea = tag == "textarea" && !isTagged && !names.contains(.captcha)
        hasPasswordRules =
            !field.passwordRules.isEmpty || nearby.union(labels).contains(.rules)
            || control == .password
                && [field.placeholder, field.label, field.nearbyText].contains(where: Self.statesLength)
        let inputMode = field.inputMode.prefix(16).lowercased()
        isNumeric =
            control == .number || control == .phone || ["numeric", "decimal", "tel"].contains(inputMode)
            || Self.wantsDigits(field.pattern)
    }

    /// Takes any role from the field.
    mutating func refuse(_ reason: String) {
        control = nil
        refusal = reason
    }

    /// Whether a text has a number that passwords are long: "8-16", in whatever language. A PIN's four digits are none.
    private static func statesLength(_ text: String) -> Bool {
        var number = 0
        var digits = 0
        for byte in text.utf8.prefix(WordReader.Limit.nearby) {
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                number = min(number * 10 + Int(byte - UInt8(ascii: "0")), 1000)
                digits += 1
            } else {
                if digits <= 2, (6...64).contains(number) { return true }
                (number, digits) = (0, 0)
            }
        }
        return digits <= 2 && (6...64).contains(number)
    }

    /// Whether a text is nothing but "Login", "ID", "User" or the like: a whole label means more than the word in a sentence.
    private static func isAccountAlone(_ text: String) -> Bool {
        guard text.utf8.count <= 24 else { return false }
        let words = text.lowercased().filter { $0.isLetter || $0 == " " }
        return ["login", "logon", "id", "user", "account no", "account", "user no"].contains(
            words.drop { $0 == " " }.trimmingEnd)
    }

    private static func isNamedForUsers(_ field: FieldDescription, reader: inout WordReader) -> Bool {
        let texts = [field.name, field.identifier, field.label, field.ariaLabel, field.placeholder]
        let words = texts.reduce(into: Concepts()) {
            $0.formUnion(reader.concepts($1, limit: WordReader.Limit.attribute))
        }
        return words.contains(.userName) && words.isDisjoint(with: [.search, .address, .other])
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

extension Substring {
    /// Without the spaces at its end.
    fileprivate var trimmingEnd: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
