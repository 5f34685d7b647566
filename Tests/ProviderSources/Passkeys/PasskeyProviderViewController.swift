// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices

class PasskeyProviderViewController: ASCredentialProviderViewController {
    private let keys: PasskeyStore = .shared

    override func prepareCredentialList(for serviceIdentifiers: [ASCredentialServiceIdentifier]) {
        cancel(.userCanceled)
    }

    @available(iOS 17.0, *)
    override func prepareCredentialList(
        for serviceIdentifiers: [ASCredentialServiceIdentifier],
        requestParameters: ASPasskeyCredentialRequestParameters
    ) {
        let allowed = requestParameters.allowedCredentials
        let fitting = keys.all(for: requestParameters.relyingPartyIdentifier)
            .filter { allowed.isEmpty || allowed.contains($0.credentialID) }
        let list = ListView()
        list.sections = [
            .init(
                title: requestParameters.relyingPartyIdentifier,
                rows: fitting.map { .init(identifier: $0.credentialID.base64EncodedString(), title: $0.userName) })
        ]
        list.onSelect = { [weak self] row in
            guard let self = self, let key = fitting.first(where: { $0.matches(row.identifier) }) else { return }
            self.assert(key, clientDataHash: requestParameters.clientDataHash)
        }
        view.addSubview(list)
    }

    @available(iOS 17.0, *)
    override func provideCredentialWithoutUserInteraction(for credentialRequest: ASCredentialRequest) {
        switch credentialRequest.type {
        case .password:
            guard let identity = credentialRequest.credentialIdentity as? ASPasswordCredentialIdentity else {
                return cancel(.failed)
            }
            super.provideCredentialWithoutUserInteraction(for: identity)
        case .passkeyAssertion:
            guard let request = credentialRequest as? ASPasskeyCredentialRequest else { return cancel(.failed) }
            provide(request, isInteractive: false)
        default:
            cancel(.credentialIdentityNotFound)
        }
    }

    @available(iOS 17.0, *)
    override func prepareInterfaceToProvideCredential(for credentialRequest: ASCredentialRequest) {
        guard let request = credentialRequest as? ASPasskeyCredentialRequest else { return cancel(.failed) }
        provide(request, isInteractive: true)
    }

    @available(iOS 17.0, *)
    override func prepareInterface(forPasskeyRegistration registrationRequest: ASCredentialRequest) {
        guard let request = registrationRequest as? ASPasskeyCredentialRequest,
            let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity
        else { return cancel(.failed) }
        guard request.supportedAlgorithms.contains(.ES256) else { return cancel(.failed) }
        let confirm = ButtonView("Create passkey for \(identity.userName)", style: .default) { [weak self] in
            guard let self = self else { return }
            Task {
                let made = await self.keys.make(identity, hash: request.clientDataHash)
                await self.extensionContext.completeRegistrationRequest(using: made)
            }
        }
        view.addSubview(confirm)
    }

    override func reportUnknownPublicKeyCredential(forRelyingParty relyingParty: String, credentialID: Data) {
        keys.remove(credentialID)
    }

    override func reportAllAcceptedPublicKeyCredentials(
        forRelyingParty relyingParty: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) {
        let unknown = keys.all(for: relyingParty)
            .filter { $0.userHandle == userHandle && !acceptedCredentialIDs.contains($0.credentialID) }
        for key in unknown {
            keys.remove(key.credentialID)
        }
    }

    override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
        switch savePasswordRequest.event {
        case .userInitiated: extensionContext.completeSavePasswordRequest(completionHandler: nil)
        case .formDidDisappear, .generatedPasswordFilled: cancel(.userInteractionRequired)
        @unknown default: cancel(.failed)
        }
    }

    override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
        let controller = SavePasswordViewController(request: savePasswordRequest) { [unowned self] isSaved in
            if isSaved {
                Task { await extensionContext.completeSavePasswordRequest() }
            } else {
                cancel(.userCanceled)
            }
        }
        addChild(controller)
        view.addSubview(controller.view)
        controller.didMove(toParent: self)
    }

    private func provide(_ request: ASPasskeyCredentialRequest, isInteractive: Bool) {
        guard let identity = request.credentialIdentity as? ASPasskeyCredentialIdentity,
            let key = keys.key(identity.credentialID)
        else { return cancel(.credentialIdentityNotFound) }
        if request.userVerificationPreference == .required, !isInteractive {
            return cancel(.userInteractionRequired)
        }
        assert(key, clientDataHash: request.clientDataHash)
    }

    private func assert(_ key: StoredPasskey, clientDataHash: Data) {
        let credential = ASPasskeyAssertionCredential(
            userHandle: key.userHandle, relyingParty: key.relyingParty, signature: key.sign(clientDataHash),
            clientDataHash: clientDataHash, authenticatorData: Data(count: 37), credentialID: key.credentialID)
        extensionContext.completeAssertionRequest(using: credential) { expired in
            if expired { print("expired") }
        }
    }

    private func cancel(_ code: ASExtensionError.Code) {
        extensionContext.cancelRequest(withError: ASExtensionError(code))
    }
}
