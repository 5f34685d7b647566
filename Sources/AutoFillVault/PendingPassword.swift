// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillSecrets
public import FoundationEssentials

/// A generated password that was filled somewhere and has not been saved yet: it must not be lost when a page swallows the form.
public struct PendingPassword: Equatable, Sendable, Identifiable {
    /// As an item's; it tells nothing.
    public let id: String
    /// What it was filled for, as an item has it.
    public let service: String
    /// Whom it is for; empty where nobody had said it yet.
    public let user: String
    /// What it is made of, in the words of who made it.
    public let kind: String
    /// The same for all that one form brought about.
    public let session: String
    /// When it was filled, to the millisecond.
    public let created: Date
    /// The secret.
    public let password: SecretBytes
}

/// A generated password that is to be kept until it is saved.
public struct NewPendingPassword: Sendable {
    /// At most 2048 bytes of UTF-8 without control characters.
    public var service: String
    /// At most 1024 bytes of UTF-8 without control characters.
    public var user: String
    /// At most 64 bytes.
    public var kind: String
    /// At most 128 bytes.
    public var session: String
    /// At most 4096 bytes.
    public var password: SecretBytes

    /// Checks nothing; `Vault.keep` does.
    public init(service: String, user: String, kind: String, session: String, password: SecretBytes) {
        self.service = service
        self.user = user
        self.kind = kind
        self.session = session
        self.password = password
    }
}
