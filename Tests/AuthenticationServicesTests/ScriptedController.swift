// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AuthenticationServices

/// A provider that does what a test says.
final class ScriptedController: ASCredentialProviderViewController {
    typealias Step = @MainActor (ScriptedController) -> Void

    private let provide: @MainActor (ScriptedController, ASPasswordCredentialIdentity) -> Void
    private let list: @MainActor (ScriptedController, [ASCredentialServiceIdentifier]) -> Void
    private let interface: Step
    private let load: Step

    init(
        provide: @escaping @MainActor (ScriptedController, ASPasswordCredentialIdentity) -> Void = { _, _ in },
        list: @escaping @MainActor (ScriptedController, [ASCredentialServiceIdentifier]) -> Void = { _, _ in },
        interface: @escaping Step = { _ in },
        load: @escaping Step = { _ in }
    ) {
        self.provide = provide
        self.list = list
        self.interface = interface
        self.load = load
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        load(self)
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        provide(self, credentialIdentity)
    }

    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        interface(self)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        list(self, serviceIdentifiers)
    }

    /// Completes with a password that says whose it is.
    func complete(_ user: String, _ handler: ((Bool) -> Void)? = nil) {
        extensionContext.completeRequest(
            withSelectedCredential: ASPasswordCredential(user: user, password: "password of \(user)"),
            completionHandler: handler
        )
    }

    /// Puts a list of two sections with a row each into a view; a choice completes with the row's name.
    @discardableResult
    func showList(in view: UIView? = nil) -> ListView {
        let list = ListView()
        list.sections = [
            .init(title: "Suggested", rows: [.init(identifier: "secret-key-1", title: "a", subtitle: "a.example")]),
            .init(title: "", rows: [.init(identifier: "secret-key-2", title: "\"b\"")]),
        ]
        list.onSelect = { [weak self] row in self?.complete(row.identifier) }
        (view ?? self.view).addSubview(list)
        return list
    }

    /// Puts views into the controller's own.
    func show(_ views: UIView...) {
        for view in views { self.view.addSubview(view) }
    }
}
