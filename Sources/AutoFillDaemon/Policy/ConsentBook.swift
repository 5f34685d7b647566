// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import Crypto
internal import Foundation

/// The user's consents, given outside every page. Each is for one credential at one place and can be taken back; there is none for a whole
/// site.
struct ConsentBook: Codable, Sendable, Equatable {
    /// The kind of a consent.
    struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        let rawValue: String

        /// A form in a frame whose page is of another site.
        static let frame = Kind(rawValue: "frame")
        /// A page of this network that is delivered without https.
        static let insecureLocal = Kind(rawValue: "insecureLocal")
        /// A suggestion in a browser that does not say what lies over it and over the fields.
        static let unstated = Kind(rawValue: "unstated")
    }

    /// The parties of a consent.
    struct Subject: Sendable, Equatable {
        let kind: Kind
        /// The origin of the top document; `nil` if the form is in the top document.
        let top: String?
        /// The origin of the document that holds the form.
        let origin: String
        let provider: BundleIdentifier
        let identity: CredentialIdentity
        /// The origins of the documents between the top one and the form's, because another page may frame the same document.
        var between: [String] = []

        /// Two consents with the same digest are one.
        fileprivate var digest: Data {
            var hash = SHA256()
            let named = [
                kind.rawValue, top ?? "", origin, provider.rawValue, identity.recordIdentifier ?? "", identity.user,
                identity.service.value,
            ]
            // One record may hold a password and one-time codes, and the window named one of them.
            let parts = named + between + (kind == .unstated ? [identity.type.rawValue] : [])
            for part in parts {
                hash.update(data: withUnsafeBytes(of: UInt64(part.utf8.count)) { Data($0) })
                hash.update(data: Data(part.utf8))
            }
            return Data(hash.finalize())
        }
    }

    /// A consent as it is kept.
    struct Consent: Codable, Sendable, Equatable {
        var kind: Kind
        var top: String?
        var origin: String
        var provider: String
        var service: String
        var user: String
        var digest: Data
        /// The time of the consent, in seconds since 1970.
        var date: Int64

        /// A short name by which the user can take it back.
        var id: String { digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    /// Maximum number of consents. The oldest are forgotten, and the user is asked once more.
    static let limit = 1_000

    /// The consents, the oldest first.
    private(set) var consents: [Consent] = []

    init() {}

    init(from decoder: any Decoder) throws {
        consents = try decoder.singleValueContainer().decode([Consent].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(consents)
    }

    func holds(_ subject: Subject) -> Bool {
        let digest = subject.digest
        return consents.contains { $0.digest == digest }
    }

    mutating func note(_ subject: Subject, at date: Int64) {
        guard !holds(subject) else { return }
        consents.append(
            Consent(
                kind: subject.kind, top: subject.top, origin: subject.origin, provider: subject.provider.rawValue,
                service: subject.identity.service.value, user: subject.identity.user, digest: subject.digest,
                date: date))
        if consents.count > Self.limit { consents.removeFirst(consents.count - Self.limit) }
    }

    /// Takes consents back; returns how many there were.
    mutating func forget(where isMeant: (Consent) -> Bool) -> Int {
        let before = consents.count
        consents.removeAll(where: isMeant)
        return before - consents.count
    }
}
