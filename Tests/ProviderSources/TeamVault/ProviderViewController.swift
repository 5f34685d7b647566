// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import UIKit

final class ProviderViewController: StateMachineViewController<Route> {
    var factory: RouteControllerFactory = ScreenFactory()
    private let directory = TeamDirectory()
    private var generated: [ASGeneratedPassword] = []

    private lazy var actions = Actions(
        select: { [weak self] account in self?.finish(account) },
        unlock: { [weak self] passphrase in self?.unlock(passphrase) },
        use: { [weak self] password in self?.use(password) },
        cancel: { [weak self] in self?.extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled)) })

    override func didChange(from previous: Route?, to state: Route) {
        for child in children {
            child.willMove(toParent: nil)
            child.view.removeFromSuperview()
            child.removeFromParent()
        }
        let controller = factory.controller(for: state, actions: actions)
        addChild(controller)
        view.addSubview(controller.view)
        controller.didMove(toParent: self)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        enter(.loading)
        directory.load { [weak self] result in
            switch result {
            case .success: self?.enter(.accounts(hosts: serviceIdentifiers.map { $0.identifier }))
            case .failure(let error): self?.enter(.locked(reason: error.localizedDescription))
            }
        }
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        guard let account = directory.account(id: credentialIdentity.recordIdentifier) else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
        finish(account)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        enter(.locked(reason: nil))
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        let rules = generatePasswordsRequest.passwordFieldPasswordRules ?? "minlength: 20"
        extensionContext.completeGeneratePasswordRequest(results: directory.passwords(by: rules))
    }

    override func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        generated = directory.passwords(by: "")
        enter(.generator)
    }

    private func finish(_ account: TeamAccount) {
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: account.user, password: account.password))
    }

    private func unlock(_ passphrase: String) {
        Task {
            await directory.unlock(passphrase)
            prepareCredentialList(for: [])
        }
    }

    private func use(_ password: String) {
        extensionContext.completeGeneratePasswordRequest(results: generated.filter { $0.value == password }) { _ in }
    }
}

extension ProviderViewController: Routing {
    func go(to destination: Route) {
        enter(destination)
    }
}

struct ScreenFactory: RouteControllerFactory {
    func controller(for route: Route, actions: Actions) -> UIViewController {
        let controller = UIViewController()
        controller.loadViewIfNeeded()
        switch route {
        case .loading:
            controller.view.addSubview(ProgressView("Loading"))
        case .locked(let reason):
            let field = UITextField()
            field.isSecureTextEntry = true
            field.accessibilityLabel = "Passphrase"
            reason.map { controller.view.addSubview(MessageView($0, style: .error)) }
            controller.view.addSubview(field)
            controller.view.addSubview(ButtonView("Unlock") { actions.unlock(field.text ?? "") })
        case .accounts(let hosts):
            controller.title = hosts.first
            controller.view.addSubview(ButtonView("Cancel", onPress: actions.cancel))
        case .generator:
            controller.view.addSubview(ToggleView("Easy to say", isOn: true) { _ in })
            controller.view.addSubview(ButtonView("Use") { actions.use("") })
        }
        return controller
    }
}
