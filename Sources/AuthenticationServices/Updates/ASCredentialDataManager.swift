// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
public import Foundation

/// Tells credential providers what an app knows of their credentials, and asks to save a password.
///
/// Latchkey saves, and does not carry reports to providers yet: these throw `ASAuthorizationError.notHandled`.
public final class ASCredentialDataManager {
    private let connection: AuthorizationConnection

    /// A way to the providers, which keeps nothing.
    public convenience init() {
        self.init(connection: .shared)
    }

    init(connection: AuthorizationConnection) {
        self.connection = connection
    }

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

    /// Has a password saved that the user has just made, or given the app.
    ///
    /// The system asks the user, in a place of its own, which provider is to save it, or whether it may replace another one. What
    /// is saved already the app does not learn. The scope has to be one of the app's associated domains, over https at its own
    /// port; its path does not count.
    ///
    /// - Parameter anchor: Without meaning here: the system has a place of its own to ask.
    /// - Throws: `ASAuthorizationError`: `notHandled` for a scope, user name or password that could be saved for nobody, `canceled`
    ///   for all else that an app is not to tell apart: the user said no, the site has not confirmed the app, nobody can be asked.
    public nonisolated(nonsending) func save(
        password: ASPasswordCredential,
        for scope: ASAutoFillURLScope,
        title: String? = nil,
        anchor: ASPresentationAnchor
    ) async throws {
        guard let url = scope.url else { throw ASAuthorizationError(.notHandled) }
        do {
            try await connection.savePassword(
                WireSecret(SecretBytes(utf8: password.password)), user: password.user, url: url.absoluteString,
                title: title)
        } catch {
            throw ASAuthorizationError(asking: error)
        }
    }
}
