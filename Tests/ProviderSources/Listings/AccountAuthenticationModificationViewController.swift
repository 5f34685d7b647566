// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Listings stand here as they are printed.

import AuthenticationServices

// "Upgrading Account Security With an Account Authentication Modification Extension", with a server in the places of its comments.
// Each listing stands between two lines that name it.

// Listing 1 begins.
class AccountAuthenticationModificationViewController: ASAccountAuthenticationModificationViewController {
    override func changePasswordWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable : Any]?)
    {
        // Verify with your server that the user is authorized to
        // update the password.

        // Once confirmed, send the user data to your server.
        // Listing 1 goes on below.
        let token = userInfo?["com.example.authTokenKey"] as? String
        AccountServer.shared.send(existingCredential, token: token, newPassword: newPassword, code: nil) { answer in
            switch answer {
            case .changed: self.complete(existingCredential, newPassword)
            case .codeNeeded: self.askForInteraction()
            case .refused: self.failWithSentence()
            case .unreachable: self.fail()
            }
        }
    // Listing 1 ends.
    }

    private func complete(_ existingCredential: ASPasswordCredential, _ newPassword: String) {
        // Listing 2 begins.
let newCredential = ASPasswordCredential(
    user: existingCredential.user,
    password: newPassword
)
self.extensionContext.completeChangePasswordRequest(updatedCredential: newCredential)
        // Listing 2 ends.
    }

    private func fail() {
        // Listing 3 begins.
let error = ASExtensionError(.failed)
self.extensionContext.cancelRequest(withError: error)
        // Listing 3 ends.
    }

    private func failWithSentence() {
        // Listing 4 begins.
let error = ASExtensionError(.failed, userInfo: [
    ASExtensionLocalizedFailureReasonErrorKey: "Authentication failed."
])
self.extensionContext.cancelRequest(withError: error)
        // Listing 4 ends.
    }

    private func askForInteraction() {
        // Listing 6 begins.
let error = ASExtensionError(.userInteractionRequired)
self.extensionContext.cancelRequest(withError: error)
        // Listing 6 ends.
    }

    // The article describes this one and prints no code.
    override func prepareInterfaceToChangePassword(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable : Any]?
    ) {
        let code = TextField(label: "Code")
        view.addSubview(code)
        view.addSubview(
            ButtonView("Change Password", style: .default) { [weak self] in
                AccountServer.shared.send(existingCredential, token: nil, newPassword: newPassword, code: code.text) {
                    guard case .changed = $0 else { self?.failWithSentence(); return }
                    self?.complete(existingCredential, newPassword)
                }
            })
    }

    override func convertAccountToSignInWithAppleWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable : Any]?
    ) {
        convert()
    }

    private func convert() {
        // The listing leaves the two values out.
        let myState: String = UUID().uuidString
        let myNonce: String = UUID().uuidString

        // Listing 5 begins.
self.extensionContext.getSignInWithAppleUpgradeAuthorization(
    state: myState,
    nonce: myNonce
) { appleIDCredential, error in
    guard let appleIDCredential = appleIDCredential else {
        // Listing 5 goes on below: the article says in words what is done where the user has said no.
        if let error = error, case ASExtensionError.userCanceled = error {
            self.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
            return
        }
        // Listing 5 continues.
        self.extensionContext.cancelRequest(
            withError: ASExtensionError(.failed)
        )
        return
    }

    // Verify with your server that the user is authorized to
    // convert the account to Sign in with Apple.

    let userIdentifier = appleIDCredential.user
    let fullName = appleIDCredential.fullName
    let email = appleIDCredential.email
    // Once confirmed, send the user data to your server.
    // Listing 5 goes on below.
    AccountServer.shared.note([userIdentifier, fullName?.givenName ?? "", email ?? ""])

    // Listing 5 continues.
    self.extensionContext.completeUpgradeToSignInWithApple()
}
        // Listing 5 ends.
    }

    override func prepareInterfaceToConvertAccountToSignInWithApple(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable : Any]?
    ) {
        view.addSubview(ButtonView("Continue with Apple", style: .default) { [weak self] in self?.convert() })
    }

    override func cancelRequest() {
        AccountServer.shared.note(["canceled"])
        super.cancelRequest()
    }
}
