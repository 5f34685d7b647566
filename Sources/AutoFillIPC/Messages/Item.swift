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
    /// Only in the answer to `items.get`.
    public var notes: WireSecret?

    public init(
        id: String,
        services: [String],
        user: String,
        created: Int64,
        modified: Int64,
        removed: Int64? = nil,
        notes: WireSecret? = nil
    ) {
        self.id = id
        self.services = services
        self.user = user
        self.created = created
        self.modified = modified
        self.removed = removed
        self.notes = notes
    }
}

/// An item that is to be added.
public struct NewItem: Codable, Sendable, Equatable {
    public var services: [String]
    public var user: String
    public var password: WireSecret
    public var notes: WireSecret?

    public init(services: [String], user: String, password: WireSecret, notes: WireSecret? = nil) {
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
    }
}

/// What is to change of an item; what is absent stays.
public struct ItemChanges: Codable, Sendable, Equatable {
    public var id: String
    public var services: [String]?
    public var user: String?
    public var password: WireSecret?
    public var notes: WireSecret?

    public init(
        id: String,
        services: [String]? = nil,
        user: String? = nil,
        password: WireSecret? = nil,
        notes: WireSecret? = nil
    ) {
        self.id = id
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
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
