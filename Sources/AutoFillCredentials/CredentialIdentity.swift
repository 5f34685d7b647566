// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Metadata of one credential, without its secret; private all the same.
public struct CredentialIdentity: Hashable, Sendable {
    public var type: CredentialType
    public var service: ServiceIdentifier
    public var user: String
    /// The provider's own opaque key for the credential.
    public var recordIdentifier: String?
    /// Higher ranks are offered first.
    public var rank: Int
    /// Whether only the very host that it was saved for may have it, no other of its site.
    public var isStrict: Bool
    /// Of a one-time code: for how many seconds each code is the current one; nothing where the provider does not say.
    public var period: Int?
    /// Of a passkey: its identifier, in base64.
    public var credentialID: String?
    /// Of a passkey: the relying party's own name for the user, in base64.
    public var userHandle: String?

    public init(
        type: CredentialType, service: ServiceIdentifier, user: String, recordIdentifier: String?, rank: Int = 0,
        isStrict: Bool = false, period: Int? = nil, credentialID: String? = nil, userHandle: String? = nil
    ) {
        self.type = type
        self.service = service
        self.user = user
        self.recordIdentifier = recordIdentifier
        self.rank = rank
        self.isStrict = isStrict
        self.period = period
        self.credentialID = credentialID
        self.userHandle = userHandle
    }

    /// The members that tell two identities apart; saving an identity replaces the one with the same key.
    public struct Key: Hashable, Sendable {
        public let type: CredentialType
        public let service: ServiceIdentifier
        public let user: String
        public let recordIdentifier: String?
        public let credentialID: String?
    }

    public var key: Key {
        Key(
            type: type, service: service, user: user, recordIdentifier: recordIdentifier, credentialID: credentialID)
    }
}
