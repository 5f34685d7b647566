// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Foundation

/// Shiny's account screen, in a terminal: asks for a strong password, and says how it went.
@MainActor
final class AccountScreen: NSObject, ASAccountAuthenticationModificationControllerDelegate {
    private var ended: CheckedContinuation<String, Never>?

    func upgrade(user: String, at host: String, token: String) async -> String {
        await withCheckedContinuation { continuation in
            ended = continuation
            let request = ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest(
                user: user,
                serviceIdentifier: ASCredentialServiceIdentifier(identifier: host, type: .domain),
                userInfo: ["com.example.Shiny.token": token])
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
        let session = userInfo?["com.example.Shiny.session"] as? String
        end("The password was changed." + (session.map { " Your session is \($0)." } ?? ""))
    }

    nonisolated func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: any Error
    ) {
        let error = error as? ASExtensionError
        let reason = error?.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String
        end(error?.code == .userCanceled ? "Canceled." : reason ?? "The password was not changed.")
    }

    /// The delegate is told on the main actor.
    private nonisolated func end(_ sentence: String) {
        MainActor.assumeIsolated {
            ended?.resume(returning: sentence)
            ended = nil
        }
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let user = arguments.first, let token = arguments.last else {
    print("usage: latchkey-demo-upgrade-app USER HOST TOKEN")
    exit(64)
}
print(await AccountScreen().upgrade(user: user, at: arguments[arguments.startIndex + 1], token: token))
