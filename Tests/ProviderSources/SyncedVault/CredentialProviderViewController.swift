// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

/// What the extension is asked for.
enum ExtensionMode {
    case autofillList([ASCredentialServiceIdentifier])
    case autofillCredential(ASPasswordCredentialIdentity, userInteraction: Bool)
    case configureAutofill
}

class CredentialProviderViewController: ASCredentialProviderViewController {
    private let services = ServiceContainer()
    private var mode: ExtensionMode?
    private var flow: Task<Void, Never>?

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        start(.autofillList(serviceIdentifiers))
    }

    override func prepareInterfaceForExtensionConfiguration() {
        start(.configureAutofill)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        start(.autofillCredential(credentialIdentity, userInteraction: true))
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        mode = .autofillCredential(credentialIdentity, userInteraction: false)
        flow = Task {
            guard let recordIdentifier = credentialIdentity.recordIdentifier else {
                cancel(error: ASExtensionError(.credentialIdentityNotFound))
                return
            }
            do {
                let login = try await services.cipherService.login(id: recordIdentifier)
                complete(username: login.username, password: login.password)
            } catch SessionError.vaultLocked {
                cancel(error: ASExtensionError(.userInteractionRequired))
            } catch {
                cancel(error: error)
            }
        }
    }

    deinit {
        flow?.cancel()
    }

    // MARK: Private

    private func start(_ mode: ExtensionMode) {
        self.mode = mode
        let coordinator = AppCoordinator(services: services, delegate: self)
        flow = Task { await coordinator.start(in: self, mode: mode) }
    }

    private func cancel(error: Error? = nil) {
        if let error = error as? ASExtensionError {
            extensionContext.cancelRequest(withError: error)
        } else if let error = error {
            extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.failed.rawValue,
                    userInfo: [NSUnderlyingErrorKey: error]))
        } else {
            extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
        }
    }

    private func complete(username: String, password: String) {
        let credential = ASPasswordCredential(user: username, password: password)
        extensionContext.completeRequest(withSelectedCredential: credential)
    }
}

// MARK: - AppExtensionDelegate

extension CredentialProviderViewController: AppExtensionDelegate {
    var isInAppExtension: Bool { true }

    func completeAutofillRequest(username: String, password: String) {
        complete(username: username, password: password)
    }

    func didCompleteConfiguration() {
        extensionContext.completeExtensionConfigurationRequest()
    }

    func didCancel() {
        cancel()
    }
}
