// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import UIKit

class CredentialProviderViewController: ASCredentialProviderViewController {
    private var coordinator: VaultCoordinator?

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "File Vault"
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        coordinator?.start()
    }

    override func viewDidDisappear(_ animated: Bool) {
        coordinator = nil
        super.viewDidDisappear(animated)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.list(serviceIdentifiers))
    }

    @available(iOSApplicationExtension 17.0, *)
    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        begin(.list(serviceIdentifiers))
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        guard let entry = VaultFile.shared.unlocked?.entry(for: credentialIdentity.recordIdentifier) else {
            extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
            return
        }
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: entry.user, password: entry.password),
            completionHandler: { expired in
                NSLog("completed, expired: %@", expired ? "yes" : "no")
            })
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        begin(.one(credentialIdentity))
    }

    override func prepareInterfaceForExtensionConfiguration() {
        begin(.configuration)
    }

    private func begin(_ task: VaultCoordinator.Task) {
        let coordinator = VaultCoordinator(task: task, hostController: self)
        coordinator.delegate = self
        self.coordinator = coordinator
    }
}

extension CredentialProviderViewController: VaultCoordinatorDelegate {
    func didFinish(_ coordinator: VaultCoordinator, with entry: VaultEntry?) {
        self.coordinator = nil
        if let entry = entry {
            extensionContext.completeRequest(
                withSelectedCredential: ASPasswordCredential(user: entry.user, password: entry.password))
        } else {
            extensionContext.completeExtensionConfigurationRequest()
        }
    }

    func didCancel(_ coordinator: VaultCoordinator, error: Error?) {
        self.coordinator = nil
        let userInfo = error.map { [ASExtensionLocalizedFailureReasonErrorKey: $0.localizedDescription] }
        let code = error == nil ? ASExtensionError.userCanceled : ASExtensionError.failed
        extensionContext.cancelRequest(
            withError: NSError(domain: ASExtensionErrorDomain, code: code.rawValue, userInfo: userInfo))
    }
}
