// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets

/// Requests to save and to generate passwords.
extension ExtensionRuntime {
    /// So many passwords of one answer are told at most.
    private static let passwordLimit = 10

    func savePassword(_ params: Saving.Save.Params) async throws(WireError) -> Empty {
        let asked = try saveRequest(params)
        let outcome = try await outcomeWithoutInterface(params.request, context: params.context) { controller in
            controller.performWithoutUserInteractionIfPossible(savePasswordRequest: asked)
        }
        _ = try RequestAnswer.saved.credential(in: outcome)
        return Empty()
    }

    func prepareSavePassword(_ params: Saving.PrepareSave.Params) async throws(WireError) -> Empty {
        let asked = try saveRequest(params)
        _ = try await run(params.request, for: .saved, context: params.context) { controller in
            controller.prepareInterface(for: asked)
        }
        return Empty()
    }

    func generatePasswords(_ params: Saving.Generate.Params) async throws(WireError) -> Saving.Generate.Answer {
        let asked = try generateRequest(params)
        return try Self.answer(
            await outcomeWithoutInterface(params.request, context: params.context) { controller in
                controller.performWithoutUserInteraction(generatePasswordsRequest: asked)
            })
    }

    func prepareGeneratePasswords(
        _ params: Saving.PrepareGenerate.Params
    ) async throws(WireError) -> Saving.PrepareGenerate.Answer {
        let asked = try generateRequest(params)
        return try Self.answer(
            await outcome(params.request, context: params.context) { controller in
                controller.prepareInterface(for: asked)
            })
    }

    private static func answer(_ outcome: RequestEnding.Outcome) throws(WireError) -> Saving.Generate.Answer {
        _ = try RequestAnswer.generated.credential(in: outcome)
        guard case .generated(let results) = outcome else { throw .providerFailed("It made no passwords.") }
        return Saving.Generate.Answer(
            passwords: results.prefix(passwordLimit).map { result in
                GeneratedStatement(kind: result.kind, password: WireSecret(result.password))
            }
        )
    }

    private func generateRequest(_ params: Saving.Generate.Params) throws(WireError) -> ASGeneratePasswordsRequest {
        guard let service = ASCredentialServiceIdentifier(params.service.service) else {
            throw .providerFailed("It does not know services of this kind.")
        }
        return ASGeneratePasswordsRequest(
            serviceIdentifier: service,
            passwordFieldPasswordRules: params.fieldRules,
            confirmPasswordFieldPasswordRules: params.confirmRules,
            passwordRulesFromQuirks: params.quirkRules
        )
    }

    private func saveRequest(_ params: Saving.Save.Params) throws(WireError) -> ASSavePasswordRequest {
        guard let service = ASCredentialServiceIdentifier(params.service.service) else {
            throw .providerFailed("It does not know services of this kind.")
        }
        guard let event = ASSavePasswordRequest.Event(word: params.event) else {
            throw .providerFailed("It does not know the occasion of this request.")
        }
        let password = SecretText(params.password.bytes).unsafeString()
        return ASSavePasswordRequest(
            serviceIdentifier: service,
            credential: ASPasswordCredential(user: params.user, password: password),
            title: params.title,
            sessionID: params.session,
            event: event,
            passwordKind: params.kind.map { ASGeneratedPassword.Kind($0) }
        )
    }
}

extension ASSavePasswordRequest.Event {
    /// As it travels.
    init?(word: String) {
        switch word {
        case "userInitiated": self = .userInitiated
        case "formDidDisappear": self = .formDidDisappear
        case "generatedPasswordFilled": self = .generatedPasswordFilled
        default: return nil
        }
    }
}
