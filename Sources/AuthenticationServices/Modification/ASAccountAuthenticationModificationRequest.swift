// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What an app asks to be changed about an account.
open class ASAccountAuthenticationModificationRequest: NSObject {}

/// Asks that an account signs in with Apple instead of a password.
open class ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest:
    ASAccountAuthenticationModificationRequest
{
    /// The account.
    open private(set) var user: String
    /// What it belongs to.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// What the extension gets along: values of property lists. It gets no existing password from the system.
    open private(set) var userInfo: [AnyHashable: Any]?

    /// A request for one account.
    public init(
        user: String,
        serviceIdentifier: ASCredentialServiceIdentifier,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        self.user = user
        self.serviceIdentifier = serviceIdentifier
        self.userInfo = userInfo
        super.init()
    }
}

/// Asks that the password of an account becomes a strong one.
open class ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest:
    ASAccountAuthenticationModificationRequest
{
    /// The account.
    open private(set) var user: String
    /// What it belongs to.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// What the extension gets along: values of property lists. It gets no existing password from the system.
    open private(set) var userInfo: [AnyHashable: Any]?

    /// A request for one account.
    public init(
        user: String,
        serviceIdentifier: ASCredentialServiceIdentifier,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        self.user = user
        self.serviceIdentifier = serviceIdentifier
        self.userInfo = userInfo
        super.init()
    }
}
