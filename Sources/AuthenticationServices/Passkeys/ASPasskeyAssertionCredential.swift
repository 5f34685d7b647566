// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A signature of a passkey. It prints as nothing.
open class ASPasskeyAssertionCredential: NSObject, ASAuthorizationCredential, CustomReflectable {
    /// The relying party's own name for the user.
    open private(set) var userHandle: Data
    /// The domain that WebAuthn calls the RP ID.
    open private(set) var relyingParty: String
    /// The signature over authenticator data and client data's hash.
    open private(set) var signature: Data
    /// The SHA-256 of the client data.
    open private(set) var clientDataHash: Data
    /// WebAuthn's authenticator data.
    open private(set) var authenticatorData: Data
    /// The passkey's identifier.
    open private(set) var credentialID: Data
    /// What was asked for beside the signature.
    open var extensionOutput: ASPasskeyAssertionCredentialExtensionOutput?

    /// A signature with nothing beside it.
    public init(
        userHandle: Data,
        relyingParty: String,
        signature: Data,
        clientDataHash: Data,
        authenticatorData: Data,
        credentialID: Data
    ) {
        self.userHandle = userHandle
        self.relyingParty = relyingParty
        self.signature = signature
        self.clientDataHash = clientDataHash
        self.authenticatorData = authenticatorData
        self.credentialID = credentialID
        super.init()
    }

    /// A signature with what was asked for beside it.
    public convenience init(
        userHandle: Data,
        relyingParty: String,
        signature: Data,
        clientDataHash: Data,
        authenticatorData: Data,
        credentialID: Data,
        extensionOutput: ASPasskeyAssertionCredentialExtensionOutput?
    ) {
        self.init(
            userHandle: userHandle,
            relyingParty: relyingParty,
            signature: signature,
            clientDataHash: clientDataHash,
            authenticatorData: authenticatorData,
            credentialID: credentialID
        )
        self.extensionOutput = extensionOutput
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let userHandle = coder.bytes("userHandle"), let relyingParty = coder.text("relyingParty"),
            let signature = coder.bytes("signature"), let clientDataHash = coder.bytes("clientDataHash"),
            let authenticatorData = coder.bytes("authenticatorData"), let credentialID = coder.bytes("credentialID")
        else { return nil }
        self.userHandle = userHandle
        self.relyingParty = relyingParty
        self.signature = signature
        self.clientDataHash = clientDataHash
        self.authenticatorData = authenticatorData
        self.credentialID = credentialID
        extensionOutput = coder.plain(PasskeyExtensionOutputArchive.self, "extensionOutput")?.assertion
        super.init()
    }

    /// Writes every member, readable. Who archives a credential has to seal the archive.
    open func encode(with coder: NSCoder) {
        coder.write(userHandle, "userHandle")
        coder.write(relyingParty, "relyingParty")
        coder.write(signature, "signature")
        coder.write(clientDataHash, "clientDataHash")
        coder.write(authenticatorData, "authenticatorData")
        coder.write(credentialID, "credentialID")
        coder.write(plain: extensionOutput.map { PasskeyExtensionOutputArchive($0) }, "extensionOutput")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another signature with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASPasskeyAssertionCredential(
            userHandle: userHandle,
            relyingParty: relyingParty,
            signature: signature,
            clientDataHash: clientDataHash,
            authenticatorData: authenticatorData,
            credentialID: credentialID,
            extensionOutput: extensionOutput
        )
    }

    /// Says nothing about what it holds.
    open override var description: String { "ASPasskeyAssertionCredential(redacted)" }

    /// Shows no members, so that `dump` and test failures show nothing.
    open var customMirror: Mirror { Mirror(self, children: []) }
}
