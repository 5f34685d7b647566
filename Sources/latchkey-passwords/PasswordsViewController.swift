// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation

/// The built-in provider's principal object: answers from the vault, and asks nothing of its own.
final class PasswordsViewController: ASCredentialProviderViewController {
    private let items: ItemRoute

    init(items: ItemRoute) {
        self.items = items
        super.init(nibName: nil, bundle: nil)
        title = "Passwords"
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func provideCredentialWithoutUserInteraction(for credentialIdentity: ASPasswordCredentialIdentity) {
        let service = ServiceText(credentialIdentity.serviceIdentifier)
        let user = credentialIdentity.user
        guard let id = credentialIdentity.recordIdentifier else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        complete { items in
            try await items.credential(of: id, user: user, service: service)
        }
    }

    /// It never asks for interaction; who shows it all the same gets the answer that needs none.
    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        provideCredentialWithoutUserInteraction(for: credentialIdentity)
    }

    /// There is nothing to configure.
    override func prepareInterfaceForExtensionConfiguration() {
        extensionContext.completeExtensionConfigurationRequest()
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let services = serviceIdentifiers.map { ServiceText($0) }
        let list = ListView()
        list.onSelect = { [weak self] row in
            self?.complete { items in try await items.credential(of: row.identifier) }
        }
        view.addSubview(list)
        Task {
            do {
                list.sections = SuggestedOrder(services: services).sections(of: try await items.listed())
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(error))
            }
        }
    }

    private func complete(_ credential: @escaping @Sendable (ItemRoute) async throws -> ASPasswordCredential?) {
        Task {
            do {
                if let credential = try await credential(items) {
                    extensionContext.completeRequest(withSelectedCredential: credential)
                } else {
                    extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
                }
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(error))
            }
        }
    }
}

extension ASExtensionError {
    /// A malfunction, with the sentence that a person may read.
    fileprivate init(_ error: any Error) {
        let reason = (error as? CredentialManagingError)?.message ?? "The passwords cannot be read."
        self.init(.failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: reason])
    }
}
