// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Crypto
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// What a controller answers that overrides nothing, and what a context does with answers that nobody asked for.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct DefaultAnswersTests {
    private typealias Act = @MainActor (ASCredentialProviderViewController) -> Void

    private static let service = ASCredentialServiceIdentifier(identifier: "a.example", type: .domain)
    private static var passkey: ASPasskeyCredentialRequest {
        ASPasskeyCredentialRequest(
            credentialIdentity: .init(
                relyingPartyIdentifier: "a.example",
                userName: "u",
                credentialID: Data(),
                userHandle: Data()
            ),
            clientDataHash: Data(),
            userVerificationPreference: .preferred,
            supportedAlgorithms: [.ES256]
        )
    }
    private static let saving = ASSavePasswordRequest(
        serviceIdentifier: service,
        credential: ASPasswordCredential(user: "u", password: "p"),
        title: nil,
        sessionID: "1",
        event: .userInitiated
    )
    private static let generating = ASGeneratePasswordsRequest(
        serviceIdentifier: service,
        passwordFieldPasswordRules: nil,
        confirmPasswordFieldPasswordRules: nil,
        passwordRulesFromQuirks: nil
    )

    private func refusal(_ act: Act) async -> Refusal? {
        let ending = RequestEnding()
        let controller = ASCredentialProviderViewController()
        controller.beginRequest(with: ASCredentialProviderExtensionContext(ending: ending))
        act(controller)
        guard case .failure(let error) = ending.outcome else { return nil }
        return Refusal(error.code.rawValue, error.reason)
    }

    @Test
    func requestsAreRefusedWithASentence() async {
        let parameters = ASPasskeyCredentialRequestParameters(
            relyingPartyIdentifier: "a.example",
            clientDataHash: Data(),
            userVerificationPreference: .preferred,
            allowedCredentials: []
        )
        let acts: [(Act, String)] = [
            ({ $0.prepareCredentialList(for: []) }, "This provider has no list."),
            ({ $0.prepareCredentialList(for: [], requestParameters: parameters) }, "This provider has no list."),
            ({ $0.prepareOneTimeCodeCredentialList(for: []) }, "This provider has no one-time codes."),
            ({ $0.prepareInterfaceForUserChoosingTextToInsert() }, "This provider has no text to insert."),
            ({ $0.prepareInterface(forPasskeyRegistration: Self.passkey) }, "This provider does not make passkeys."),
            (
                { $0.performWithoutUserInteractionIfPossible(passkeyRegistration: Self.passkey) },
                "This provider does not make passkeys."
            ),
            (
                { $0.performWithoutUserInteractionIfPossible(savePasswordRequest: Self.saving) },
                "This provider does not save passwords."
            ),
            ({ $0.prepareInterface(for: Self.saving) }, "This provider does not save passwords."),
            (
                { $0.performWithoutUserInteraction(generatePasswordsRequest: Self.generating) },
                "This provider does not generate passwords."
            ),
            ({ $0.prepareInterface(for: Self.generating) }, "This provider does not generate passwords."),
        ]
        for (act, sentence) in acts { #expect(await refusal(act) == Refusal(1000, sentence)) }
    }

    @Test
    func requestsForOneCredentialAreRefused() async {
        let password = ASPasswordCredentialRequest(
            credentialIdentity: .init(serviceIdentifier: Self.service, user: "u", recordIdentifier: nil)
        )
        #expect(await refusal { $0.provideCredentialWithoutUserInteraction(for: password) } == Refusal(1100))
        #expect(await refusal { $0.provideCredentialWithoutUserInteraction(for: Self.passkey) } == Refusal(1101))
        #expect(await refusal { $0.prepareInterfaceToProvideCredential(for: Self.passkey) } == Refusal(1101))
        #expect(await refusal { $0.prepareInterfaceToProvideCredential(for: password) } == nil)
    }

    @Test
    func reportsAndConfigurationEndNothing() async {
        let acts: [Act] = [
            { $0.reportPublicKeyCredentialUpdate(forRelyingParty: "a", userHandle: Data(), newName: "n") },
            { $0.reportUnknownPublicKeyCredential(forRelyingParty: "a", credentialID: Data()) },
            {
                $0.reportAllAcceptedPublicKeyCredentials(
                    forRelyingParty: "a", userHandle: Data(), acceptedCredentialIDs: [])
            },
            { $0.reportUnusedPasswordCredential(forDomain: "a", userName: "u") },
            { $0.prepareInterfaceForExtensionConfiguration() },
        ]
        for act in acts { #expect(await refusal(act) == nil) }
    }

    // MARK: The context

    private static let assertion = ASPasskeyAssertionCredential(
        userHandle: Data(),
        relyingParty: "a",
        signature: Data(),
        clientDataHash: Data(),
        authenticatorData: Data(),
        credentialID: Data()
    )
    private static let registration = ASPasskeyRegistrationCredential(
        relyingParty: "a",
        clientDataHash: Data(),
        credentialID: Data(),
        attestationObject: Data()
    )

    @Test
    func unaskedAnswersFailAndAreToldInTime() async {
        let acts: [@MainActor (ASCredentialProviderExtensionContext) async -> Bool] = [
            { await $0.completeAssertionRequest(using: Self.assertion) },
            { await $0.completeRegistrationRequest(using: Self.registration) },
        ]
        for act in acts {
            let ending = RequestEnding()
            let context = ASCredentialProviderExtensionContext(ending: ending)
            #expect(await act(context) == false)
            guard case .failure(let error) = ending.outcome else {
                Issue.record("it did not fail")
                continue
            }
            #expect(error.code.rawValue == 1000)
            #expect(error.reason?.hasSuffix("which was not requested.") == true)
            // The second end comes too late, and so does any in a context without a request.
            #expect(await act(context) == true)
            #expect(await act(ASCredentialProviderExtensionContext()) == true)
        }
    }

    @Test
    func handlersAreToldTheSame() async {
        let expired = Arrival<Bool>()
        let acts: [@MainActor (ASCredentialProviderExtensionContext) -> Void] = [
            { $0.completeAssertionRequest(using: Self.assertion) { expired.arrive($0) } },
            { $0.completeRegistrationRequest(using: Self.registration) { expired.arrive($0) } },
            { $0.completeOneTimeCodeRequest(using: .init(code: "1")) { expired.arrive($0) } },
            { $0.completeRequest(withTextToInsert: "t") { expired.arrive($0) } },
            { $0.completeSavePasswordRequest { late in Task { @MainActor in expired.arrive(late) } } },
            {
                $0.completeGeneratePasswordRequest(results: []) { late in Task { @MainActor in expired.arrive(late) } }
            },
        ]
        for act in acts {
            let context = ASCredentialProviderExtensionContext(ending: RequestEnding())
            act(context)
            #expect(await expired.next() == false)
            act(context)
            #expect(await expired.next() == true)
        }
    }

    // MARK: Everything that does not reach the system

    private func code(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return error is ASAuthorizationError ? (error as NSError).code : 0
        }
    }

    @Test
    func reportsOfAppsAreNotHandled() async {
        let (updater, sender) = (ASCredentialUpdater(), ASCredentialDataManager())
        let data = Data()
        let scope = ASAutoFillURLScope(scheme: .https, host: "a.example", port: nil, path: "/")
        let password = ASPasswordCredential(user: "u", password: "p")
        let codes = [
            await code {
                try await updater.reportPublicKeyCredentialUpdate(
                    relyingPartyIdentifier: "a", userHandle: data, newName: "n")
            },
            await code {
                try await updater.reportUnknownPublicKeyCredential(relyingPartyIdentifier: "a", credentialID: data)
            },
            await code {
                try await updater.reportAllAcceptedPublicKeyCredentials(
                    relyingPartyIdentifier: "a", userHandle: data, acceptedCredentialIDs: [])
            },
            await code { try await updater.reportUnusedPasswordCredential(domain: "a", userName: "u") },
            await code {
                try await sender.reportPublicKeyCredentialUpdate(
                    relyingPartyIdentifier: "a", userHandle: data, newName: "n")
            },
            await code {
                try await sender.reportUnknownPublicKeyCredential(relyingPartyIdentifier: "a", credentialID: data)
            },
            await code {
                try await sender.reportAllAcceptedPublicKeyCredentials(
                    relyingPartyIdentifier: "a", userHandle: data, acceptedCredentialIDs: [])
            },
            await code { try await sender.reportUnusedPasswordCredential(domain: "a", userName: "u") },
            await code { try await sender.save(password: password, for: scope, anchor: ASPresentationAnchor()) },
            await code { try await CredentialDataManager().save(password: password, for: scope, title: nil) },
            await code { try await CredentialDataManager().reportUnusedPasswordCredential(domain: "a", userName: "u") },
        ]
        // Saving is asked of the system, which there is none of here; nobody handles the rest.
        #expect(codes == Array(repeating: 1003, count: 8) + [1004, 1004, 1003])
    }

    @Test
    func settingsAreNotSupported() async {
        let told = Arrival<Bool>()
        ASSettingsHelper.openVerificationCodeAppSettings {
            told.arrive(($0 as? CocoaError)?.code == .featureUnsupported)
        }
        #expect(await told.next() == true)
        ASSettingsHelper.requestToTurnOnCredentialProviderExtension { told.arrive($0) }
        #expect(await told.next() == false)
        await #expect(throws: CocoaError(.featureUnsupported)) {
            try await ASSettingsHelper.openVerificationCodeAppSettings()
        }
    }

    // MARK: What is secret prints as nothing

    @Test
    func secretsPrintAsNothing() {
        let key = SymmetricKey(data: Data("hunter2".utf8))
        let secrets: [Any] = [
            ASOneTimeCodeCredential(code: "hunter2"), ASGeneratedPassword(kind: .strong, value: "hunter2"),
            Self.assertion,
            Self.registration, ASAuthorizationPublicKeyCredentialPRFAssertionOutput(first: key, second: key),
            ASAuthorizationPublicKeyCredentialPRFRegistrationOutput(first: key, second: nil),
            ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput.read(data: Data("hunter2".utf8)),
            ASPasskeyAssertionCredentialExtensionOutput(largeBlob: .read(data: Data("hunter2".utf8))),
        ]
        for secret in secrets {
            var dumped = ""
            dump(secret, to: &dumped)
            for text in ["\(secret)", String(reflecting: secret), dumped] {
                #expect(!text.contains("hunter2"))
                #expect(!text.contains("7 bytes"))
                #expect(!text.contains("104"))
            }
        }
    }
}
