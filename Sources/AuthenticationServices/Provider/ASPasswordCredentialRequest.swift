// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for a password.
open class ASPasswordCredentialRequest: NSObject, ASCredentialRequest {
    private let identity: ASPasswordCredentialIdentity

    /// A request for the password of an identity.
    public init(credentialIdentity: ASPasswordCredentialIdentity) {
        identity = credentialIdentity
        super.init()
    }

    /// Always `password`.
    open var type: ASCredentialRequestType { .password }
    /// An `ASPasswordCredentialIdentity`.
    open var credentialIdentity: any ASCredentialIdentity { identity }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let identity = coder.member(ASPasswordCredentialIdentity.self, "credentialIdentity") else { return nil }
        self.identity = identity
        super.init()
    }

    /// Writes the identity.
    open func encode(with coder: NSCoder) {
        coder.encode(identity, forKey: "credentialIdentity")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another request for the password of the same identity, whose rank can be changed on its own.
    open func copy(with zone: NSZone? = nil) -> Any {
        (identity.copy() as? ASPasswordCredentialIdentity).map {
            ASPasswordCredentialRequest(credentialIdentity: $0)
        } ?? self
    }
}
