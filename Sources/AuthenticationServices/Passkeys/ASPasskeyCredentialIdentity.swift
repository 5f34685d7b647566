// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The identity of a passkey.
///
/// The identity store keeps it; no passkey is offered yet.
open class ASPasskeyCredentialIdentity: NSObject, NSCopying, NSSecureCoding, ASCredentialIdentity {
    /// The domain that WebAuthn calls the RP ID.
    open private(set) var relyingPartyIdentifier: String
    /// Whom the passkey belongs to, for people.
    open private(set) var userName: String
    /// The passkey's identifier.
    open private(set) var credentialID: Data
    /// The relying party's own name for the user.
    open private(set) var userHandle: Data
    /// The provider's own key for the passkey.
    open private(set) var recordIdentifier: String?
    /// A higher rank is suggested before a lower one.
    open var rank = 0

    private init(_ relyingParty: String, _ userName: String, _ credential: Data, _ handle: Data, _ record: String?) {
        relyingPartyIdentifier = relyingParty
        self.userName = userName
        credentialID = credential
        userHandle = handle
        recordIdentifier = record
        super.init()
    }

    /// An identity of rank 0.
    public convenience init(
        relyingPartyIdentifier: String,
        userName: String,
        credentialID: Data,
        userHandle: Data,
        recordIdentifier: String? = nil
    ) {
        self.init(relyingPartyIdentifier, userName, credentialID, userHandle, recordIdentifier)
    }

    /// The same as `userName`.
    open var user: String { userName }
    /// The relying party's domain.
    open var serviceIdentifier: ASCredentialServiceIdentifier {
        ASCredentialServiceIdentifier(identifier: relyingPartyIdentifier, type: .domain)
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.text("relyingPartyIdentifier"), let userName = coder.text("userName"),
            let credential = coder.bytes("credentialID"), let handle = coder.bytes("userHandle")
        else { return nil }
        relyingPartyIdentifier = relyingParty
        self.userName = userName
        credentialID = credential
        userHandle = handle
        recordIdentifier = coder.text("recordIdentifier")
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.write(relyingPartyIdentifier, "relyingPartyIdentifier")
        coder.write(userName, "userName")
        coder.write(credentialID, "credentialID")
        coder.write(userHandle, "userHandle")
        coder.write(recordIdentifier, "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another identity with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier,
            userName,
            credentialID,
            userHandle,
            recordIdentifier
        )
        copy.rank = rank
        return copy
    }
}
