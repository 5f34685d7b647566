// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for a signature of a passkey, or for a new passkey; `type` says which.
///
/// The system does not make such requests yet. What is made here with an input of one kind is a request of that kind;
/// without one it is a request for a signature.
open class ASPasskeyCredentialRequest: NSObject, ASCredentialRequest {
    /// The SHA-256 of the client data, which is to be signed.
    open private(set) var clientDataHash: Data
    /// How much the relying party wants the user to be verified.
    open var userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference
    /// What the relying party can verify signatures of, its favourite first.
    open private(set) var supportedAlgorithms: [ASCOSEAlgorithmIdentifier]
    /// Passkeys next to which no new one may be made.
    open private(set) var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?
    /// What the relying party asks for beside the passkey.
    open private(set) var extensionInput: ASPasskeyCredentialExtensionInput
    /// Whether a signature or a new passkey is asked for.
    open private(set) var type: ASCredentialRequestType
    private let identity: ASPasskeyCredentialIdentity

    init(
        _ type: ASCredentialRequestType,
        _ identity: ASPasskeyCredentialIdentity,
        _ clientDataHash: Data,
        _ preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        _ algorithms: [ASCOSEAlgorithmIdentifier],
        _ input: ASPasskeyCredentialExtensionInput = .none,
        excluding excluded: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]? = nil
    ) {
        self.type = type
        self.identity = identity
        self.clientDataHash = clientDataHash
        userVerificationPreference = preference
        supportedAlgorithms = algorithms
        extensionInput = input
        excludedCredentials = excluded
        super.init()
    }

    /// A request for a signature.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity,
        clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier]
    ) {
        self.init(
            .passkeyAssertion, credentialIdentity, clientDataHash, userVerificationPreference, supportedAlgorithms)
    }

    /// A request for a signature, with algorithms by their numbers.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity,
        clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [NSNumber]
    ) {
        let algorithms = supportedAlgorithms.map { ASCOSEAlgorithmIdentifier($0.intValue) }
        self.init(.passkeyAssertion, credentialIdentity, clientDataHash, userVerificationPreference, algorithms)
    }

    /// A request for a new passkey, with what is asked for beside it.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity,
        clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier],
        extensionInput: ASPasskeyRegistrationCredentialExtensionInput?
    ) {
        self.init(
            .passkeyRegistration, credentialIdentity, clientDataHash, userVerificationPreference, supportedAlgorithms,
            extensionInput.map { .registration($0) } ?? .none)
    }

    /// A request for a signature, with what is asked for beside it.
    public convenience init(
        credentialIdentity: ASPasskeyCredentialIdentity,
        clientDataHash: Data,
        userVerificationPreference: ASAuthorizationPublicKeyCredentialUserVerificationPreference,
        supportedAlgorithms: [ASCOSEAlgorithmIdentifier],
        extensionInput: ASPasskeyAssertionCredentialExtensionInput?
    ) {
        self.init(
            .passkeyAssertion, credentialIdentity, clientDataHash, userVerificationPreference, supportedAlgorithms,
            extensionInput.map { .assertion($0) } ?? .none)
    }

    /// An `ASPasskeyCredentialIdentity`.
    open var credentialIdentity: any ASCredentialIdentity { identity }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let type = coder.integer("type").flatMap(ASCredentialRequestType.init),
            type == .passkeyAssertion || type == .passkeyRegistration,
            let identity = coder.member(ASPasskeyCredentialIdentity.self, "credentialIdentity"),
            let hash = coder.bytes("clientDataHash"), let preference = coder.text("userVerificationPreference"),
            let algorithms = coder.plain([Int].self, "supportedAlgorithms")
        else { return nil }
        self.type = type
        self.identity = identity
        clientDataHash = hash
        userVerificationPreference = .init(preference)
        supportedAlgorithms = algorithms.map { .init($0) }
        excludedCredentials = coder.plain([Data].self, "excludedCredentials")?.map { .init(credentialID: $0) }
        extensionInput =
            switch (type, coder.plain(PasskeyExtensionInputArchive.self, "extensionInput")) {
            case (_, nil): .none
            case (.passkeyRegistration, let input?): .registration(input.registration)
            case (_, let input?): .assertion(input.assertion)
            }
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(identity, forKey: "credentialIdentity")
        coder.write(clientDataHash, "clientDataHash")
        coder.write(userVerificationPreference.rawValue, "userVerificationPreference")
        coder.write(plain: supportedAlgorithms.map(\.rawValue), "supportedAlgorithms")
        coder.write(plain: excludedCredentials?.map(\.credentialID), "excludedCredentials")
        switch extensionInput {
        case .none: break
        case .assertion(let input): coder.write(plain: PasskeyExtensionInputArchive(input), "extensionInput")
        case .registration(let input): coder.write(plain: PasskeyExtensionInputArchive(input), "extensionInput")
        }
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another request with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        ASPasskeyCredentialRequest(
            type, identity.copy() as? ASPasskeyCredentialIdentity ?? identity, clientDataHash,
            userVerificationPreference, supportedAlgorithms, extensionInput,
            excluding: excludedCredentials)
    }
}
