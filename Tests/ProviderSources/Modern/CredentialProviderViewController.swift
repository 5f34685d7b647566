// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

// A provider for iOS 17 to 26 as its author wrote it: by requests, with passkeys and one-time codes, in Swift 6.

@available(iOSApplicationExtension 17.0, *)
final class CredentialProviderViewController: ASCredentialProviderViewController {
    let vault: Vault
    private(set) var reports: [String] = []

    init(vault: Vault = Vault()) {
        self.vault = vault
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    // MARK: Lists

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        showList(of: vault.items.map { ListView.Row(identifier: $0.id, title: $0.user, subtitle: $0.host) })
    }

    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        let rows = vault.passkeys
            .filter { $0.relyingParty == requestParameters.relyingPartyIdentifier }
            .filter { passkey in
                requestParameters.allowedCredentials.isEmpty
                    || requestParameters.allowedCredentials.contains(passkey.credentialID)
            }
            .map { ListView.Row(identifier: $0.relyingParty, title: $0.user) }
        if rows.isEmpty {
            prepareCredentialList(for: serviceIdentifiers)
        } else {
            showList(of: rows)
        }
    }

    override func prepareOneTimeCodeCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        Task {
            await extensionContext.completeOneTimeCodeRequest(using: ASOneTimeCodeCredential(code: "123456"))
        }
    }

    override func prepareInterfaceForUserChoosingTextToInsert() {
        extensionContext.completeRequest(withTextToInsert: "text", completionHandler: nil)
    }

    // MARK: One credential

    override func provideCredentialWithoutUserInteraction(for credentialRequest: any ASCredentialRequest) {
        guard !vault.isLocked else {
            return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
        }
        provide(credentialRequest)
    }

    override func prepareInterfaceToProvideCredential(for credentialRequest: any ASCredentialRequest) {
        vault.isLocked = false
        provide(credentialRequest)
    }

    private func provide(_ credentialRequest: any ASCredentialRequest) {
        switch credentialRequest.type {
        case .password:
            guard let item = vault.item(credentialRequest.credentialIdentity.recordIdentifier) else {
                return cancel(.credentialIdentityNotFound)
            }
            let credential = ASPasswordCredential(user: item.user, password: item.password)
            extensionContext.completeRequest(withSelectedCredential: credential)
        case .passkeyAssertion:
            guard let request = credentialRequest as? ASPasskeyCredentialRequest,
                let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity,
                let assertion = vault.assertion(for: request, identity)
            else { return cancel(.credentialIdentityNotFound) }
            Task {
                await extensionContext.completeAssertionRequest(using: assertion)
            }
        case .oneTimeCode:
            guard let request = credentialRequest as? ASOneTimeCodeCredentialRequest,
                let identity = request.credentialIdentity as? ASOneTimeCodeCredentialIdentity
            else { return cancel(.failed) }
            let credential = ASOneTimeCodeCredential(code: vault.code(for: identity.label))
            extensionContext.completeOneTimeCodeRequest(using: credential) { expired in
                if expired { self.reports.append("late") }
            }
        case .passkeyRegistration:
            cancel(.failed)
        @unknown default:
            cancel(.failed)
        }
    }

    // MARK: New passkeys

    override func prepareInterface(forPasskeyRegistration registrationRequest: any ASCredentialRequest) {
        guard let request = registrationRequest as? ASPasskeyCredentialRequest,
            request.supportedAlgorithms.contains(.ES256)
        else { return cancel(.failed) }
        register(request)
    }

    override func performWithoutUserInteractionIfPossible(
        passkeyRegistration registrationRequest: ASPasskeyCredentialRequest
    ) {
        guard registrationRequest.userVerificationPreference != .required else { return cancel(.failed) }
        register(registrationRequest)
    }

    private func register(_ request: ASPasskeyCredentialRequest) {
        guard let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity else { return cancel(.failed) }
        if let excluded = request.excludedCredentials,
            excluded.contains(where: { vault.knows(credentialID: $0.credentialID) })
        {
            return cancel(.matchedExcludedCredential)
        }
        let credential = ASPasskeyRegistrationCredential(
            relyingParty: identity.relyingPartyIdentifier,
            clientDataHash: request.clientDataHash,
            credentialID: Data([1, 2, 3]),
            attestationObject: Data([4, 5, 6]),
            extensionOutput: registrationOutput(for: request.extensionInput)
        )
        extensionContext.completeRegistrationRequest(using: credential)
    }

    // MARK: Passwords

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        switch savePasswordRequest.event {
        case .userInitiated, .generatedPasswordFilled:
            vault.save(savePasswordRequest.credential, host: savePasswordRequest.serviceIdentifier.identifier)
            extensionContext.completeSavePasswordRequest()
        case .formDidDisappear:
            cancel(.userInteractionRequired)
        @unknown default:
            cancel(.failed)
        }
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        vault.save(savePasswordRequest.credential, host: savePasswordRequest.serviceIdentifier.identifier)
        extensionContext.completeSavePasswordRequest { _ in }
    }

    override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
        let results = [
            ASGeneratedPassword(kind: .strong, value: "hu6Tec-vavsyp"),
            ASGeneratedPassword(kind: .init("PINLIKE"), value: "0000"),
        ]
        extensionContext.completeGeneratePasswordRequest(results: results)
    }

    override func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
        performWithoutUserInteraction(generatePasswordsRequest: generatePasswordsRequest)
    }

    // MARK: Reports

    override func reportPublicKeyCredentialUpdate(
        forRelyingParty relyingParty: String,
        userHandle: Data,
        newName: String
    ) {
        reports.append("\(relyingParty) \(newName)")
    }

    override func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {
        reports.append("\(relyingParty) unknown")
    }

    override func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String,
        userHandle: Data,
        acceptedCredentialIDs: [Data]
    ) {
        reports.append("\(relyingParty) \(acceptedCredentialIDs.count)")
    }

    override func reportUnusedPasswordCredential(forDomain domain: String, userName: String) {
        reports.append("\(domain) unused")
    }

    // MARK: Ends

    func cancel(_ code: ASExtensionError.Code) {
        extensionContext.cancelRequest(withError: ASExtensionError(code))
    }

    private func showList(of rows: [ListView.Row]) {
        let list = ListView()
        list.sections = [ListView.Section(title: "", rows: rows)]
        list.onSelect = { [unowned self] row in
            guard let item = vault.item(row.identifier) else { return cancel(.credentialIdentityNotFound) }
            extensionContext.completeRequest(
                withSelectedCredential: ASPasswordCredential(user: item.user, password: item.password)
            )
        }
        view.addSubview(list)
    }
}
