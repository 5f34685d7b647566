// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// The sign-in screen of Shiny: two fields and a button, and the system's passwords beside them.
///
/// Everything between `performRequests` and the two methods of the delegate is what the app has on iOS, too.
@MainActor
final class LoginScreen: NSObject {
    private let terminal: Terminal
    private var userName = ""
    private var password = ""
    private var filled: CheckedContinuation<Bool, Never>?

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func run() async {
        terminal.write("\nshiny.\n\n")
        guard let typed = terminal.line("Username (Return for AutoFill): ") else { return }
        userName = typed
        if typed.isEmpty, await offerAutoFill() {
            terminal.write("Username: \(Terminal.shown(userName))\n")
            terminal.write("Password: " + String(repeating: "•", count: password.count) + "\n")
        } else {
            if typed.isEmpty { userName = terminal.line("Username: ") ?? "" }
            password = terminal.secret("Password: ") ?? ""
        }
        // Nothing is sent by itself: logging in is the person's own act.
        guard !userName.isEmpty, !password.isEmpty, terminal.line("Log In (Return), or anything to leave: ") == ""
        else {
            return terminal.write("Good-bye.\n")
        }
        // Here an app would send both to its server.
        terminal.write("Logged in as \(Terminal.shown(userName)).\n")
    }

    /// Has the system offer what is saved for the app's associated domains; whether it filled the fields.
    private func offerAutoFill() async -> Bool {
        await withCheckedContinuation { continuation in
            filled = continuation
            let request = ASAuthorizationPasswordProvider().createRequest()
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            controller.presentationContextProvider = self
            controller.performRequests()
        }
    }
}

extension LoginScreen: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController,
        didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASPasswordCredential else {
            filled?.resume(returning: false)
            return
        }
        userName = credential.user
        password = credential.password
        filled?.resume(returning: true)
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        // Canceled, or nothing saved: the app is not to know which, and offers its fields.
        terminal.write("AutoFill: nothing was filled.\n")
        filled?.resume(returning: false)
    }
}

extension LoginScreen: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}
