// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// The extension of an app for iOS, as Apple's article on account upgrades has one written. It compiles here as it does there.
class AccountAuthenticationModificationViewController: ASAccountAuthenticationModificationViewController {
    var server: AccountServer!
    var didCleanUp = false

    // MARK: Automatic strong password upgrades

    override func changePasswordWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        // Verify with the server that the user is authorized to update the password, and send it the new one.
        let token = userInfo?["com.example.authTokenKey"] as? String
        server.changePassword(
            of: existingCredential.user, from: existingCredential.password, token: token, to: newPassword, code: nil
        ) { result in
            switch result {
            case .success(let accepted):
                let newCredential = ASPasswordCredential(
                    user: existingCredential.user,
                    password: accepted
                )
                self.extensionContext.completeChangePasswordRequest(updatedCredential: newCredential)
            case .failure(.secondFactorNeeded):
                let error = ASExtensionError(.userInteractionRequired)
                self.extensionContext.cancelRequest(withError: error)
            case .failure(.refused):
                let error = ASExtensionError(
                    .failed,
                    userInfo: [
                        ASExtensionLocalizedFailureReasonErrorKey: "Authentication failed."
                    ])
                self.extensionContext.cancelRequest(withError: error)
            case .failure(.unreachable):
                let error = ASExtensionError(.failed)
                self.extensionContext.cancelRequest(withError: error)
            }
        }
    }

    // MARK: Upgrades with additional security requirements

    override func prepareInterfaceToChangePassword(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        let code = TextField(label: "Code", placeholder: "123456")
        view.addSubview(MessageView("Enter the code that was sent to you."))
        view.addSubview(code)
        view.addSubview(
            ButtonView("Continue", style: .default) { [weak self] in
                self?.server.changePassword(
                    of: existingCredential.user, from: existingCredential.password, token: nil, to: newPassword,
                    code: code.text
                ) { result in
                    guard case .success(let accepted) = result else {
                        self?.extensionContext.cancelRequest(withError: ASExtensionError(.failed))
                        return
                    }
                    let newCredential = ASPasswordCredential(user: existingCredential.user, password: accepted)
                    self?.extensionContext.completeChangePasswordRequest(
                        updatedCredential: newCredential, userInfo: ["com.example.sessionKey": "session"])
                }
            })
    }

    override func cancelRequest() {
        didCleanUp = true
        super.cancelRequest()
    }

    // MARK: Automatic upgrades to Sign in with Apple

    override func convertAccountToSignInWithAppleWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]?
    ) {
        let myState: String = "state"
        let myNonce: String = "nonce"

        self.extensionContext.getSignInWithAppleUpgradeAuthorization(
            state: myState,
            nonce: myNonce
        ) { appleIDCredential, error in
            if let error = error, case ASExtensionError.userCanceled = error {
                self.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
                return
            }
            guard let appleIDCredential = appleIDCredential else {
                self.extensionContext.cancelRequest(
                    withError: ASExtensionError(.failed)
                )
                return
            }

            // Verify with your server that the user is authorized to convert the account to Sign in with Apple.

            let userIdentifier = appleIDCredential.user
            let fullName = appleIDCredential.fullName
            let email = appleIDCredential.email
            _ = (fullName, email)
            self.server.convertToSignInWithApple(
                user: userIdentifier, identityToken: appleIDCredential.identityToken
            ) { _ in
                self.extensionContext.completeUpgradeToSignInWithApple()
            }
        }
    }

    override func prepareInterfaceToConvertAccountToSignInWithApple(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]?
    ) {
        Task {
            do {
                let credential = try await extensionContext.requestSignInWithAppleUpgradeAuthorization(
                    state: nil, nonce: nil)
                server.convertToSignInWithApple(user: credential.user, identityToken: credential.identityToken) { _ in
                    self.extensionContext.completeUpgradeToSignInWithApple(userInfo: nil)
                }
            } catch {
                extensionContext.cancelRequest(withError: error)
            }
        }
    }
}
