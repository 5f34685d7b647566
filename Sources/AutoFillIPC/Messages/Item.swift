// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An item of a provider with the capability `manage`, without its password. Times are in seconds since 1970.
public struct Item: Codable, Sendable, Equatable {
    public var id: String
    public var services: [String]
    public var user: String
    public var created: Int64
    public var modified: Int64
    /// When it was removed; absent while it is not.
    public var removed: Int64?
    /// When a server last said no to it, in seconds since 1970; absent where none did since it last worked or was changed.
    public var rejected: Int64?
    /// When its password ends to be good; absent where nobody said.
    public var expires: Int64?
    /// Whether only the very hosts of `services` may have it; absent where not.
    public var strict: Bool?
    /// Whether it has the set-up key of an authenticator; absent where not.
    public var authenticator: Bool?
    /// Only in the answer to `items.get`.
    public var notes: WireSecret?

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
        notes: WireSecret? = nil
    ) {
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
    public var password: WireSecret
    public var notes: WireSecret?
    /// Whether only the very hosts of `services` may have it.
    public var strict: Bool?
    /// The set-up key of an authenticator, as an `otpauth://` link.
    public var authenticator: WireSecret?

    public init(
        services: [String],
        user: String,
        password: WireSecret,
        notes: WireSecret? = nil,
        strict: Bool? = nil,
        authenticator: WireSecret? = nil
    ) {
        self.authenticator = authenticator
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.strict = strict
    }
}

/// What is to change of an item; what is absent stays.
public struct ItemChanges: Codable, Sendable, Equatable {
    public var id: String
    public var services: [String]?
    public var user: String?
    public var password: WireSecret?
    public var notes: WireSecret?
    public var strict: Bool?
    /// The new set-up key of an authenticator, as an `otpauth://` link; an empty one takes the old one away.
    public var authenticator: WireSecret?

    public init(
        id: String,
        services: [String]? = nil,
        user: String? = nil,
        password: WireSecret? = nil,
        notes: WireSecret? = nil,
        strict: Bool? = nil,
        authenticator: WireSecret? = nil
    ) {
        self.authenticator = authenticator
        self.id = id
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
        self.strict = strict
    }
}

/// A password that an item had until `date`, in seconds since 1970.
public struct PasswordChange: Codable, Sendable, Equatable {
    public var date: Int64
    public var password: WireSecret

    public init(date: Int64, password: WireSecret) {
        self.date = date
        self.password = password
    }
}
