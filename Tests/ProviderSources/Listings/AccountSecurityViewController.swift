// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Listings stand here as they are printed.

import AuthenticationServices
import UIKit

/// The app's half of the same article.
class AccountSecurityViewController: UIViewController {
    private let authToken: String
    private var onEnd: ((String) -> Void)?

    init(authToken: String) {
        self.authToken = authToken
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func upgrade() {
        // Listing 7 begins.
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
        // Listing 7 ends.
    }

    func convert() {
        let username = "jappleseed"
        let serviceIdentifier = ASCredentialServiceIdentifier(identifier: "myservice.example.com", type: .domain)
        let userInfo = ["com.example.authTokenKey": authToken]
        // Listing 8 begins.
let upgradeRequest = ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest(
    user: username,
    serviceIdentifier: serviceIdentifier,
    userInfo: userInfo
)
        // Listing 8 ends.
        let requestController = ASAccountAuthenticationModificationController()
        requestController.delegate = self
        requestController.presentationContextProvider = self
        requestController.perform(upgradeRequest)
    }

    func ended(after begin: () -> Void) async -> String {
        await withCheckedContinuation { continuation in
            onEnd = { continuation.resume(returning: $0) }
            begin()
        }
    }
}

// Apple declares this protocol without an actor, so that in Swift 6 mode its methods cannot be a view controller's own.
extension AccountSecurityViewController: ASAccountAuthenticationModificationControllerDelegate {
    nonisolated func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
        userInfo: [AnyHashable : Any]?
    ) {
        end("It was changed.")
    }

    nonisolated func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: Error
    ) {
        let error = error as? ASExtensionError
        let reason = error?.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String
        end(error?.code == .userCanceled ? "Canceled." : reason ?? "It was not changed.")
    }

    private nonisolated func end(_ sentence: String) {
        MainActor.assumeIsolated { onEnd?(sentence) }
    }
}

extension AccountSecurityViewController: ASAccountAuthenticationModificationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAccountAuthenticationModificationController) -> ASPresentationAnchor {
        return self.view.window ?? ASPresentationAnchor()
    }
}
