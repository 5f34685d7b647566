// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
internal import Foundation

/// Where a request to change how an account signs in ends.
open class ASAccountAuthenticationModificationExtensionContext: NSExtensionContext {
    /// Asks the system for a credential; nothing in a request that is not about Sign in with Apple.
    var authorize: (@Sendable (_ state: String?, _ nonce: String?) async throws -> Modification.Authorize.Answer)?

    /// Asks for a credential of Sign in with Apple for the account that is converted.
    ///
    /// The system opens a window of the browser, in which the user signs in. The identity token that comes of it has been
    /// verified; the service verifies it again, and exchanges the authorization code. It can be asked once for each request.
    ///
    /// - Parameters:
    ///   - state: Comes back with the credential. One that was used before is refused.
    ///   - nonce: Stands in the identity token. One that was used before is refused.
    ///   - completionHandler: Called on the main actor: with a credential, with `ASExtensionError.userCanceled` where the user
    ///     said no or closed the window, or with `ASExtensionError.failed` for all the rest: no network, no browser, an answer
    ///     that is not believed, no request to convert an account.
    open func getSignInWithAppleUpgradeAuthorization(
        state: String?,
        nonce: String?,
        completionHandler: @escaping (ASAuthorizationAppleIDCredential?, (any Error)?) -> Void
    ) {
        guard let handler = Delivery(completionHandler) else { return }
        let request = AuthorizationRequest(self)
        Task {
            let result = await request.result(state, nonce)
            await MainActor.run {
                switch result {
                case .success(let credential): handler.call(credential, nil)
                case .failure(let error): handler.call(nil, error)
                }
            }
        }
    }

    /// Asks for a credential of Sign in with Apple for the account that is converted; throws as the other form does.
    open nonisolated(nonsending) func requestSignInWithAppleUpgradeAuthorization(
        state: String?,
        nonce: String?
    ) async throws -> ASAuthorizationAppleIDCredential {
        try await AuthorizationRequest(self).result(state, nonce).get()
    }

    /// Ends a request to convert an account: it signs in with Apple from now on, and the system removes its password.
    ///
    /// In a request that was given no credential of Sign in with Apple this is a failure.
    ///
    /// - Parameter userInfo: For the app, where the app asked. Values of property lists; with others in it nothing of it arrives.
    open func completeUpgradeToSignInWithApple(userInfo: [AnyHashable: Any]? = nil) {
        _ = finish(.converted(userInfo: userInfo.flatMap { UserInfoList($0)?.bytes }))
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

/// What is asked of the system for one request, and only while that has not ended.
private struct AuthorizationRequest: Sendable {
    private let ending: RequestEnding?
    private let authorize:
        (@Sendable (_ state: String?, _ nonce: String?) async throws -> Modification.Authorize.Answer)?

    init(_ context: ASAccountAuthenticationModificationExtensionContext) {
        ending = context.ending
        authorize = context.authorize
    }

    func result(
        _ state: String?, _ nonce: String?
    ) async -> Result<ASAuthorizationAppleIDCredential, ASExtensionError> {
        guard let authorize, let ending, ending.outcome == nil else { return .failure(ASExtensionError(.failed)) }
        do {
            return .success(ASAuthorizationAppleIDCredential(try await authorize(state, nonce)))
        } catch let error as WireError where error.code == .providerExtension(1) || error.code == .userCanceled {
            return .failure(ASExtensionError(.userCanceled))
        } catch {
            return .failure(ASExtensionError(.failed))
        }
    }
}
