// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import UIKit

/// The extension, as its flows know it.
@MainActor
protocol AppExtensionDelegate: AnyObject {
    var isInAppExtension: Bool { get }
    func completeAutofillRequest(username: String, password: String)
    func didCompleteConfiguration()
    func didCancel()
}

@MainActor
final class AppCoordinator {
    private let services: ServiceContainer
    private weak var delegate: AppExtensionDelegate?

    init(services: ServiceContainer, delegate: AppExtensionDelegate) {
        self.services = services
        self.delegate = delegate
    }

    func start(in root: UIViewController, mode: ExtensionMode) async {
        switch mode {
        case .configureAutofill:
            await services.identityService.syncAll()
            delegate?.didCompleteConfiguration()
        case .autofillList(let serviceIdentifiers):
            let uris = serviceIdentifiers.map(\.identifier)
            do {
                let logins = try await services.cipherService.logins(matching: uris)
                let controller = LoginListController(logins: logins) { [weak self] login in
                    self?.delegate?.completeAutofillRequest(username: login.username, password: login.password)
                }
                embed(controller, in: root)
            } catch {
                showUnlock(in: root, mode: mode)
            }
        case .autofillCredential(let identity, let userInteraction):
            guard userInteraction, let id = identity.recordIdentifier,
                let login = try? await services.cipherService.login(id: id)
            else { return showUnlock(in: root, mode: mode) }
            delegate?.completeAutofillRequest(username: login.username, password: login.password)
        }
    }

    private func showUnlock(in root: UIViewController, mode: ExtensionMode) {
        let controller = UIViewController()
        let field = UITextField()
        field.isSecureTextEntry = true
        field.placeholder = "Master password"
        controller.view.addSubview(field)
        controller.view.addSubview(
            ButtonView("Unlock", style: .default) { [weak self, weak controller] in
                Task { @MainActor in
                    await self?.services.cipherService.unlock(password: field.text ?? "")
                    controller?.willMove(toParent: nil)
                    controller?.view.removeFromSuperview()
                    controller?.removeFromParent()
                    await self?.start(in: root, mode: mode)
                }
            })
        controller.view.addSubview(ButtonView("Cancel") { [weak delegate] in delegate?.didCancel() })
        embed(controller, in: root)
    }

    private func embed(_ child: UIViewController, in root: UIViewController) {
        root.addChild(child)
        root.view.addSubview(child.view)
        child.didMove(toParent: root)
    }
}

final class LoginListController: UIViewController {
    private let logins: [Login]
    private let onSelect: @MainActor (Login) -> Void

    init(logins: [Login], onSelect: @escaping @MainActor (Login) -> Void) {
        self.logins = logins
        self.onSelect = onSelect
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let list = ListView()
        list.sections = [
            ListView.Section(
                title: "Logins", rows: logins.map { .init(identifier: $0.id, title: $0.username, subtitle: $0.uri) })
        ]
        list.onSelect = { [weak self] row in
            guard let self, let login = logins.first(where: { $0.id == row.identifier }) else { return }
            onSelect(login)
        }
        view.addSubview(list)
    }
}
