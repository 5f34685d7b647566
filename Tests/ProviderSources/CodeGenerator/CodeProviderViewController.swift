// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import UIKit

@available(iOS 18.0, *)
final class CodeProviderViewController: ASCredentialProviderViewController {
    private lazy var codes = CodeBook.load()
    private var refresh: Timer?
    private let list = ListView()

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        let order = codes.sorted { first, second in
            serviceIdentifiers.contains { $0.identifier.hasSuffix(first.issuer) }
                && !serviceIdentifiers.contains { $0.identifier.hasSuffix(second.issuer) }
        }
        list.onSelect = { [weak self] row in
            guard let self, let source = order.first(where: { $0.id == row.identifier }) else { return }
            self.complete(with: source)
        }
        view.addSubview(list)
        draw(order)
        refresh = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] timer in
            guard let self else { return timer.invalidate() }
            self.draw(order)
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        refresh?.invalidate()
        refresh = nil
    }

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        extensionContext.cancelRequest(
            withError: ASExtensionError(
                .failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: "There are only codes here."]))
    }

    override func provideCredentialWithoutUserInteraction(for credentialRequest: ASCredentialRequest) {
        guard case .oneTimeCode = credentialRequest.type,
            let request = credentialRequest as? ASOneTimeCodeCredentialRequest,
            let identity = request.credentialIdentity as? ASOneTimeCodeCredentialIdentity,
            let source = codes.first(where: { $0.id == identity.recordIdentifier })
        else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.credentialIdentityNotFound))
        }
        complete(with: source)
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: ASCredentialRequest) {
        provideCredentialWithoutUserInteraction(for: credentialRequest)
    }

    override func prepareInterfaceForExtensionConfiguration() {
        Task { @MainActor in
            do {
                try await CodeBook.share(codes)
                extensionContext.completeExtensionConfigurationRequest()
            } catch {
                extensionContext.cancelRequest(withError: error)
            }
        }
    }

    private func complete(with source: CodeSource) {
        Task {
            let isExpired = await extensionContext.completeOneTimeCodeRequest(
                using: ASOneTimeCodeCredential(code: source.code(at: Date())))
            if isExpired { NSLog("too late") }
        }
    }

    private func draw(_ sources: [CodeSource]) {
        let left = 30 - Int(Date().timeIntervalSince1970) % 30
        list.sections = [
            ListView.Section(
                title: "\(left) s",
                rows: sources.map { .init(identifier: $0.id, title: $0.code(at: Date()), subtitle: $0.label) })
        ]
    }
}
