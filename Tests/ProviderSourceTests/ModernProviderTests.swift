// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ProviderTesting
import Testing

@testable import AuthenticationServices
@testable import ModernProvider

/// The provider of `ProviderSources/Modern`, run.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ModernProviderTests {
    private func unasked(_ thing: String) -> DirectRequest<CredentialProviderViewController>.End {
        .refusal(1000, "It answered with \(thing), which was not requested.")
    }

    private func passkey(_ credentialID: [UInt8] = [7, 7]) -> ASPasskeyCredentialIdentity {
        ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "shiny.example.com",
            userName: "rmondello",
            credentialID: Data(credentialID),
            userHandle: Data([9])
        )
    }

    private func request(
        _ type: ASCredentialRequestType,
        _ identity: ASPasskeyCredentialIdentity? = nil,
        preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference = .preferred,
        algorithms: [ASCOSEAlgorithmIdentifier] = [.ES256],
        excluding excluded: [[UInt8]]? = nil
    ) -> ASPasskeyCredentialRequest {
        ASPasskeyCredentialRequest(
            type, identity ?? passkey(), Data([1]), preference, algorithms,
            excluding: excluded?.map { .init(credentialID: Data($0)) })
    }

    private func end(
        vault: Vault = Vault(),
        _ begin: (CredentialProviderViewController) -> Void
    ) async -> DirectRequest<CredentialProviderViewController>.End {
        await DirectRequest(CredentialProviderViewController(vault: vault), begin).end()
    }

    // MARK: Passwords, over the wire

    @Test
    func providesAPasswordByRequest() async throws {
        let daemon = try await DaemonEnd.started { CredentialProviderViewController() }
        #expect(try await daemon.provide().password?.bytes == SecretBytes(utf8: "correct horse"))
    }

    @Test
    func refusesAPasswordThatIsNotThere() async throws {
        let daemon = try await DaemonEnd.started { CredentialProviderViewController() }
        #expect(await Refusal.of { try await daemon.provide(1, .shiny("r2")) } == Refusal(1101))
        #expect(await Refusal.of { try await daemon.provide(2, .shiny(nil)) } == Refusal(1101))
    }

    @Test
    func asksForInteractionWhileLocked() async throws {
        let daemon = try await DaemonEnd.started { CredentialProviderViewController(vault: Vault(isLocked: true)) }
        #expect(await Refusal.of { try await daemon.provide() } == Refusal(1100))
    }

    @Test
    func providesAPasswordWithItsInterface() async throws {
        let identity = try #require(ASPasswordCredentialIdentity(.shiny))
        let end = await end(vault: Vault(isLocked: true)) {
            $0.prepareInterfaceToProvideCredential(for: ASPasswordCredentialRequest(credentialIdentity: identity))
        }
        #expect(end == .credential(user: "rmondello", password: SecretBytes(utf8: "correct horse")))
    }

    @Test
    func listsWithAndWithoutPasskeys() async throws {
        let daemon = try await DaemonEnd.started { CredentialProviderViewController() }
        #expect(try await daemon.list().flatMap(\.rows).map(\.subtitle) == ["shiny.example.com"])
        #expect(try await daemon.select("1").user == "rmondello")
    }

    @Test(
        arguments: [
            ("shiny.example.com", [], ""), ("shiny.example.com", [[7, 7]], ""),
            ("shiny.example.com", [[8]], "shiny.example.com"), ("evil.example", [], "shiny.example.com"),
        ] as [(String, [[UInt8]], String)]
    )
    func listsThePasskeysThatAreAllowed(relyingParty: String, allowed: [[UInt8]], subtitle: String) throws {
        let parameters = ASPasskeyCredentialRequestParameters(
            relyingPartyIdentifier: relyingParty,
            clientDataHash: Data(),
            userVerificationPreference: .preferred,
            allowedCredentials: allowed.map { Data($0) }
        )
        let request = DirectRequest(CredentialProviderViewController()) {
            $0.prepareCredentialList(for: [], requestParameters: parameters)
        }
        let list = try #require(InterfaceBuilder(request.controller.view).elements.first)
        #expect(list.sections?.flatMap(\.rows).map(\.subtitle) == [subtitle])
        #expect(request.endSoFar == nil)
    }

    // MARK: What nobody asks for yet ends as a refusal, whatever the provider answers

    @Test
    func aSignatureIsNothingThatWasAskedFor() async {
        let request = request(.passkeyAssertion)
        let end = await end { $0.provideCredentialWithoutUserInteraction(for: request) }
        #expect(end == unasked("a passkey's signature"))
    }

    @Test
    func refusesAPasskeyThatIsNotThere() async {
        let request = request(.passkeyAssertion, passkey([8]))
        let end = await end { $0.provideCredentialWithoutUserInteraction(for: request) }
        #expect(end == .refusal(1101, nil))
    }

    @Test
    func givesCodesAndText() async {
        let identity = ASOneTimeCodeCredentialIdentity(
            serviceIdentifier: .init(identifier: "shiny.example.com", type: .domain),
            label: "rmondello",
            recordIdentifier: nil
        )
        let request = ASOneTimeCodeCredentialRequest(credentialIdentity: identity)
        #expect(
            await end { $0.provideCredentialWithoutUserInteraction(for: request) }
                == .oneTimeCode(SecretBytes(utf8: "654321"))
        )
        #expect(await end { $0.prepareOneTimeCodeCredentialList(for: []) } == .oneTimeCode(SecretBytes(utf8: "123456")))
        #expect(await end { $0.prepareInterfaceForUserChoosingTextToInsert() } == .text(SecretBytes(utf8: "text")))
    }

    @Test
    func aNewPasskeyIsNothingThatWasAskedFor() async {
        let request = request(.passkeyRegistration)
        #expect(await end { $0.prepareInterface(forPasskeyRegistration: request) } == unasked("a new passkey"))
        #expect(
            await end { $0.performWithoutUserInteractionIfPossible(passkeyRegistration: request) }
                == unasked("a new passkey")
        )
        #expect(
            await end { $0.provideCredentialWithoutUserInteraction(for: request) } == .refusal(1000, nil)
        )
    }

    @Test
    func refusesAPasskeyNextToAnExcludedOne() async {
        let request = request(.passkeyRegistration, excluding: [[1], [7, 7]])
        #expect(await end { $0.prepareInterface(forPasskeyRegistration: request) } == .refusal(1102, nil))
    }

    @Test
    func refusesAPasskeyThatItCannotMake() async {
        let foreign = request(.passkeyRegistration, algorithms: [.init(-257)])
        #expect(await end { $0.prepareInterface(forPasskeyRegistration: foreign) } == .refusal(1000, nil))
        let strict = request(.passkeyRegistration, preference: .required)
        #expect(
            await end { $0.performWithoutUserInteractionIfPossible(passkeyRegistration: strict) }
                == .refusal(1000, nil)
        )
        // Another kind of request where a registration is due.
        let password = ASPasswordCredentialRequest(
            credentialIdentity: .init(
                serviceIdentifier: .init(identifier: "a.example", type: .domain),
                user: "u",
                recordIdentifier: nil
            )
        )
        #expect(await end { $0.prepareInterface(forPasskeyRegistration: password) } == .refusal(1000, nil))
    }

    // MARK: Saving and generating

    private func saving(_ event: ASSavePasswordRequest.Event) -> ASSavePasswordRequest {
        ASSavePasswordRequest(
            serviceIdentifier: .init(identifier: "new.example", type: .domain),
            credential: ASPasswordCredential(user: "u", password: "p"),
            sessionID: "1",
            event: event
        )
    }

    @Test
    func savesAsTheEventSays() async {
        for event in [ASSavePasswordRequest.Event.userInitiated, .generatedPasswordFilled] {
            let vault = Vault()
            let end = await end(vault: vault) {
                $0.performWithoutUserInteractionIfPossible(savePasswordRequest: saving(event))
            }
            #expect(end == .saved)
            #expect(vault.items.map(\.host).contains("new.example"))
        }
        let vault = Vault()
        let end = await end(vault: vault) {
            $0.performWithoutUserInteractionIfPossible(savePasswordRequest: saving(.formDidDisappear))
        }
        #expect(end == .refusal(1100, nil))
        #expect(vault.items.count == 1)
    }

    @Test
    func generatesAndSavesWithItsInterface() async {
        let request = ASGeneratePasswordsRequest(
            serviceIdentifier: .init(identifier: "new.example", type: .domain),
            passwordFieldPasswordRules: "minlength: 20;",
            confirmPasswordFieldPasswordRules: nil,
            passwordRulesFromQuirks: nil
        )
        #expect(await end { $0.prepareInterface(for: request) } == .generated(["STRONG", "PINLIKE"]))
        #expect(await end { $0.prepareInterface(for: saving(.formDidDisappear)) } == .saved)
    }

    @Test
    func reportsEndNothing() {
        let request = DirectRequest(CredentialProviderViewController()) { controller in
            controller.reportPublicKeyCredentialUpdate(forRelyingParty: "a", userHandle: Data(), newName: "n")
            controller.reportUnknownPublicKeyCredential(forRelyingParty: "b", credentialID: Data())
            controller.reportAllAcceptedPublicKeyCredentials(
                forRelyingParty: "c",
                userHandle: Data(),
                acceptedCredentialIDs: [Data(), Data()]
            )
            controller.reportUnusedPasswordCredential(forDomain: "d", userName: "u")
        }
        #expect(request.controller.reports == ["a n", "b unknown", "c 2", "d unused"])
        #expect(request.endSoFar == nil)
    }
}
