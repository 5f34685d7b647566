// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
public import FoundationEssentials

/// One saved sign-in, or a note, without its secrets: these are revealed one at a time by `Vault`.
public struct VaultItem: Hashable, Sendable, Identifiable {
    /// 26 characters of lower-case base 32 from 128 random bits; it tells nothing and is never reused.
    public let id: String
    /// The sites that the user signs in to, as written by the user; empty for a note or a password without a site.
    public let services: [String]
    /// The user name there.
    public let user: String
    /// Whether only the very hosts of `services` may have it, no other of their sites.
    public let isStrict: Bool
    /// When the item was added, to the millisecond.
    public let created: Date
    /// When anything about it last changed.
    public let modified: Date
    /// When it was removed; it is kept for `RetentionAges.span` at least and can be restored until then.
    public let removed: Date?
    /// Whether it has the set-up key of an authenticator.
    public internal(set) var hasAuthenticator = false
    /// Whether the user wants to find it quickly.
    public internal(set) var isFavorite = false
    /// The user's own words for it, in their order.
    public internal(set) var tags: [String] = []
    /// The user's own name for the item; empty for none.
    public internal(set) var title = ""
    /// Whether it has a password. A note has none, and neither has a card.
    public internal(set) var hasPassword = true
}

/// A password that an item had before.
public struct PasswordChange: Equatable, Sendable {
    /// When it was replaced.
    public let date: Date
    /// What it was until then.
    public let password: SecretBytes
}

/// An item to be added.
public struct NewItem: Sendable {
    /// The sites that the user signs in to: at most 64, each at most 2048 bytes of UTF-8 without control characters. May be empty for an item
    /// with a title.
    public var services: [String]
    /// At most 1024 bytes of UTF-8 without control characters.
    public var user: String
    /// Whether only the very hosts of `services` may have it.
    public var isStrict: Bool
    /// At most 4096 bytes. May be empty where there are no services.
    public var password: SecretBytes
    /// At most 64 KiB of UTF-8. A `String`, so the process that holds it has to end when Latchkey locks.
    public var notes: String
    /// The set-up key of an authenticator as an `otpauth://` link, at most 4096 bytes; what is in it, its caller has checked.
    public var authenticator: SecretBytes?
    /// Whether the user wants to find it quickly.
    public var isFavorite: Bool
    /// At most 32, each at most 128 bytes of UTF-8 without control characters, commas and spaces around it; no two alike.
    public var tags: [String]
    /// The user's own name for the item: at most 1024 bytes of UTF-8 without control characters.
    public var title: String

    /// Checks nothing; `Vault.add` does.
    public init(
        services: [String],
        user: String,
        isStrict: Bool = false,
        password: SecretBytes,
        notes: String = "",
        authenticator: SecretBytes? = nil,
        isFavorite: Bool = false,
        tags: [String] = [],
        title: String = ""
    ) {
        self.title = title
        self.services = services
        self.user = user
        self.isStrict = isStrict
        self.password = password
        self.notes = notes
        self.authenticator = authenticator
        self.isFavorite = isFavorite
        self.tags = tags
    }
}

/// What is to change about an item; nil leaves a member as it is.
public struct ItemChanges: Sendable {
    /// The new services, all of them.
    public var services: [String]?
    /// The new user name.
    public var user: String?
    /// Whether only the very hosts of its services may have it from now on.
    public var isStrict: Bool?
    /// The new password; the old one goes into the history.
    public var password: SecretBytes?
    /// The new notes.
    public var notes: String?
    /// The new set-up key of an authenticator; an empty one takes the old one away.
    public var authenticator: SecretBytes?
    /// Whether it is a favorite from now on.
    public var isFavorite: Bool?
    /// All tags it is to have.
    public var tags: [String]?
    /// The new title; an empty one removes the title.
    public var title: String?
    /// A password that the account has had elsewhere, for its history.
    public var pastPassword: SecretBytes?

    /// Whether only the title, the favorite mark, tags or the history change. Then the date of the last change stays, and the identity store need not be told.
    var isOfLabelsAlone: Bool {
        let account: [Any?] = [services, user, isStrict, password, notes, authenticator]
        return account.allSatisfy { $0 == nil }
            && (isFavorite != nil || tags != nil || title != nil || pastPassword != nil)
    }

    /// Checks nothing; `Vault.edit` does.
    public init(
        services: [String]? = nil,
        user: String? = nil,
        isStrict: Bool? = nil,
        password: SecretBytes? = nil,
        notes: String? = nil,
        authenticator: SecretBytes? = nil,
        isFavorite: Bool? = nil,
        tags: [String]? = nil,
        title: String? = nil,
        pastPassword: SecretBytes? = nil
    ) {
        self.title = title
        self.pastPassword = pastPassword
        self.services = services
        self.user = user
        self.isStrict = isStrict
        self.password = password
        self.notes = notes
        self.authenticator = authenticator
        self.isFavorite = isFavorite
        self.tags = tags
    }
}

/// What the identity store has still to be told, in order.
public struct PendingIdentityChange: Hashable, Sendable {
    /// What happened to an item.
    public enum Change: Hashable, Sendable {
        /// The item was added, changed or restored: save the identities of its present state.
        case save(itemID: String)
        /// The item was removed: remove its identities.
        case remove(itemID: String)
    }

    /// Rises with each change; `Vault.acknowledge(upTo:)` takes it.
    public let sequence: Int64
    /// What happened.
    public let change: Change
}
