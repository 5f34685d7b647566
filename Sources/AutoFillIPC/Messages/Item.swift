// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An item of a provider with the capability `manage`, without its password: an account, or a note without a service. Times are in seconds since 1970.
public struct Item: Codable, Sendable, Equatable {
    public var id: String
    public var services: [String]
    public var user: String
    public var created: Int64
    public var modified: Int64
    /// When it was removed; absent if it was not.
    public var removed: Int64?
    /// When a server last rejected it, in seconds since 1970; absent if it has worked or was changed since, or was never rejected.
    public var rejected: Int64?
    /// When its password expires; absent if unknown.
    public var expires: Int64?
    /// Whether it is for exactly the hosts of `services` only; absent means `false`.
    public var strict: Bool?
    /// Whether it has an authenticator's set-up key; absent means `false`.
    public var authenticator: Bool?
    /// Only in the answer to `items.get`.
    public var notes: WireSecret?
    /// Whether it is a favorite; absent where the provider does not keep that.
    public var favorite: Bool?
    /// The user's own words for it; absent where the provider keeps none.
    public var tags: [String]?
    /// The user's own name for the item; absent for none.
    public var title: String?
    /// Whether it has a password; absent means `true`. A note has none.
    public var hasPassword: Bool?

    /// Names the item to the user: its first service, or its title if it has no service.
    public var place: String { services.first ?? title ?? "" }

    public init(
        id: String,
        services: [String],
        user: String,
        created: Int64,
        modified: Int64,
        removed: Int64? = nil,
        rejected: Int64? = nil,
        expires: Int64? = nil,
        strict: Bool? = nil,
        authenticator: Bool? = nil,
        notes: WireSecret? = nil,
        favorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil,
        hasPassword: Bool? = nil
    ) {
        self.title = title
        self.hasPassword = hasPassword
        self.favorite = favorite
        self.tags = tags
        self.authenticator = authenticator
        self.rejected = rejected
        self.expires = expires
        self.id = id
        self.services = services
        self.user = user
        self.created = created
        self.modified = modified
        self.removed = removed
        self.strict = strict
        self.notes = notes
    }
}

/// An item that is to be added.
public struct NewItem: Codable, Sendable, Equatable {
    public var services: [String]
    public var user: String
    /// Empty for a note.
    public var password: WireSecret
    public var notes: WireSecret?
    /// Whether it is for exactly the hosts of `services` only.
    public var strict: Bool?
    /// The set-up key of an authenticator, as an `otpauth://` link.
    public var authenticator: WireSecret?
    /// Whether it is a favorite; absent means `false`.
    public var favorite: Bool?
    /// The user's own words for it.
    public var tags: [String]?
    /// The user's own name for the item. An item without services needs one.
    public var title: String?

    public init(
        services: [String],
        user: String,
        password: WireSecret,
        notes: WireSecret? = nil,
        strict: Bool? = nil,
        authenticator: WireSecret? = nil,
        favorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil
    ) {
        self.title = title
        self.favorite = favorite
        self.tags = tags
        self.authenticator = authenticator
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.strict = strict
    }
}

/// Changes to an item. Absent members leave their value unchanged.
public struct ItemChanges: Codable, Sendable, Equatable {
    public var id: String
    public var services: [String]?
    public var user: String?
    public var password: WireSecret?
    public var notes: WireSecret?
    public var strict: Bool?
    /// The new set-up key of an authenticator, as an `otpauth://` link; an empty text removes the old one.
    public var authenticator: WireSecret?
    /// Whether it is a favorite from now on.
    public var favorite: Bool?
    /// All tags it is to have.
    public var tags: [String]?
    /// The new title; an empty text removes the title.
    public var title: String?
    /// A password that the account has had elsewhere, for its history.
    public var pastPassword: WireSecret?

    /// Whether only the title, the favorite mark, tags or the history change. User name and password stay then, so marks like "rejected by the server" stay true.
    public var isOfLabelsAlone: Bool {
        let account: [Any?] = [services, user, password, notes, strict, authenticator]
        return account.allSatisfy { $0 == nil }
            && (favorite != nil || tags != nil || title != nil || pastPassword != nil)
    }

    public init(
        id: String,
        services: [String]? = nil,
        user: String? = nil,
        password: WireSecret? = nil,
        notes: WireSecret? = nil,
        strict: Bool? = nil,
        authenticator: WireSecret? = nil,
        favorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil,
        pastPassword: WireSecret? = nil
    ) {
        self.title = title
        self.pastPassword = pastPassword
        self.favorite = favorite
        self.tags = tags
        self.authenticator = authenticator
        self.id = id
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.strict = strict
    }
}

/// An earlier password of an item, used until `date`, in seconds since 1970.
public struct PasswordChange: Codable, Sendable, Equatable {
    public var date: Int64
    public var password: WireSecret

    public init(date: Int64, password: WireSecret) {
        self.date = date
        self.password = password
    }
}
