// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// Which method of the view controller carries out which request.
extension ExtensionRuntime {
    func provideCredential(_ params: Provider.ProvideCredential.Params) async throws(WireError) -> CredentialAnswer {
        let asked = try credentialRequest(params.identity)
        return try credentialAnswer(
            await runWithoutInterface(params.request, for: asked.type.answer, context: params.context) { controller in
                // By default this goes on to the method that takes the identity, so that either override is called.
                controller.provideCredentialWithoutUserInteraction(for: asked)
            }
        )
    }

    func prepareInterface(_ params: Provider.PrepareInterface.Params) async throws(WireError) -> CredentialAnswer {
        let asked = try credentialRequest(params.identity)
        return try credentialAnswer(
            await run(params.request, for: asked.type.answer, context: params.context) { controller in
                controller.prepareInterfaceToProvideCredential(for: asked)
            }
        )
    }

    func prepareCredentialList(
        _ params: Provider.PrepareCredentialList.Params
    ) async throws(WireError) -> CredentialAnswer {
        let services = params.services.compactMap { ASCredentialServiceIdentifier($0.service) }
        switch params.type ?? "password" {
        case "password":
            return try credentialAnswer(
                await run(params.request, for: .password, context: params.context) {
                    $0.prepareCredentialList(for: services)
                }
            )
        case "one-time-code":
            return try credentialAnswer(
                await run(params.request, for: .oneTimeCode, context: params.context) {
                    $0.prepareOneTimeCodeCredentialList(for: services)
                }
            )
        default: throw .providerFailed("It has no list of such credentials.")
        }
    }

    func chooseText(_ params: Provider.RequestReference) async throws(WireError) -> CredentialAnswer {
        try credentialAnswer(
            await run(params.request, for: .text) { $0.prepareInterfaceForUserChoosingTextToInsert() }
        )
    }

    func configure(_ params: Provider.RequestReference) async throws(WireError) -> Empty {
        _ = try await run(params.request, for: .configuration) { $0.prepareInterfaceForExtensionConfiguration() }
        return Empty()
    }

    private func credentialRequest(_ identity: IdentityStatement) throws(WireError) -> any ASCredentialRequest {
        guard let request = identity.credentialRequest else { throw .providerAnswer(.credentialIdentityNotFound) }
        return request
    }

    private func credentialAnswer(_ credential: CredentialStatement?) throws(WireError) -> CredentialAnswer {
        guard let credential else { throw .providerFailed("It ended without a credential.") }
        return CredentialAnswer(credential: credential)
    }
}
