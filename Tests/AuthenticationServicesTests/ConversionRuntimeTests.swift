// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Synchronization
import Testing

@testable import AuthenticationServices

/// Requests to convert accounts to Sign in with Apple, on their way to a controller and back.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ConversionRuntimeTests {
    /// An extension that does what a test says.
    private final class Converter: ASAccountAuthenticationModificationViewController {
        typealias Step = @MainActor (Converter) -> Void

        var convert: Step = { _ in }
        var change: Step = { _ in }
        private(set) var asked: [String] = []
        private(set) var userInfo: [AnyHashable: Any]?
        var told: (ASAuthorizationAppleIDCredential?, (any Error)?)?

        override func convertAccountToSignInWithAppleWithoutUserInteraction(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            userInfo: [AnyHashable: Any]?
        ) {
            asked = [serviceIdentifier.identifier, existingCredential.user, existingCredential.password]
            self.userInfo = userInfo
            convert(self)
        }

        override func prepareInterfaceToConvertAccountToSignInWithApple(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            userInfo: [AnyHashable: Any]?
        ) {
            view.addSubview(ButtonView("Go") { [weak self] in self?.complete() })
        }

        override func changePasswordWithoutUserInteraction(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            newPassword: String, userInfo: [AnyHashable: Any]?
        ) {
            change(self)
        }

        func complete(userInfo: [AnyHashable: Any]? = nil) {
            extensionContext.completeUpgradeToSignInWithApple(userInfo: userInfo)
        }

        /// Asks for a credential, and cancels once it was told.
        func authorize(state: String? = "s", nonce: String? = "n") {
            extensionContext.getSignInWithAppleUpgradeAuthorization(state: state, nonce: nonce) { credential, error in
                self.told = (credential, error)
                self.extensionContext.cancelRequest(withError: ASExtensionError(.failed))
            }
        }
    }

    /// What the daemon was asked for, and what it answers.
    private final class Authorizer: Sendable {
        let asked = Mutex<[Modification.Authorize.Params]>([])
        let result: Result<Modification.Authorize.Answer, WireError>

        init(_ result: Result<Modification.Authorize.Answer, WireError>) {
            self.result = result
        }

        @Sendable func answer(_ params: Modification.Authorize.Params) async throws -> Modification.Authorize.Answer {
            asked.withLock { $0.append(params) }
            return try result.get()
        }
    }

    private func secret(_ text: String) -> WireSecret { WireSecret(SecretBytes(utf8: text)) }

    private func params(
        _ request: Int = 1, password: String? = "old", userInfo: WireSecret? = nil, type: Int = 0
    ) -> Modification.Convert.Params {
        .init(
            request: request, service: ServiceStatement(type: type, identifier: "shiny.example.com"), user: "anna",
            password: password.map { secret($0) }, userInfo: userInfo)
    }

    private func end(_ converter: Converter, _ authorizer: Authorizer? = nil) async throws -> DaemonEnd {
        let authorizer = authorizer ?? Authorizer(.failure(WireError(.providerExtension(0), "no")))
        return try await DaemonEnd.startedModification(authorize: authorizer.answer) { converter }
    }

    private func refusal(_ end: DaemonEnd, _ params: Modification.Convert.Params) async -> Refusal? {
        await Refusal.of { try await end.call(Modification.Convert.self, params) }
    }

    @Test
    func controllerIsToldEverythingAndItsAnswerComesBack() async throws {
        let converter = Converter()
        converter.convert = { $0.complete(userInfo: ["a": "b"]) }
        let sent = try #require(UserInfoList(["token": "t"]))
        let answer = try await end(converter).call(
            Modification.Convert.self, params(userInfo: WireSecret(sent.bytes)))
        #expect(converter.asked == ["shiny.example.com", "anna", "old"])
        #expect(converter.userInfo?["token"] as? String == "t")
        #expect(answer.userInfo.flatMap { UserInfoList.userInfo($0.bytes) }?["a"] as? String == "b")
    }

    @Test
    func existingPasswordIsEmptyWhereAnAppAsked() async throws {
        let converter = Converter()
        converter.convert = { $0.complete() }
        let answer = try await end(converter).call(Modification.Convert.self, params(password: nil))
        #expect(converter.asked == ["shiny.example.com", "anna", ""])
        #expect(converter.userInfo == nil && answer.userInfo == nil)
    }

    @Test
    func interfaceIsShownAndEndsTheRequest() async throws {
        let end = try await end(Converter())
        let running = Task { try await end.call(Modification.PrepareConvert.self, params(5)) }
        let shown = try await #require(end.screens[5].next())
        try await end.act(shown.first("button")?.id, "press", request: 5)
        #expect(try await running.value.userInfo == nil)
    }

    @Test
    func credentialIsWhatTheSystemHasVerified() async throws {
        let converter = Converter()
        converter.convert = { $0.authorize() }
        let authorizer = Authorizer(
            .success(
                .init(
                    user: "000042.person", state: "s", code: secret("c0de"), token: secret("t0ken"),
                    email: "anna@example.com", givenName: "Anna", familyName: "Appleseed")))
        #expect(await refusal(try await end(converter, authorizer), params(7))?.code == 1000)
        #expect(authorizer.asked.withLock { $0 } == [.init(request: 7, state: "s", nonce: "n")])
        let credential = try #require(converter.told?.0)
        #expect(converter.told?.1 == nil)
        #expect(credential.user == "000042.person" && credential.state == "s")
        #expect(credential.authorizationCode == Data("c0de".utf8) && credential.identityToken == Data("t0ken".utf8))
        #expect(credential.email == "anna@example.com")
        #expect(credential.fullName?.givenName == "Anna" && credential.fullName?.familyName == "Appleseed")
        #expect(credential.authorizedScopes == [.fullName, .email])
        #expect(credential.realUserStatus == .unsupported && credential.userAgeRange == .unknown)
    }

    @Test
    func whatIsNotToldIsNotThere() async throws {
        let converter = Converter()
        converter.convert = { $0.authorize(state: nil, nonce: nil) }
        let authorizer = Authorizer(.success(.init(user: "u", code: secret("c"), token: secret("t"))))
        _ = await refusal(try await end(converter, authorizer), params())
        #expect(authorizer.asked.withLock { $0 } == [.init(request: 1)])
        let credential = try #require(converter.told?.0)
        #expect(credential.state == nil && credential.email == nil && credential.fullName == nil)
        #expect(credential.authorizedScopes.isEmpty)
    }

    @Test(arguments: [
        (WireError.Code.providerExtension(1), ASExtensionError.Code.userCanceled), (.userCanceled, .userCanceled),
        (.providerExtension(0), .failed), (.expired, .failed), (.timedOut, .failed), (.methodNotFound, .failed),
    ])
    func withoutACredentialThereIsAnError(code: WireError.Code, expected: ASExtensionError.Code) async throws {
        let converter = Converter()
        converter.convert = { $0.authorize() }
        _ = await refusal(try await end(converter, Authorizer(.failure(WireError(code, "no")))), params())
        #expect(converter.told?.0 == nil && (converter.told?.1 as? ASExtensionError)?.code == expected)
    }

    // MARK: Requests that there are not

    @Test
    func nobodyIsAskedInARequestForAPassword() async throws {
        let converter = Converter()
        converter.change = { $0.authorize() }
        let authorizer = Authorizer(.success(.init(user: "u", code: secret("c"), token: secret("t"))))
        let end = try await end(converter, authorizer)
        let change = Modification.ChangePassword.Params(
            request: 1, service: ServiceStatement(type: 0, identifier: "shiny.example.com"), user: "anna",
            newPassword: secret("new"))
        #expect(await Refusal.of { try await end.call(Modification.ChangePassword.self, change) }?.code == 1000)
        #expect((converter.told?.1 as? ASExtensionError)?.code == .failed)
        #expect(authorizer.asked.withLock { $0 }.isEmpty)
    }

    @Test
    func nobodyIsAskedOutsideOfARequest() async throws {
        let context = ASAccountAuthenticationModificationExtensionContext()
        await #expect(throws: ASExtensionError.self) {
            try await context.requestSignInWithAppleUpgradeAuthorization(state: "s", nonce: "n")
        }
        let converter = Converter()
        converter.convert = { $0.complete() }
        let authorizer = Authorizer(.success(.init(user: "u", code: secret("c"), token: secret("t"))))
        _ = try await end(converter, authorizer).call(Modification.Convert.self, params())
        await #expect(throws: ASExtensionError.self) {
            try await converter.extensionContext.requestSignInWithAppleUpgradeAuthorization(state: "s", nonce: "n")
        }
        #expect(authorizer.asked.withLock { $0 }.isEmpty)
    }

    @Test
    func anotherAnswerIsAFailure() async throws {
        let converter = Converter()
        converter.convert = {
            $0.extensionContext.completeChangePasswordRequest(
                updatedCredential: ASPasswordCredential(user: "anna", password: "new"))
        }
        #expect(await refusal(try await end(converter), params())?.code == 1000)
    }

    @Test
    func defaultsRefuse() async throws {
        let end = try await DaemonEnd.startedModification { ASAccountAuthenticationModificationViewController() }
        #expect(await refusal(end, params(1))?.code == 1000)
        #expect(await Refusal.of { try await end.call(Modification.PrepareConvert.self, params(2)) }?.code == 1000)
    }

    @Test(arguments: [2, 99])
    func whatIsNotKnownIsAFailure(type: Int) async throws {
        let converter = Converter()
        converter.convert = { $0.complete() }
        let refused = await refusal(try await end(converter), params(type: type))
        #expect(type == 2 ? refused == nil : refused?.code == 1000)
    }

    @Test
    func nonsenseAlongTheWayIsAFailure() async throws {
        let end = try await end(Converter())
        for text in ["", "!", "AAAA"] {
            #expect(await refusal(end, params(userInfo: secret(text)))?.code == 1000, "\(text)")
        }
    }

    @Test
    func providersConvertNothing() async throws {
        let end = try await DaemonEnd.started { ASCredentialProviderViewController() }
        #expect(await refusal(end, params())?.code == WireError.Code.methodNotFound.rawValue)
    }
}
