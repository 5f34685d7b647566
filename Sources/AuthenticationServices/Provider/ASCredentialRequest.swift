// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request for a credential of some type.
public protocol ASCredentialRequest: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// What is asked for.
    var type: ASCredentialRequestType { get }
    /// Which credential is asked for.
    var credentialIdentity: any ASCredentialIdentity { get }
}

/// What a request asks for; the raw values are Apple's.
@nonexhaustive(warn)
public enum ASCredentialRequestType: Int, Sendable {
    /// A password.
    case password = 0
    /// A signature of a passkey.
    case passkeyAssertion = 1
    /// A new passkey.
    case passkeyRegistration = 2
    /// A one-time code.
    case oneTimeCode = 3
}
