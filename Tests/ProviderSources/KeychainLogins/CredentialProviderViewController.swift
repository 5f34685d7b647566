// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

class CredentialProviderViewController: ASCredentialProviderViewController {
    private let viewModel = LoginListViewModel()
    private let table = ListView()
    private let message = MessageView("")

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(message)
        bind()
    }

    private func bind() {
        viewModel.onChange = { [weak self] in
            DispatchQueue.main.async { self?.reload() }
        }
        viewModel.onError = { [weak self] text in
            DispatchQueue.main.async { self?.message.text = text }
        }
    }

    private func reload() {
        table.sections = [
            .init(
                title: "Logins",
                rows: viewModel.items.map { .init(identifier: $0.account, title: $0.username, subtitle: $0.host) })
        ]
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        table.onSelect = { [weak self] row in self?.finish(with: self?.viewModel.item(account: row.identifier)) }
        view.addSubview(table)
        viewModel.load(matching: serviceIdentifiers.map { URL(string: $0.identifier)?.host ?? $0.identifier })
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        finish(with: viewModel.item(account: credentialIdentity.recordIdentifier))
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        finish(with: viewModel.item(account: credentialIdentity.recordIdentifier))
    }

    override func prepareInterfaceForExtensionConfiguration() {
        let controller = NewLoginViewController()
        controller.completion = { [weak self] item in
            guard let self = self else { return }
            do {
                try self.viewModel.save(item)
                self.share([item])
                self.dismiss(animated: true) {
                    self.extensionContext.completeExtensionConfigurationRequest()
                }
            } catch {
                controller.title = error.localizedDescription
            }
        }
        present(UINavigationController(rootViewController: controller), animated: true)
    }

    private func share(_ items: [LoginItem]) {
        let identities = items.map { item in
            ASPasswordCredentialIdentity(
                serviceIdentifier: .init(identifier: item.host, type: .domain), user: item.username,
                recordIdentifier: item.account)
        }
        for (rank, identity) in identities.enumerated() { identity.rank = rank }
        ASCredentialIdentityStore.shared.saveCredentialIdentities(identities, completion: nil)
    }

    private func finish(with item: LoginItem?) {
        guard let item = item else {
            return extensionContext.cancelRequest(
                withError: NSError(
                    domain: ASExtensionErrorDomain,
                    code: ASExtensionError.Code.credentialIdentityNotFound.rawValue,
                    userInfo: nil))
        }
        extensionContext.completeRequest(
            withSelectedCredential: .init(user: item.username, password: item.password), completionHandler: nil)
    }
}
