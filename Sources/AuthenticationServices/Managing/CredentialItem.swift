// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An item that a provider keeps, without its password.
public struct CredentialItem: Sendable, Equatable {
    /// The provider's own key for it.
    public var id: String
    /// Hosts, or URLs with a scheme.
    public var services: [String]
    /// Whom the password belongs to.
    public var user: String
    /// When it was added.
    public var created: Date
    /// When it was changed last.
    public var modified: Date
    /// When it was removed; `nil` while it is not.
    public var removed: Date?
    /// Whether only the very hosts of `services` may have it, no others of their sites.
    public var isStrict: Bool
    /// Whether it has the set-up key of an authenticator.
    public var hasAuthenticator: Bool
    /// Only where a single item was asked for.
    public var notes: SecretText?
    /// Whether the user wants to find it quickly; `nil` where the provider does not keep that.
    public var isFavorite: Bool?
    /// The user's own words for it; `nil` where the provider keeps none.
    public var tags: [String]?
    /// The user's own name for the item; `nil` if it has none, or the provider keeps no titles.
    public var title: String?
    /// Whether it has a password. A note has none.
    public var hasPassword: Bool

    /// An item with all its members.
    public init(
        id: String,
        services: [String],
        user: String,
        created: Date,
        modified: Date,
        removed: Date? = nil,
        isStrict: Bool = false,
        hasAuthenticator: Bool = false,
        notes: SecretText? = nil,
        isFavorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil,
        hasPassword: Bool = true
    ) {
        self.title = title
        self.hasPassword = hasPassword
        self.isFavorite = isFavorite
        self.tags = tags
        self.hasAuthenticator = hasAuthenticator
        self.id = id
        self.services = services
        self.user = user
        self.created = created
        self.modified = modified
        self.removed = removed
        self.isStrict = isStrict
        self.notes = notes
    }
}

/// An item that is to be added.
public struct NewCredentialItem: Sendable, Equatable {
    /// Hosts, or URLs with a scheme; none for a note, or a password that is for no site.
    public var services: [String]
    /// Whom the password belongs to.
    public var user: String
    /// The secret; empty for a note.
    public var password: SecretText
    /// Free text, as secret as the password.
    public var notes: SecretText?
    /// Whether only the very hosts of `services` may have it.
    public var isStrict: Bool
    /// The set-up key of an authenticator, as an `otpauth://` link.
    public var authenticator: SecretText?
    /// Whether the user wants to find it quickly.
    public var isFavorite: Bool
    /// The user's own words for it.
    public var tags: [String]
    /// The user's own name for the item; empty for none.
    public var title: String

    /// An item with all its members.
    public init(
        services: [String],
        user: String,
        password: SecretText,
        notes: SecretText? = nil,
        isStrict: Bool = false,
        authenticator: SecretText? = nil,
        isFavorite: Bool = false,
        tags: [String] = [],
        title: String = ""
    ) {
        self.title = title
        self.isFavorite = isFavorite
        self.tags = tags
        self.authenticator = authenticator
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.isStrict = isStrict
    }
}

/// What is to change of an item; what is `nil` stays as it is.
public struct CredentialItemChanges: Sendable, Equatable {
    /// All services it is to have.
    public var services: [String]?
    /// Whom the password belongs to.
    public var user: String?
    /// The new secret; the old one goes into the history.
    public var password: SecretText?
    /// The new text; an empty one removes the notes.
    public var notes: SecretText?
    /// Whether only the very hosts of its services may have it from now on.
    public var isStrict: Bool?
    /// The new set-up key of an authenticator, as an `otpauth://` link; an empty one removes the old one.
    public var authenticator: SecretText?
    /// Whether it is a favorite from now on.
    public var isFavorite: Bool?
    /// All tags it is to have.
    public var tags: [String]?
    /// The new title; an empty one removes the title.
    public var title: String?
    /// A password that the account has had elsewhere, for its history.
    public var pastPassword: SecretText?

    /// Changes; without any, nothing is changed.
    public init(
        services: [String]? = nil,
        user: String? = nil,
        password: SecretText? = nil,
        notes: SecretText? = nil,
        isStrict: Bool? = nil,
        authenticator: SecretText? = nil,
        isFavorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil,
        pastPassword: SecretText? = nil
    ) {
        self.title = title
        self.pastPassword = pastPassword
        self.isFavorite = isFavorite
        self.tags = tags
        self.authenticator = authenticator
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.isStrict = isStrict
    }
}

/// A password that an item had until some time.
public struct PastPassword: Sendable, Equatable {
    /// When it was replaced.
    public var until: Date
    /// The secret.
    public var password: SecretText

    /// A past password with all its members.
    public init(until: Date, password: SecretText) {
        self.until = until
        self.password = password
    }
}

/// A part of a list of items.
public struct CredentialItemPage: Sendable, Equatable {
    /// In the provider's order, which does not change from page to page.
    public var items: [CredentialItem]
    /// What to ask for the next page with; `nil` at the end.
    public var cursor: Int?
    /// How many items cannot be read because of damage; `nil` where there is none.
    public var unreadable: Int?

    /// A page with all its members.
    public init(items: [CredentialItem], cursor: Int? = nil, unreadable: Int? = nil) {
        self.unreadable = unreadable
        self.items = items
        self.cursor = cursor
    }
}

/// A generated password that was filled and has not been saved yet, without itself.
public struct PendingCredential: Sendable, Equatable {
    /// The provider's own key for it.
    public var id: String
    /// What it was filled for.
    public var service: String
    /// Whom it is for; empty where nobody had said it yet.
    public var user: String
    /// What it is made of.
    public var kind: ASGeneratedPassword.Kind
    /// When it was filled.
    public var created: Date

    /// A pending credential with all its members.
    public init(id: String, service: String, user: String, kind: ASGeneratedPassword.Kind, created: Date) {
        self.id = id
        self.service = service
        self.user = user
        self.kind = kind
        self.created = created
    }
}
