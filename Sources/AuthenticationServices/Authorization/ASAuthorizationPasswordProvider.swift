// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Makes requests for a password that is saved for the app's associated domains.
///
/// Sendable unchecked: Apple's is an open class; nothing of this one changes once it is made.
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    /// A provider; all of them are the same.
    public override init() {
        super.init()
    }

    /// A request for one password.
    open func createRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordRequest(provider: self)
    }
}

/// A request for a password. It delivers an `ASPasswordCredential`, which the user chose, or that it was canceled.
///
/// Sendable unchecked: Apple's is an open class; it is set up before it is performed, and only read afterwards.
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest, @unchecked Sendable {
    override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    /// A request reads as one like it: there is nothing in it.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }
}
