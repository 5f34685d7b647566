// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for a one-time code.
open class ASOneTimeCodeCredentialRequest: NSObject, ASCredentialRequest {
    private let identity: ASOneTimeCodeCredentialIdentity

    /// A request for a code of an identity.
    public init(credentialIdentity: ASOneTimeCodeCredentialIdentity) {
        identity = credentialIdentity
        super.init()
    }

    /// Always `oneTimeCode`.
    open var type: ASCredentialRequestType { .oneTimeCode }
    /// An `ASOneTimeCodeCredentialIdentity`.
    open var credentialIdentity: any ASCredentialIdentity { identity }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let identity = coder.member(ASOneTimeCodeCredentialIdentity.self, "credentialIdentity") else {
            return nil
        }
        self.identity = identity
        super.init()
    }

    /// Writes the identity.
    open func encode(with coder: NSCoder) {
        coder.encode(identity, forKey: "credentialIdentity")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another request for the code of the same identity.
    open func copy(with zone: NSZone? = nil) -> Any {
        (identity.copy() as? ASOneTimeCodeCredentialIdentity).map {
            ASOneTimeCodeCredentialRequest(credentialIdentity: $0)
        } ?? self
    }
}
