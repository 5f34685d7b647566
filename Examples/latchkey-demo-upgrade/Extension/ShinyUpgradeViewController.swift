// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

/// Changes passwords of Shiny's accounts: at once where the server takes it, with a code where it wants one.
final class ShinyUpgradeViewController: ASAccountAuthenticationModificationViewController {
    private var running: Task<Void, Never>?

    override func changePasswordWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        send(Self.change(existingCredential, newPassword, userInfo)) { controller in
            controller.extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
    }

    override func prepareInterfaceToChangePassword(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        let change = Self.change(existingCredential, newPassword, userInfo)
        let message = MessageView("Shiny has sent you a code.")
        let code = TextField(label: "Code")
        view.addSubview(message)
        view.addSubview(code)
        view.addSubview(
            ButtonView("Change Password", style: .default) { [weak self] in
                var change = change
                change.code = code.text
                self?.send(change) { _ in message.text = "That is not the code." }
            })
    }

    override func cancelRequest() {
        running?.cancel()
        super.cancelRequest()
    }

    private static func change(
        _ credential: ASPasswordCredential, _ newPassword: String, _ userInfo: [AnyHashable: Any]?
    ) -> ShinyService.Change {
        // Where the app asks there is no password, and a token of the session instead.
        .init(
            user: credential.user, password: credential.password.isEmpty ? nil : credential.password,
            token: userInfo?["com.example.Shiny.token"] as? String, newPassword: newPassword)
    }

    private func send(
        _ change: ShinyService.Change, codeNeeded: @escaping @MainActor (ShinyUpgradeViewController) -> Void
    ) {
        running = Task {
            guard let service = ShinyService() else { return fail("Shiny does not know where its server is.") }
            switch await service.send(change) {
            case .changed(let password, let session):
                extensionContext.completeChangePasswordRequest(
                    updatedCredential: ASPasswordCredential(user: change.user, password: password),
                    userInfo: session.map { ["com.example.Shiny.session": $0] })
            case .codeNeeded: codeNeeded(self)
            case .refused(let reason): fail(reason)
            case .unreachable: fail("Shiny cannot be reached.")
            }
        }
    }

    private func fail(_ sentence: String) {
        let reason = [ASExtensionLocalizedFailureReasonErrorKey: sentence]
        extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
    }
}
