// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What SwiftUI's environment gives an app in place of an `ASCredentialDataManager`.
///
/// There is no SwiftUI here, so nobody is given one. What it would do is what `ASCredentialDataManager` does.
@MainActor
public struct CredentialDataManager: Sendable {
    /// Has a password saved, as `ASCredentialDataManager` does.
    public func save(password: ASPasswordCredential, for scope: ASAutoFillURLScope, title: String?) async throws {
        try await ASCredentialDataManager().save(password: password, for: scope, title: title, anchor: UIWindow())
    }

    /// A user of a relying party has another name now. Throws `ASAuthorizationError.notHandled`.
    public func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String,
        userHandle: Data,
        newName: String
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A relying party does not know a passkey any more. Throws `ASAuthorizationError.notHandled`.
    public func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String,
        credentialID: Data
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A relying party accepts these passkeys of a user and no others. Throws `ASAuthorizationError.notHandled`.
    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A user of a domain does not sign in with a password any more. Throws `ASAuthorizationError.notHandled`.
    public func reportUnusedPasswordCredential(
        domain: String,
        userName: String
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }
}
