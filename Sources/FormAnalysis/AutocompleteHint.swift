// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a field's `autocomplete` attribute says, read leniently.
///
/// HTML allows `section-…`, `shipping` or `billing`, a kind of contact, one field name and `webauthn`, in this order;
/// pages write several field names, and any order, and still mean what they say.
struct AutocompleteHint: Sendable {
    /// The credential that the field is tagged for: the first such token.
    private(set) var role: FieldRole?
    private(set) var isEmail = false
    private(set) var isPhone = false
    /// Tagged for what others call the person, which beside a password is mostly what the account is called.
    private(set) var isNickname = false
    /// Tagged for something that is not a credential: a name, an address, a card.
    private(set) var isOther = false

    init(_ attribute: String) {
        if attribute.isEmpty { return }
        for token in attribute.prefix(256).split(whereSeparator: \.isWhitespace).prefix(16) {
            read(token.lowercased())
        }
    }

    private mutating func read(_ token: String) {
        if let role = FieldRole(rawValue: token) ?? Self.foreignRole(token) {
            self.role = self.role ?? role
            return
        }
        switch token {
        case "email", "emailaddress": isEmail = true
        case "tel", "tel-national": isPhone = true
        // `off` is ignored as browsers do for sign-in forms; `webauthn` adds passkeys to whatever the field takes.
        case "off", "on", "webauthn", "shipping", "billing", "home", "work", "mobile", "fax", "pager": break
        case "nickname": isNickname = true
        default: isOther = isOther || Self.others.contains(token) || token.hasPrefix("cc-")
        }
    }

    /// Apple's names for the same, which pages made for its devices write.
    private static func foreignRole(_ token: String) -> FieldRole? {
        switch token {
        case "newpassword": .newPassword
        case "currentpassword": .currentPassword
        case "onetimecode": .oneTimeCode
        default: nil
        }
    }

    private static let others: Set<String> = [
        "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix",
        "organization-title", "organization", "street-address", "address-line1", "address-line2", "address-line3",
        "address-level1", "address-level2", "address-level3", "address-level4", "country", "country-name",
        "postal-code", "transaction-currency", "transaction-amount", "language", "bday", "bday-day", "bday-month",
        "bday-year", "sex", "url", "photo", "impp", "tel-country-code", "tel-area-code", "tel-local",
        "tel-local-prefix", "tel-local-suffix", "tel-extension",
    ]
}
