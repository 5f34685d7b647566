// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// Requests to save and to generate, on their way to a controller and back.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct SavingTests {
    private final class Keeper: ASCredentialProviderViewController {
        /// What it was asked; each test has one of its own, because they run beside one another.
        var log = Log()

        final class Log {
            var lines: [String] = []
        }

        override func performWithoutUserInteractionIfPossible(savePasswordRequest: ASSavePasswordRequest) {
            let request = savePasswordRequest
            log.lines = [
                "\(request.serviceIdentifier.identifier) \(request.credential.user) \(request.credential.password)",
                "\(request.event) \(request.sessionID) \(request.passwordKind?.rawValue ?? "-")",
            ]
            if request.event == .formDidDisappear {
                return extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
            }
            extensionContext.completeSavePasswordRequest { _ in }
        }

        override func prepareInterface(for savePasswordRequest: ASSavePasswordRequest) {
            Task { await extensionContext.completeSavePasswordRequest() }
        }

        override func performWithoutUserInteraction(generatePasswordsRequest: ASGeneratePasswordsRequest) {
            let rules = [
                generatePasswordsRequest.passwordFieldPasswordRules,
                generatePasswordsRequest.confirmPasswordFieldPasswordRules,
                generatePasswordsRequest.passwordRulesFromQuirks,
            ]
            let value = rules.map { $0 ?? "-" }.joined(separator: "|")
            extensionContext.completeGeneratePasswordRequest(
                results: (0..<20).map { ASGeneratedPassword(kind: .strong, value: "\(value) \($0)") }
            )
        }
    }

    /// Has the user choose a password.
    private final class Chooser: ASCredentialProviderViewController {
        override func prepareInterface(for generatePasswordsRequest: ASGeneratePasswordsRequest) {
            let rules = generatePasswordsRequest.passwordFieldPasswordRules ?? "-"
            Task {
                await extensionContext.completeGeneratePasswordRequest(
                    results: [ASGeneratedPassword(kind: .passphrase, value: "chosen by \(rules)")])
            }
        }
    }

    private func params(_ event: String, type: Int = 1) -> Saving.Save.Params {
        .init(
            request: 1, service: ServiceStatement(type: type, identifier: "https://a.example"), user: "anna",
            password: WireSecret(SecretBytes(utf8: "secret")), session: "S", event: event, kind: "STRONG")
    }

    @Test
    func controllerIsToldEverything() async throws {
        let log = Keeper.Log()
        let end = try await DaemonEnd.started {
            let keeper = Keeper()
            keeper.log = log
            return keeper
        }
        _ = try await end.call(Saving.Save.self, params("generatedPasswordFilled"))
        #expect(log.lines == ["https://a.example anna secret", "generatedPasswordFilled S STRONG"])
    }

    @Test
    func interactionIsAskedForAndThenHasItsInterface() async throws {
        let end = try await DaemonEnd.started { Keeper() }
        #expect(
            await Refusal.of { try await end.call(Saving.Save.self, params("formDidDisappear")) } == Refusal(1100))
        _ = try await end.call(Saving.PrepareSave.self, params("formDidDisappear"))
    }

    @Test(arguments: [("nonsense", 1), ("", 1), ("userInitiated", 99)])
    func whatIsNotKnownIsAFailure(event: String, type: Int) async throws {
        let end = try await DaemonEnd.started { Keeper() }
        let refusal = await Refusal.of { try await end.call(Saving.Save.self, params(event, type: type)) }
        #expect(refusal?.code == 1000)
    }

    @Test
    func rulesArriveAndAFewPasswordsComeBack() async throws {
        let end = try await DaemonEnd.started { Keeper() }
        let answer = try await end.call(
            Saving.Generate.self,
            .init(
                request: 1, service: ServiceStatement(type: 1, identifier: "https://a.example"),
                fieldRules: "minlength: 8", quirkRules: "maxlength: 12"))
        #expect(answer.passwords.count == 10)
        #expect(answer.passwords.first?.kind == "STRONG")
        #expect(answer.passwords.first?.password == WireSecret(SecretBytes(utf8: "minlength: 8|-|maxlength: 12 0")))
    }

    @Test
    func passwordIsChosenInAnInterface() async throws {
        let end = try await DaemonEnd.started { Chooser() }
        let params = Saving.PrepareGenerate.Params(
            request: 1, service: ServiceStatement(type: 1, identifier: "https://a.example"), fieldRules: "minlength: 8")
        let answer = try await end.call(Saving.PrepareGenerate.self, params)
        #expect(answer.passwords.map(\.kind) == ["PASSPHRASE"])
        #expect(answer.passwords.first?.password == WireSecret(SecretBytes(utf8: "chosen by minlength: 8")))
        var other = params
        (other.request, other.service.type) = (2, 99)
        #expect(await Refusal.of { try await end.call(Saving.PrepareGenerate.self, other) }?.code == 1000)
        let plain = try await DaemonEnd.started { ASCredentialProviderViewController() }
        #expect(await Refusal.of { try await plain.call(Saving.PrepareGenerate.self, params) }?.code == 1000)
    }

    @Test
    func providerThatDoesNeitherSaysSo() async throws {
        let end = try await DaemonEnd.started { ASCredentialProviderViewController() }
        #expect(
            await Refusal.of { try await end.call(Saving.Save.self, params("userInitiated")) }?.code == 1000)
        let generate = Saving.Generate.Params(request: 2, service: ServiceStatement(type: 1, identifier: "a"))
        #expect(await Refusal.of { try await end.call(Saving.Generate.self, generate) }?.code == 1000)
    }
}
