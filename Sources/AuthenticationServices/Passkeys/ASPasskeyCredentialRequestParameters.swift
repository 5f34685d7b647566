// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a relying party asks of passkeys while a list is shown. Only the system makes these, and it does not yet.
///
/// Sendable unchecked: nothing in it changes.
open class ASPasskeyCredentialRequestParameters: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The domain that WebAuthn calls the RP ID.
    open private(set) var relyingPartyIdentifier: String
    /// The SHA-256 of the client data, which is to be signed.
    open private(set) var clientDataHash: Data
    /// How much the relying party wants the user to be verified.
    open private(set) var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference
    /// Identifiers of the passkeys that may answer; every one may where there are none.
    open private(set) var allowedCredentials: [Data]
    /// What the relying party asks for beside the signature.
    open private(set) var extensionInput: ASPasskeyAssertionCredentialExtensionInput?

    init(
        relyingPartyIdentifier: String,
        clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        allowedCredentials: [Data],
        extensionInput: ASPasskeyAssertionCredentialExtensionInput? = nil
    ) {
        self.relyingPartyIdentifier = relyingPartyIdentifier
        self.clientDataHash = clientDataHash
        self.userVerificationPreference = userVerificationPreference
        self.allowedCredentials = allowedCredentials
        self.extensionInput = extensionInput
        super.init()
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.text("relyingPartyIdentifier"), let hash = coder.bytes("clientDataHash"),
            let preference = coder.text("userVerificationPreference"),
            let allowed = coder.plain([Data].self, "allowedCredentials")
        else { return nil }
        relyingPartyIdentifier = relyingParty
        clientDataHash = hash
        userVerificationPreference = .init(preference)
        allowedCredentials = allowed
        extensionInput = coder.plain(PasskeyExtensionInputArchive.self, "extensionInput")?.assertion
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.write(relyingPartyIdentifier, "relyingPartyIdentifier")
        coder.write(clientDataHash, "clientDataHash")
        coder.write(userVerificationPreference.rawValue, "userVerificationPreference")
        coder.write(plain: allowedCredentials, "allowedCredentials")
        coder.write(plain: extensionInput.map { PasskeyExtensionInputArchive($0) }, "extensionInput")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
