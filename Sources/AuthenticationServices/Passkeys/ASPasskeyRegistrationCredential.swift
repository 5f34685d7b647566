// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A new passkey, as the relying party is told of it. It prints as nothing.
open class ASPasskeyRegistrationCredential: NSObject, ASAuthorizationCredential, CustomReflectable {
    /// The domain that WebAuthn calls the RP ID.
    open private(set) var relyingParty: String
    /// The SHA-256 of the client data.
    open private(set) var clientDataHash: Data
    /// The passkey's identifier.
    open private(set) var credentialID: Data
    /// WebAuthn's attestation object, which holds the public key.
    open private(set) var attestationObject: Data
    /// What was asked for beside the passkey.
    open var extensionOutput: ASPasskeyRegistrationCredentialExtensionOutput?

    /// A passkey with nothing beside it.
    public init(relyingParty: String, clientDataHash: Data, credentialID: Data, attestationObject: Data) {
        self.relyingParty = relyingParty
        self.clientDataHash = clientDataHash
        self.credentialID = credentialID
        self.attestationObject = attestationObject
        super.init()
    }

    /// A passkey with what was asked for beside it.
    public convenience init(
        relyingParty: String,
        clientDataHash: Data,
        credentialID: Data,
        attestationObject: Data,
        extensionOutput: ASPasskeyRegistrationCredentialExtensionOutput?
    ) {
        self.init(
            relyingParty: relyingParty,
            clientDataHash: clientDataHash,
            credentialID: credentialID,
            attestationObject: attestationObject
        )
        self.extensionOutput = extensionOutput
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let relyingParty = coder.text("relyingParty"), let clientDataHash = coder.bytes("clientDataHash"),
            let credentialID = coder.bytes("credentialID"), let attestation = coder.bytes("attestationObject")
        else { return nil }
        self.relyingParty = relyingParty
        self.clientDataHash = clientDataHash
        self.credentialID = credentialID
        attestationObject = attestation
        extensionOutput = coder.plain(PasskeyExtensionOutputArchive.self, "extensionOutput")?.registration
        super.init()
    }

    /// Writes every member, readable. Who archives a credential has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.write(relyingParty, "relyingParty")
        coder.write(clientDataHash, "clientDataHash")
        coder.write(credentialID, "credentialID")
        coder.write(attestationObject, "attestationObject")
        coder.write(plain: extensionOutput.map { PasskeyExtensionOutputArchive($0) }, "extensionOutput")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another passkey with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASPasskeyRegistrationCredential(
            relyingParty: relyingParty,
            clientDataHash: clientDataHash,
            credentialID: credentialID,
            attestationObject: attestationObject,
            extensionOutput: extensionOutput
        )
    }

    /// Says nothing about what it holds.
    open override var description: String { "ASPasskeyRegistrationCredential(redacted)" }

    /// Shows no members, so that `dump` and test failures show nothing.
    open var customMirror: Mirror { Mirror(self, children: []) }
}
