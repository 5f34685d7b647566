// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AuthenticationServices
@testable import SignInApp

/// The sign-in screen of an app for iOS, as it stands there.
@MainActor
@Suite struct SignInTests {
    @Test func passwordFillsTheScreen() {
        let screen = LoginViewController()
        let request = ASAuthorizationPasswordProvider().createRequest()
        let controller = ASAuthorizationController(authorizationRequests: [request])
        screen.authorizationController(
            controller: controller,
            didCompleteWithAuthorization: ASAuthorization(
                provider: request.provider,
                credential: ASPasswordCredential(user: "rmondello", password: "correct horse")))
        #expect(screen.userName == "rmondello")
        #expect(screen.password == "correct horse")
        #expect(request.provider is ASAuthorizationPasswordProvider)
    }

    @Test(arguments: [
        (ASAuthorizationError.Code.canceled, "canceled"), (.notHandled, "failed"), (.failed, "failed"),
        (.unknown, "other"),
    ])
    func errorsAreToldApartAsOnIOS(code: ASAuthorizationError.Code, message: String) {
        let screen = LoginViewController()
        let controller = ASAuthorizationController(authorizationRequests: [])
        screen.authorizationController(controller: controller, didCompleteWithError: ASAuthorizationError(code))
        #expect(screen.message == message)
    }

    @Test func delegateMayLeaveOutBoth() {
        let delegate = QuietDelegate()
        let controller = ASAuthorizationController(authorizationRequests: [])
        delegate.authorizationController(controller: controller, didCompleteWithError: ASAuthorizationError(.canceled))
        #expect(controller.delegate == nil)
    }

    @Test func nobodyIsSignedInWithApple() async throws {
        #expect(try await LoginViewController().checkCredentialState(of: "u") == false)
    }

    @Test func anchorIsTheWindowWhereThereIsOne() {
        let screen = LoginViewController()
        let window = UIWindow()
        window.addSubview(screen.view)
        let controller = ASAuthorizationController(authorizationRequests: [])
        #expect(screen.presentationAnchor(for: controller) === window)
        #expect(UIView().window == nil)
    }
}
