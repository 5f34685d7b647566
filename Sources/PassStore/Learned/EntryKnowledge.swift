// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What decrypting entries has shown of their users and services, and what the identity store was told.
///
/// It is a hint and never more: an identity is offered by it, and who delivers a credential reads the entry again. It
/// says who has an account where, so it is kept sealed.
public struct EntryKnowledge: Codable, Equatable, Sendable {
    /// What one entry has inside, without its secrets.
    public struct Inside: Codable, Equatable, Sendable {
        /// What its line says; nothing where there is none.
        public var user: String?
        /// The services of its `url:` lines, as text.
        public var services: [String]
        /// Whether there is the key of one-time codes.
        public var hasCode: Bool
        /// For how many seconds each code is the current one; nothing where that is not known, or was not when this was learned.
        public var period: Int?

        /// What a text shows.
        public init(_ text: EntryText) {
            (user, services, hasCode) = (text.user, text.services.map(\.text), text.hasCode)
            period = text.code.flatMap { OneTimeCodeSource($0)?.period }
        }
    }

    /// One identity that the store holds.
    public struct Claim: Codable, Hashable, Sendable {
        /// The entry's name, which is the record identifier.
        public let record: String
        /// A domain or a URL.
        public let service: String
        /// Whom the identity names.
        public let user: String
        /// Whether it is of one-time codes instead of a password.
        public let isCode: Bool
        /// For how many seconds each of its codes is the current one, where that is known.
        public let period: Int?

        /// A claim with all its members.
        public init(record: String, service: String, user: String, isCode: Bool, period: Int? = nil) {
            (self.record, self.service, self.user, self.isCode) = (record, service, user, isCode)
            self.period = isCode ? period : nil
        }

        /// Whether the service is a URL.
        public var isURL: Bool { service.contains("://") }
    }

    /// By the names of entries.
    public var inside: [String: Inside] = [:]
    /// What the store was told last; nothing when that is not known.
    public var reported: [Claim]?

    /// Nothing is known.
    public init() {}

    /// Remembers what an entry has inside; false when that was known.
    public mutating func learn(_ text: EntryText, of name: EntryName) -> Bool {
        let seen = Inside(text)
        guard inside[name.text] != seen else { return false }
        inside[name.text] = seen
        return true
    }

    /// Forgets entries that are no more.
    public mutating func forget(except names: [EntryName]) {
        let kept = Set(names.map(\.text))
        inside = inside.filter { kept.contains($0.key) }
    }

    /// Whom an entry belongs to, as far as that is known: what stands inside is stronger than the name.
    public func user(of name: EntryName) -> String? { inside[name.text]?.user ?? EntryLayout(name).user }

    /// What an entry is for, as far as that is known.
    public func services(of name: EntryName) -> [EntryService] {
        let known = (inside[name.text]?.services ?? []).compactMap { EntryService(line: $0) }
        let named = EntryLayout(name).service
        return (named.map { [$0] } ?? []) + known.filter { $0 != named }
    }

    /// What the identity store is to hold for an entry. Where the user is not known, the entry's own name stands for it.
    public func claims(of name: EntryName) -> [Claim] {
        let user = user(of: name) ?? name.title
        return services(of: name).flatMap { service in
            let kinds = inside[name.text]?.hasCode == true ? [false, true] : [false]
            return kinds.map {
                Claim(
                    record: name.text, service: service.text, user: user, isCode: $0,
                    period: inside[name.text]?.period)
            }
        }
    }

    /// Whether an identity for this user may be of this entry: the user that is known, that of the name (which was told
    /// before the inside was seen), or the entry's own name.
    public func mayName(_ user: String, _ name: EntryName) -> Bool {
        [self.user(of: name), EntryLayout(name).user, name.title].contains { $0 == user }
    }
}
