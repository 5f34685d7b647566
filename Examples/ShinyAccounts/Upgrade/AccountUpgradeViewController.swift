// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation
import ShinyClient

/// Shiny's way to change how its accounts sign in, as it is on iOS: without a word where the service wants no more than the password,
/// and with one field where it wants the code of an authenticator too.
final class AccountUpgradeViewController: ASAccountAuthenticationModificationViewController {
    /// What the app puts into `userInfo`, so that the extension needs no password.
    nonisolated static let tokenKey = "com.example.shiny.token"

    private let service = ShinyClient()
    private var work: Task<Void, Never>?

    // MARK: Strong passwords

    override func changePasswordWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        change(proof(existingCredential, userInfo), to: newPassword, screen: nil)
    }

    override func prepareInterfaceToChangePassword(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        newPassword: String,
        userInfo: [AnyHashable: Any]?
    ) {
        let proof = proof(existingCredential, userInfo)
        let screen = CodeScreen(user: proof.user)
        screen.onContinue = { [weak self] code in
            self?.change(proof.with(code: code), to: newPassword, screen: screen)
        }
        screen.add(to: view)
    }

    private func change(_ proof: Proof, to newPassword: String, screen: CodeScreen?) {
        perform(screen) { controller in
            try await controller.service.changePassword(proof, to: newPassword)
            let newCredential = ASPasswordCredential(user: proof.user, password: newPassword)
            controller.extensionContext.completeChangePasswordRequest(updatedCredential: newCredential)
        }
    }

    // MARK: Sign in with Apple

    override func convertAccountToSignInWithAppleWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]?
    ) {
        convert(proof(existingCredential, userInfo), screen: nil)
    }

    override func prepareInterfaceToConvertAccountToSignInWithApple(
        for serviceIdentifier: ASCredentialServiceIdentifier,
        existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]?
    ) {
        let proof = proof(existingCredential, userInfo)
        let screen = CodeScreen(user: proof.user)
        screen.onContinue = { [weak self] code in self?.convert(proof.with(code: code), screen: screen) }
        screen.add(to: view)
    }

    private func convert(_ proof: Proof, screen: CodeScreen?) {
        perform(screen) { controller in
            // The service first: nobody is to sign in with Apple for an account that is not theirs.
            let token = try await controller.service.signIn(proof)
            let (state, nonce) = (UUID().uuidString, UUID().uuidString)
            let credential = try await controller.extensionContext.requestSignInWithAppleUpgradeAuthorization(
                state: state, nonce: nonce)
            guard credential.state == state, let code = credential.authorizationCode,
                let identityToken = credential.identityToken
            else { throw ASExtensionError(.failed) }
            // The service reads the token and exchanges the code itself; what an extension says is not enough for it.
            try await controller.service.convert(
                user: proof.user, token: token, authorizationCode: code, identityToken: identityToken, nonce: nonce)
            controller.extensionContext.completeUpgradeToSignInWithApple()
        }
    }

    /// From the app comes its session's token, and no password with it.
    private func proof(_ credential: ASPasswordCredential, _ userInfo: [AnyHashable: Any]?) -> Proof {
        let token = userInfo?[Self.tokenKey] as? String
        return Proof(user: credential.user, password: token == nil ? credential.password : nil, token: token)
    }

    // MARK: Endings

    /// The system's Cancel: what runs is given up.
    override func cancelRequest() {
        work?.cancel()
        super.cancelRequest()
    }

    private func perform(
        _ screen: CodeScreen?, _ body: @escaping @MainActor (AccountUpgradeViewController) async throws -> Void
    ) {
        work = Task {
            do {
                try await body(self)
            } catch let refusal as ShinyClient.Refusal {
                refused(refusal, screen)
            } catch let error as ASExtensionError where error.code == .userCanceled {
                extensionContext.cancelRequest(withError: error)
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(.failed))
            }
        }
    }

    private func refused(_ refusal: ShinyClient.Refusal, _ screen: CodeScreen?) {
        switch (refusal.reason, screen) {
        case ("codeRequired", nil):
            extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        case ("wrongCode", let screen?), ("codeRequired", let screen?):
            screen.say(refusal.message)
        default:
            extensionContext.cancelRequest(
                withError: ASExtensionError(
                    .failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: refusal.message]))
        }
    }
}
