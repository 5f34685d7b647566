// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// The screen of an app for iOS on which its user asks for an upgrade. It compiles here as it does there.
class AccountSecurityViewController: UIViewController {
    var authToken = "token"
    var message: String?
    var sessionToken: String?
    var onEnd: (() -> Void)?

    func upgradeToStrongPassword() {
        let username = "jappleseed"
        let serviceIdentifier = ASCredentialServiceIdentifier(
            identifier: "myservice.example.com",
            type: .domain
        )

        let userInfo = ["com.example.authTokenKey": authToken]
        let upgradeRequest = ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest(
            user: username,
            serviceIdentifier: serviceIdentifier,
            userInfo: userInfo
        )

        let requestController = ASAccountAuthenticationModificationController()
        requestController.delegate = self
        requestController.presentationContextProvider = self
        requestController.perform(upgradeRequest)
    }

    func upgradeToSignInWithApple() {
        let upgradeRequest = ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest(
            user: "jappleseed",
            serviceIdentifier: ASCredentialServiceIdentifier(identifier: "myservice.example.com", type: .domain),
            userInfo: nil
        )
        let requestController = ASAccountAuthenticationModificationController()
        requestController.delegate = self
        requestController.presentationContextProvider = self
        requestController.perform(upgradeRequest)
    }
}

extension AccountSecurityViewController: ASAccountAuthenticationModificationControllerDelegate {
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
        userInfo: [AnyHashable: Any]?
    ) {
        sessionToken = userInfo?["com.example.sessionKey"] as? String
        message = "done"
        onEnd?()
    }

    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: Error
    ) {
        switch error {
        case ASExtensionError.userCanceled: message = "canceled"
        case ASExtensionError.failed:
            let error = error as? ASExtensionError
            message = error?.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String ?? "failed"
        default: message = "other"
        }
        onEnd?()
    }
}

extension AccountSecurityViewController: ASAccountAuthenticationModificationControllerPresentationContextProviding {
    func presentationAnchor(
        for controller: ASAccountAuthenticationModificationController
    ) -> ASPresentationAnchor {
        return self.view.window ?? ASPresentationAnchor()
    }
}

/// A delegate that leaves out what it does not need.
class QuietUpgradeDelegate: NSObject, ASAccountAuthenticationModificationControllerDelegate {}
