// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
public import FoundationEssentials

/// One saved sign-in, without its secrets: these are revealed one at a time by `Vault`.
public struct VaultItem: Hashable, Sendable, Identifiable {
    /// 26 characters of lower-case base 32 from 128 random bits; it tells nothing and is never reused.
    public let id: String
    /// What the user signs in to, as written by the user.
    public let services: [String]
    /// The user name there.
    public let user: String
    /// When the item was added, to the millisecond.
    public let created: Date
    /// When anything about it last changed.
    public let modified: Date
    /// When it was removed; it is kept for `Vault.retention` and can be restored until then.
    public let removed: Date?
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
    /// What the user signs in to: at most 64, each at most 2048 bytes of UTF-8 without control characters.
    public var services: [String]
    /// At most 1024 bytes of UTF-8 without control characters.
    public var user: String
    /// At most 4096 bytes.
    public var password: SecretBytes
    /// At most 64 KiB of UTF-8. A `String`, so the process that holds it has to end when Latchkey locks.
    public var notes: String

    /// Checks nothing; `Vault.add` does.
    public init(services: [String], user: String, password: SecretBytes, notes: String = "") {
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
    }
}

/// What is to change about an item; nil leaves a member as it is.
public struct ItemChanges: Sendable {
    /// The new services, all of them.
    public var services: [String]?
    /// The new user name.
    public var user: String?
    /// The new password; the old one goes into the history.
    public var password: SecretBytes?
    /// The new notes.
    public var notes: String?

    /// Checks nothing; `Vault.edit` does.
    public init(
        services: [String]? = nil,
        user: String? = nil,
        password: SecretBytes? = nil,
        notes: String? = nil
    ) {
        self.services = services
        self.user = user
        self.password = password
        self.notes = notes
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
