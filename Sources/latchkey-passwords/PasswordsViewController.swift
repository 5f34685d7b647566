// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AuthenticationServices
internal import Foundation

/// The built-in provider's principal object: answers from the vault, shows what is saved where the user wants to see it, and asks
/// nothing of its own but whether a password may be replaced that nobody has named.
final class PasswordsViewController: ASCredentialProviderViewController {
    let items: ItemRoute

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

    /// A request for a password goes to the method above.
    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard credentialRequest.type == .oneTimeCode else {
            return super.provideCredentialWithoutUserInteraction(for: credentialRequest)
        }
        let identity = credentialRequest.credentialIdentity
        let (service, user) = (ServiceText(identity.serviceIdentifier), identity.user)
        guard let id = identity.recordIdentifier else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        completeCode { items in try await items.code(of: id, user: user, service: service) }
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        guard credentialRequest.type == .oneTimeCode else {
            return super.prepareInterfaceToProvideCredential(for: credentialRequest)
        }
        provideCredentialWithoutUserInteraction(for: credentialRequest)
    }

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        showList(
            for: serviceIdentifiers,
            of: { $0.filter(\.hasAuthenticator) },
            onSelect: { [weak self] id in self?.completeCode { items in try await items.code(of: id) } }
        )
    }

    /// It never asks for interaction; who shows it all the same gets the answer that needs none.
    override func prepareInterfaceToProvideCredential(for credentialIdentity: ASPasswordCredentialIdentity) {
        provideCredentialWithoutUserInteraction(for: credentialIdentity)
    }

    /// Everything that is saved, to be looked at, changed, added and removed.
    override func prepareInterfaceForExtensionConfiguration() {
        let first = SavedPasswordsViewController(items: items) { [weak self] in
            self?.extensionContext.completeExtensionConfigurationRequest()
        }
        let pages = UINavigationController(rootViewController: first)
        addChild(pages)
        view.addSubview(pages.view)
        pages.didMove(toParent: self)
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        showList(
            for: serviceIdentifiers,
            of: { $0.filter(\.hasPassword) },
            onSelect: { [weak self] id in self?.complete { items in try await items.credential(of: id) } }
        )
    }

    private func showList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        of shown: @escaping ([CredentialItem]) -> [CredentialItem],
        onSelect: @escaping (String) -> Void
    ) {
        let services = serviceIdentifiers.map { ServiceText($0) }
        let list = ListView()
        list.onSelect = { onSelect($0.identifier) }
        view.addSubview(list)
        Task {
            do {
                let listed = shown(try await items.listed())
                list.sections = SuggestedOrder(services: services).sections(of: listed)
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(error))
            }
        }
    }

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        save(savePasswordRequest)
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        askToReplace(savePasswordRequest)
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        generate(generatePasswordsRequest)
    }

    private func completeCode(_ code: @escaping @Sendable (ItemRoute) async throws -> String?) {
        Task {
            do {
                if let code = try await code(items) {
                    finish(code)
                } else {
                    extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
                }
            } catch {
                extensionContext.cancelRequest(withError: ASExtensionError(error))
            }
        }
    }

    private func finish(_ code: String) {
        extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: code))
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
    init(_ error: any Error) {
        let reason = (error as? CredentialManagingError)?.message ?? "The passwords cannot be read."
        self.init(.failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: reason])
    }
}
