// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class RootViewController: ASCredentialProviderViewController {
    lazy var repository: RecordRepository = EmptyRepository()
    private weak var current: UIViewController?

    private var isDark: Bool { traitCollection.userInterfaceStyle == .dark }

    override var childForStatusBarStyle: UIViewController? { current }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let controller = RecordListViewController(
            viewModel: RecordListViewModel(repository: repository, services: serviceIdentifiers))
        controller.onSelect = { [weak self] in self?.finish($0) }
        transition(to: controller)
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        let id = credentialIdentity.recordIdentifier ?? ""
        Task { @MainActor [repository] in
            do {
                guard let record = try await repository.record(id: id) else {
                    throw ASExtensionError(.credentialIdentityNotFound)
                }
                finish(record)
            } catch {
                extensionContext.cancelRequest(withError: error)
            }
        }
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        prepareCredentialList(for: [credentialIdentity.serviceIdentifier])
    }

    private func transition(to controller: UIViewController) {
        current?.willMove(toParent: nil)
        current?.viewIfLoaded?.removeFromSuperview()
        current?.removeFromParent()
        addChild(controller)
        controller.view.frame = view.bounds
        view.addSubview(controller.view)
        controller.didMove(toParent: self)
        current = controller
        setNeedsStatusBarAppearanceUpdate()
    }

    private func finish(_ record: Record) {
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: record.name, password: record.secret)
        ) { _ in }
    }
}
