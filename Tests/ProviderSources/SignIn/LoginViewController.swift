// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// A sign-in screen as apps for iOS have it: existing accounts first, then what the user types. It compiles here as it does
/// there.
class LoginViewController: UIViewController {
    var userName: String?
    var password: String?
    var message: String?
    var onEnd: (() -> Void)?

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        performExistingAccountSetupFlows()
    }

    /// Offers what is saved already.
    func performExistingAccountSetupFlows() {
        let appleIDRequest = ASAuthorizationAppleIDProvider().createRequest()
        appleIDRequest.requestedScopes = [.fullName, .email]
        let requests = [appleIDRequest, ASAuthorizationPasswordProvider().createRequest()]

        let authorizationController = ASAuthorizationController(authorizationRequests: requests)
        authorizationController.delegate = self
        authorizationController.presentationContextProvider = self
        if #available(iOS 16.0, *) {
            authorizationController.performRequests(options: .preferImmediatelyAvailableCredentials)
        } else {
            authorizationController.performRequests()
        }
    }

    /// Offers a password, nothing else.
    func signInWithPassword() -> ASAuthorizationController {
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationPasswordProvider().createRequest()])
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.performRequests()
        return controller
    }

    /// Whether the person is still signed in, as an app asks at its start.
    func checkCredentialState(of user: String) async throws -> Bool {
        switch try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user) {
        case .authorized: return true
        case .revoked, .notFound, .transferred: return false
        @unknown default: return false
        }
    }
}

extension LoginViewController: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        switch authorization.credential {
        case let appleIDCredential as ASAuthorizationAppleIDCredential:
            message = [appleIDCredential.fullName?.givenName, appleIDCredential.email].compactMap { $0 }.joined()
        case let passwordCredential as ASPasswordCredential:
            userName = passwordCredential.user
            password = passwordCredential.password
        default:
            break
        }
        onEnd?()
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        switch error {
        case ASAuthorizationError.canceled: message = "canceled"
        case ASAuthorizationError.notHandled, ASAuthorizationError.failed: message = "failed"
        default: message = (error as NSError).domain == ASAuthorizationErrorDomain ? "other" : "unknown"
        }
        onEnd?()
    }
}

extension LoginViewController: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        return self.view.window ?? ASPresentationAnchor()
    }
}

/// A delegate that leaves out what it does not need.
class QuietDelegate: NSObject, ASAuthorizationControllerDelegate {}
