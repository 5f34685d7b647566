// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ASImportableCredential {
    /// A passkey with its private key. It prints as nothing.
    public struct Passkey: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The passkey's identifier.
        public var credentialID: Data
        /// The domain that WebAuthn calls the RP ID.
        public var relyingPartyIdentifier: String
        /// Whom the passkey belongs to.
        public var userName: String
        /// Their name for people.
        public var userDisplayName: String
        /// The relying party's own name for the user.
        public var userHandle: Data
        /// The private key, in PKCS #8.
        public var key: Data

        private enum CodingKeys: String, CodingKey {
            case credentialID = "credentialId"
            case relyingPartyIdentifier = "rpId"
            case userName = "username"
            case userDisplayName
            case userHandle
            case key
        }

        /// A passkey with all its members.
        public init(
            credentialID: Data,
            relyingPartyIdentifier: String,
            userName: String,
            userDisplayName: String,
            userHandle: Data,
            key: Data
        ) {
            self.credentialID = credentialID
            self.relyingPartyIdentifier = relyingPartyIdentifier
            self.userName = userName
            self.userDisplayName = userDisplayName
            self.userHandle = userHandle
            self.key = key
        }

        /// Never what it holds.
        public var description: String { "ASImportableCredential.Passkey(redacted)" }

        /// A mirror without children, so that `dump` and test failures show nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
