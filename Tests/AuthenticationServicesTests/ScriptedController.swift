// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AuthenticationServices

/// A provider that does what a test says.
final class ScriptedController: ASCredentialProviderViewController {
    private let provide: @MainActor (ScriptedController, ASPasswordCredentialIdentity) -> Void
    private let list: @MainActor (ScriptedController, [ASCredentialServiceIdentifier]) -> Void

    init(
        provide: @escaping @MainActor (ScriptedController, ASPasswordCredentialIdentity) -> Void = { _, _ in },
        list: @escaping @MainActor (ScriptedController, [ASCredentialServiceIdentifier]) -> Void = { _, _ in }
    ) {
        self.provide = provide
        self.list = list
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        provide(self, credentialIdentity)
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

    /// Shows two rows; choosing one completes with its identifier.
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
}
