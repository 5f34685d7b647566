// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Tells credential providers what an app knows of their credentials; `ASCredentialDataManager` has taken its place.
///
/// Latchkey does not carry such reports to providers yet, so every one throws `ASAuthorizationError.notHandled`.
public final class ASCredentialUpdater {
    /// An updater, which keeps nothing.
    public init() {}

    /// A user of a relying party has another name now. Throws `ASAuthorizationError.notHandled`.
    public nonisolated(nonsending) func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String,
        userHandle: Data,
        newName: String
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A relying party does not know a passkey any more. Throws `ASAuthorizationError.notHandled`.
    public nonisolated(nonsending) func reportUnknownPublicKeyCredential(
        relyingPartyIdentifier: String,
        credentialID: Data
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A relying party accepts these passkeys of a user and no others. Throws `ASAuthorizationError.notHandled`.
    public nonisolated(nonsending) func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }

    /// A user of a domain does not sign in with a password any more. Throws `ASAuthorizationError.notHandled`.
    public nonisolated(nonsending) func reportUnusedPasswordCredential(
        domain: String,
        userName: String
    ) async throws {
        throw ASAuthorizationError.updatesNotHandled
    }
}

extension ASAuthorizationError {
    /// What every report throws while nobody takes it up.
    static var updatesNotHandled: ASAuthorizationError {
        .missing(.notHandled, "Latchkey does not carry reports of apps to providers yet.")
    }
}
