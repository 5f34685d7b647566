// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import AutoFillSecrets

/// What stands in the form in which an account is added or changed.
package struct ItemDraft: Sendable {
    /// Why a draft cannot be saved, as a sentence for the user.
    package struct Problem: Error, Equatable, Sendable {
        package let sentence: String
    }

    /// One place a line.
    package var services: String
    package var user: String
    /// The user's own name for the account; empty for none.
    package var title: String
    /// Empty where the password stays.
    package var password: WireSecret?
    /// `nil` where the notes stay.
    package var notes: WireSecret?
    /// An `otpauth://` link; `nil` where the set-up key stays.
    package var authenticator: WireSecret?
    package var removesAuthenticator = false
    package var removesNotes = false
    package var isStrict: Bool
    /// The tags, with commas between them.
    package var tags: String

    private let original: Item?

    /// - Parameter item: The account to be changed; `nil` for a new one.
    package init(_ item: Item? = nil) {
        original = item
        services = item?.services.joined(separator: "\n") ?? ""
        user = item?.user ?? ""
        title = item?.title ?? ""
        isStrict = item?.strict == true
        tags = item?.tags?.joined(separator: ", ") ?? ""
    }

    package var isNew: Bool { original == nil }

    /// Whether anything was typed or chosen that would be lost if it is not saved.
    package var isChanged: Bool {
        [password, notes, authenticator].contains { Self.filled($0) != nil } || removesNotes || removesAuthenticator
            || trimmedTitle != original?.title ?? "" || lines != original?.services ?? []
            || user != original?.user ?? ""
            || isStrict != (original?.strict == true) || listedTags != original?.tags ?? []
    }

    private var lines: [String] {
        services.split(whereSeparator: \.isNewline).map(Self.trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The tags without spaces around them, each once.
    private var listedTags: [String] {
        var seen: Set<String> = []
        return tags.split(separator: ",").map(Self.trimmed).filter {
            !$0.isEmpty && seen.insert($0.lowercased()).inserted
        }
    }

    private var trimmedTitle: String { Self.trimmed(title[...]) }

    private func requireServices() throws(Problem) -> [String] {
        let lines = lines
        guard !lines.isEmpty || !trimmedTitle.isEmpty else {
            throw Problem(sentence: "Enter the website that the password is for, or a title.")
        }
        for line in lines {
            guard let mark = line.firstRange(of: "://") else { continue }
            guard ["http", "https"].contains(line[..<mark.lowerBound].lowercased()) else {
                throw Problem(sentence: "Passwords are saved for http and https addresses, or for a host alone.")
            }
        }
        return lines
    }

    /// The account to be added.
    package func newItem() throws(Problem) -> NewItem {
        let services = try requireServices()
        let password = Self.filled(password)
        guard password != nil || services.isEmpty else { throw Problem(sentence: "Enter the password.") }
        guard password != nil || Self.filled(notes) != nil || Self.filled(authenticator) != nil else {
            throw Problem(sentence: "Enter a password or notes.")
        }
        return NewItem(
            services: services, user: user, password: password ?? WireSecret(SecretBytes(count: 0)),
            notes: Self.filled(notes),
            strict: isStrict ? true : nil, authenticator: Self.filled(authenticator),
            tags: listedTags.isEmpty ? nil : listedTags, title: trimmedTitle.isEmpty ? nil : trimmedTitle)
    }

    /// What is changed, or `nil` if nothing is.
    ///
    /// - Parameter current: The account as it is saved now. Websites and tags that it was given elsewhere since the draft was begun stay,
    ///   and what was taken from it does not come back.
    package func changes(to current: Item? = nil) throws(Problem) -> ItemChanges? {
        guard let original else { return nil }
        let current = current ?? original
        let typed = try requireServices()
        var changes = ItemChanges(id: original.id)
        let merged = Self.merged(typed, into: current.services, since: original.services)
        let services = merged.isEmpty ? typed : merged
        if services != current.services { changes.services = services }
        if user != original.user { changes.user = user }
        if trimmedTitle != original.title ?? "" { changes.title = trimmedTitle }
        if isStrict != (original.strict == true) { changes.strict = isStrict }
        let tags = Self.merged(listedTags, into: current.tags ?? [], since: original.tags ?? [])
        if tags != current.tags ?? [] { changes.tags = tags }
        changes.password = Self.filled(password)
        changes.notes = Self.filled(notes)
        if removesNotes, changes.notes == nil { changes.notes = WireSecret(SecretBytes(count: 0)) }
        changes.authenticator = Self.filled(authenticator)
        if removesAuthenticator, changes.authenticator == nil {
            changes.authenticator = WireSecret(SecretBytes(count: 0))
        }
        return changes == ItemChanges(id: original.id) ? nil : changes
    }

    /// A list as it was typed, with what was added to it and taken from it elsewhere meanwhile.
    private static func merged(_ typed: [String], into current: [String], since original: [String]) -> [String] {
        if typed == original { return current }
        let kept = typed.filter { current.contains($0) || !original.contains($0) }
        return kept + current.filter { !original.contains($0) && !typed.contains($0) }
    }

    private static func filled(_ secret: WireSecret?) -> WireSecret? {
        guard let secret, secret.bytes.count > 0 else { return nil }
        return secret
    }
}
