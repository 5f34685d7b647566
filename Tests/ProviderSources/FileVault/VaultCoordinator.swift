// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

protocol VaultCoordinatorDelegate: AnyObject {
    func didFinish(_ coordinator: VaultCoordinator, with entry: VaultEntry?)
    func didCancel(_ coordinator: VaultCoordinator, error: Error?)
}

/// Leads from the master password to an entry. Says nothing about actors.
final class VaultCoordinator {
    enum Task {
        case list([ASCredentialServiceIdentifier])
        case one(ASPasswordCredentialIdentity)
        case configuration
    }

    weak var delegate: VaultCoordinatorDelegate?
    private let task: Task
    private weak var hostController: UIViewController?
    private let router = UINavigationController()
    private let queue = DispatchQueue(label: "com.example.filevault.loading", qos: .userInitiated)

    init(task: Task, hostController: UIViewController) {
        self.task = task
        self.hostController = hostController
    }

    func start() {
        guard let host = hostController else { return }
        router.setNavigationBarHidden(false, animated: false)
        router.modalTransitionStyle = .crossDissolve
        host.addChild(router)
        router.view.frame = host.view.bounds
        host.view.addSubview(router.view)
        router.didMove(toParent: host)
        if VaultFile.shared.unlocked == nil {
            showUnlocking()
        } else {
            proceed()
        }
    }

    private func showUnlocking() {
        let controller = UnlockViewController()
        controller.delegate = self
        router.setViewControllers([controller], animated: false)
    }

    private func proceed() {
        guard let vault = VaultFile.shared.unlocked else { return showUnlocking() }
        switch task {
        case .list(let services):
            let list = EntryListViewController(groups: vault.groups(matching: services))
            list.delegate = self
            router.pushViewController(list, animated: true)
        case .one(let identity):
            if let entry = vault.entry(for: identity.recordIdentifier) {
                delegate?.didFinish(self, with: entry)
            } else {
                delegate?.didCancel(self, error: VaultError.entryIsGone)
            }
        case .configuration:
            QuickSuggestions.update(from: vault) { [weak self] in
                guard let self = self else { return }
                self.delegate?.didFinish(self, with: nil)
            }
        }
    }

    private func fail(_ error: Error) {
        router.popToRootViewController(animated: false)
        (router.topViewController as? UnlockViewController)?.show(error.localizedDescription)
    }
}

extension VaultCoordinator: UnlockViewControllerDelegate {
    func unlockController(_ controller: UnlockViewController, didEnter password: String) {
        queue.async { [weak self] in
            let result = Result { try VaultFile.shared.unlock(password: password) }
            DispatchQueue.main.async {
                switch result {
                case .success: self?.proceed()
                case .failure(let error): self?.fail(error)
                }
            }
        }
    }

    func unlockControllerDidCancel(_ controller: UnlockViewController) {
        delegate?.didCancel(self, error: nil)
    }
}

extension VaultCoordinator: EntryListViewControllerDelegate {
    func list(_ controller: EntryListViewController, didSelect entry: VaultEntry) {
        delegate?.didFinish(self, with: entry)
    }
}
