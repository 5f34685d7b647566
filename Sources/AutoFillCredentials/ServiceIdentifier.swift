// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the user signs in to, as a provider states it.
public struct ServiceIdentifier: Hashable, Sendable {
    /// How `value` is to be read. The raw values are Apple's for `ASCredentialServiceIdentifier.IdentifierType`.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// A host name; its scheme is taken to be https, its port 443.
        public static let domain = Kind(rawValue: 0)
        /// A URL; only its origin counts.
        public static let url = Kind(rawValue: 1)
        /// An app identifier.
        public static let app = Kind(rawValue: 2)
    }

    public let kind: Kind
    public let value: String

    public init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }

    /// A service as a person writes it: a host, or a URL when it names a scheme.
    public init(written text: String) {
        self.init(kind: text.contains("://") ? .url : .domain, value: text)
    }
}
