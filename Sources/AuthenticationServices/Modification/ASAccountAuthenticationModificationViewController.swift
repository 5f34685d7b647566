// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The principal object of an account authentication modification extension: an app's own way to change how its accounts sign in.
///
/// One controller serves one request. The system makes it, gives it its context by `beginRequest(with:)`, and calls the method
/// for the request; where that asks for interaction, another controller is made and its view is presented. By default each
/// method cancels its request with `failed`.
@preconcurrency @MainActor
open class ASAccountAuthenticationModificationViewController: UIViewController {
    private lazy var detachedContext = ASAccountAuthenticationModificationExtensionContext()

    /// Where the request ends. Outside of a request it is a context in which everything has expired.
    open override var extensionContext: ASAccountAuthenticationModificationExtensionContext {
        requestContext as? ASAccountAuthenticationModificationExtensionContext ?? detachedContext
    }

    // MARK: Sign in with Apple

    /// Converts an account to Sign in with Apple, nothing of the extension's being on the screen.
    ///
    /// Make sure that the user may do it, ask the context for a credential, have the service take it, and complete the request; or
    /// cancel it: with `userInteractionRequired` to be shown on the screen, with `userCanceled` where the credential was refused
    /// with that, with `failed` otherwise. The system removes the password when the request is completed, and not before.
    ///
    /// - Parameters:
    ///   - serviceIdentifier: What the account belongs to.
    ///   - existingCredential: How it signs in now; without a password where the app asked.
    ///   - userInfo: What the app gave along; `nil` where the system asked.
    open func convertAccountToSignInWithAppleWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        refuse("This app does not convert accounts to Sign in with Apple.")
    }

    /// Prepares the interface in which an account is converted to Sign in with Apple, for the same values as before.
    open func prepareInterfaceToConvertAccountToSignInWithApple(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        refuse("This app does not convert accounts to Sign in with Apple.")
    }

    // MARK: Strong passwords

    /// Changes the password of an account at its service, nothing being on the screen.
    ///
    /// Complete the request when the service has the new password, or cancel it: with `userInteractionRequired` to be shown on
    /// the screen, with `failed` otherwise. The system keeps the new password from before this is called, so that none is lost
    /// whatever happens.
    ///
    /// - Parameters:
    ///   - serviceIdentifier: What the account belongs to.
    ///   - existingCredential: How it signs in now; without a password where the app asked.
    ///   - newPassword: Made by the extension's own rules; another one may be set instead.
    ///   - userInfo: What the app gave along; `nil` where the system asked.
    open func changePasswordWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        refuse("This app does not change passwords.")
    }

    /// Prepares the interface in which the password of an account is changed, for the same values as before.
    open func prepareInterfaceToChangePassword(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]? = nil
    ) {
        refuse("This app does not change passwords.")
    }

    /// The user pressed the Cancel that the system draws, or the time is up. An override cleans up, and calls `super`.
    open func cancelRequest() {
        extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
    }

    private func refuse(_ sentence: String) {
        let reason = [ASExtensionLocalizedFailureReasonErrorKey: sentence]
        extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
    }
}
