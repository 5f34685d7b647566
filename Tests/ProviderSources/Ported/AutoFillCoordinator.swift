// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import UIKit

protocol AutoFillCoordinatorDelegate: AnyObject {
    func coordinator(_ coordinator: AutoFillCoordinator, didSelect account: Account)
    func coordinator(_ coordinator: AutoFillCoordinator, didFailWith error: ASExtensionError.Code)
    func coordinatorDidFinishConfiguration(_ coordinator: AutoFillCoordinator)
}

/// Says nothing about actors, as is usual in Swift 5.
class AutoFillCoordinator: NSObject {
    unowned let rootController: CredentialProviderViewController
    weak var delegate: AutoFillCoordinatorDelegate?
    private let accounts: AccountStorage
    private let navigationController: UINavigationController
    private let store = ASCredentialIdentityStore.shared

    init(rootController: CredentialProviderViewController, accounts: AccountStorage) {
        self.rootController = rootController
        self.accounts = accounts
        navigationController = UINavigationController()
        super.init()
        delegate = rootController
    }

    func start() {
        rootController.title = "Ported Passwords"
        if !rootController.isViewLoaded {
            rootController.loadViewIfNeeded()
        }
    }

    func provideWithoutUserInteraction(for identity: ASPasswordCredentialIdentity) {
        guard !accounts.isLocked else {
            delegate?.coordinator(self, didFailWith: .userInteractionRequired)
            return
        }
        complete(with: identity)
    }

    func prepareUI(for identity: ASPasswordCredentialIdentity) {
        askForPasscode { [weak self] in
            self?.complete(with: identity)
        }
    }

    func prepareUI(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let controller = AccountListViewController(
            accounts: accounts.all(for: serviceIdentifiers.map { $0.identifier }))
        controller.onSelect = { [weak self] account in
            guard let self = self else { return }
            self.askForPasscode {
                self.delegate?.coordinator(self, didSelect: account)
            }
        }
        show(controller)
    }

    func prepareConfigurationUI() {
        let controller = NewAccountViewController()
        controller.onSave = { [weak self] host, user, password in
            guard let self = self, self.accounts.add(Account(host: host, user: user, password: password)) else {
                return
            }
            self.refreshStore {
                DispatchQueue.main.async {
                    self.delegate?.coordinatorDidFinishConfiguration(self)
                }
            }
        }
        show(controller)
    }

    private func refreshStore(completion: @escaping () -> Void) {
        store.getState { [self] state in
            guard state.isEnabled else {
                completion()
                return
            }
            let identities = accounts.all(for: []).map { account in
                ASPasswordCredentialIdentity(
                    serviceIdentifier: ASCredentialServiceIdentifier(identifier: account.host, type: .domain),
                    user: account.user,
                    recordIdentifier: account.identifier
                )
            }
            store.replaceCredentialIdentities(with: identities) { _, _ in
                completion()
            }
        }
    }

    private func complete(with identity: ASPasswordCredentialIdentity) {
        guard let account = accounts.account(withIdentifier: identity.recordIdentifier) else {
            delegate?.coordinator(self, didFailWith: .credentialIdentityNotFound)
            return
        }
        delegate?.coordinator(self, didSelect: account)
    }

    private func askForPasscode(then completion: @escaping () -> Void) {
        guard accounts.isLocked else {
            completion()
            return
        }
        let controller = PasscodeViewController()
        controller.modalPresentationStyle = .overFullScreen
        controller.onPasscode = { [weak self] passcode in
            guard let self = self else { return }
            guard self.accounts.unlock(passcode: passcode) else {
                self.delegate?.coordinator(self, didFailWith: .failed)
                return
            }
            self.rootController.dismiss(animated: true) {
                completion()
            }
        }
        rootController.present(controller, animated: true, completion: nil)
    }

    private func show(_ controller: UIViewController) {
        navigationController.pushViewController(controller, animated: false)
        rootController.addChild(navigationController)
        rootController.view.addSubview(navigationController.view)
        navigationController.didMove(toParent: rootController)
    }
}
