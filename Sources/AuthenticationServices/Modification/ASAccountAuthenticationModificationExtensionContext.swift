// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Where a request to change how an account signs in ends.
open class ASAccountAuthenticationModificationExtensionContext: NSExtensionContext {
    /// Asks for a credential of Sign in with Apple for the account that is converted.
    ///
    /// Latchkey cannot reach Apple's servers for that yet: the handler is called with no credential and
    /// `ASExtensionError.failed`, as Apple says of a device that cannot reach them.
    ///
    /// - Parameter completionHandler: Called on the main actor.
    open func getSignInWithAppleUpgradeAuthorization(
        state: String?,
        nonce: String?,
        completionHandler: @escaping (ASAuthorizationAppleIDCredential?, (any Error)?) -> Void
    ) {
        guard let handler = Delivery(completionHandler) else { return }
        Task { @MainActor in handler.call(nil, ASExtensionError(.failed)) }
    }

    /// Asks for a credential of Sign in with Apple for the account that is converted; throws as the other form does.
    open nonisolated(nonsending) func requestSignInWithAppleUpgradeAuthorization(
        state: String?,
        nonce: String?
    ) async throws -> ASAuthorizationAppleIDCredential {
        throw ASExtensionError(.failed)
    }

    /// Ends a request to convert an account: it signs in with Apple from now on.
    ///
    /// The system does not make such requests yet, so whatever request this ends has failed.
    open func completeUpgradeToSignInWithApple(userInfo: [AnyHashable: Any]? = nil) {
        _ = finish(.failure(.providerFailed("It answered with an upgrade that nobody had asked for.")))
    }

    /// Ends a request to change a password: the service has the new one.
    ///
    /// - Parameters:
    ///   - updatedCredential: How the account signs in from now on. The password may be another one than was proposed.
    ///   - userInfo: For the app, where the app asked. Values of property lists; with others in it nothing of it arrives.
    open func completeChangePasswordRequest(
        updatedCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        _ = finish(
            .passwordChanged(
                user: updatedCredential.user,
                password: SecretBytes(utf8: updatedCredential.password),
                userInfo: userInfo.flatMap { UserInfoList($0)?.bytes }
            )
        )
    }

    /// Ends the request with an error in `ASExtensionErrorDomain`; one of another domain counts as `failed`.
    open override func cancelRequest(withError error: any Error) {
        super.cancelRequest(withError: error)
    }
}
