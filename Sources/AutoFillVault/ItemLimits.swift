// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets

/// The limits of an item. Whatever is beyond them is refused whole, never cut.
enum ItemLimits {
    static let services = 64
    static let serviceBytes = 2048
    static let userBytes = 1024
    static let passwordBytes = 4096
    static let notesBytes = 64 * 1024
    static let authenticatorBytes = 4096
    static let tags = 32
    static let tagBytes = 128
    static let titleBytes = 1024

    static func check(
        services: [String]?, user: String?, password: SecretBytes?, pastPassword: SecretBytes? = nil, notes: String?,
        authenticator: SecretBytes?,
        tags: [String]? = nil, title: String? = nil
    ) throws {
        if let tags { try check(tags: tags) }
        if let title {
            try require(title.utf8.count <= titleBytes, "a title has at most \(titleBytes) bytes")
            try require(!hasControl(title), "the title holds a control character")
        }
        if let services {
            try require(services.count <= Self.services, "an item has at most \(Self.services) services")
            for service in services {
                try require(!service.isEmpty, "a service is empty")
                try require(service.utf8.count <= serviceBytes, "a service has at most \(serviceBytes) bytes")
                try require(!hasControl(service), "a service holds a control character")
            }
        }
        if let user {
            try require(user.utf8.count <= userBytes, "a user name has at most \(userBytes) bytes")
            try require(!hasControl(user), "the user name holds a control character")
        }
        for password in [password, pastPassword].compactMap(\.self) {
            try require(password.count <= passwordBytes, "a password has at most \(passwordBytes) bytes")
        }
        if let notes {
            try require(notes.utf8.count <= notesBytes, "notes have at most \(notesBytes) bytes")
        }
        if let authenticator {
            try require(
                authenticator.count <= authenticatorBytes,
                "an authenticator's link has at most \(authenticatorBytes) bytes")
        }
    }

    /// Requires a service or a title, and a password for an item with services.
    static func check(whole item: VaultItem) throws {
        try require(!(item.services.isEmpty && item.title.isEmpty), "an item needs a website or a title")
        try require(item.services.isEmpty || item.hasPassword, "an account with a website needs a password")
    }

    /// Tags are listed with commas between them and told apart whatever the case of their letters.
    private static func check(tags: [String]) throws {
        try require(tags.count <= Self.tags, "an item has at most \(Self.tags) tags")
        for tag in tags {
            try require(!tag.isEmpty, "a tag is empty")
            try require(tag.utf8.count <= tagBytes, "a tag has at most \(tagBytes) bytes")
            try require(!hasControl(tag), "a tag holds a control character")
            try require(!tag.contains(","), "a tag holds a comma")
            try require(
                tag.first?.isWhitespace == false && tag.last?.isWhitespace == false, "a tag has a space around it")
        }
        try require(Set(tags.map { $0.lowercased() }).count == tags.count, "a tag stands twice")
    }

    /// What says how a generated password came about.
    static func check(pendingKind kind: String, session: String) throws {
        try require(kind.utf8.count <= 64 && !hasControl(kind), "a kind of password has at most 64 bytes")
        try require(session.utf8.count <= 128 && !hasControl(session), "the name of a session has at most 128 bytes")
    }

    /// NUL and line ends, which could forge a second line wherever the text is listed, and the rest of their kind.
    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private static func require(_ holds: Bool, _ reason: String) throws {
        guard holds else { throw VaultError(.invalidItem, reason) }
    }
}
