// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

/// Shiny's account screen, in a terminal: asks the system to upgrade the account, and says how it went.
@MainActor
final class AccountScreen: NSObject, ASAccountAuthenticationModificationControllerDelegate {
    /// Where the extension looks for the session's token.
    private static let tokenKey = "com.example.shiny.token"

    private var ended: CheckedContinuation<String, Never>?

    func upgradeToStrongPassword(user: String, at host: String, token: String) async -> String {
        await perform(
            ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest(
                user: user, serviceIdentifier: ASCredentialServiceIdentifier(identifier: host, type: .domain),
                userInfo: [Self.tokenKey: token]))
    }

    func upgradeToSignInWithApple(user: String, at host: String, token: String) async -> String {
        await perform(
            ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest(
                user: user, serviceIdentifier: ASCredentialServiceIdentifier(identifier: host, type: .domain),
                userInfo: [Self.tokenKey: token]))
    }

    private func perform(_ request: ASAccountAuthenticationModificationRequest) async -> String {
        await withCheckedContinuation { continuation in
            ended = continuation
            let controller = ASAccountAuthenticationModificationController()
            controller.delegate = self
            controller.perform(request)
        }
    }

    nonisolated func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
        userInfo: [AnyHashable: Any]?
    ) {
        let isPassword = request is ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest
        end(isPassword ? "Your password is a strong one now." : "You sign in with Apple now.")
    }

    nonisolated func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: any Error
    ) {
        let error = error as? ASExtensionError
        let reason = error?.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String
        end(error?.code == .userCanceled ? "Canceled." : reason ?? "Your account is as it was.")
    }

    /// The delegate is told on the main actor.
    private nonisolated func end(_ sentence: String) {
        MainActor.assumeIsolated {
            ended?.resume(returning: sentence)
            ended = nil
        }
    }
}
