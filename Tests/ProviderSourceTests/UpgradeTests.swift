// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices
@testable import UpgradeExtension

/// The extension and the app of Apple's article on account upgrades, run.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct UpgradeTests {
    /// A service that says what a test wants.
    private final class Server: AccountServer {
        var result: Result<String, AccountServerError>?
        private(set) var asked: [String?] = []
        private(set) var converted = 0

        init(_ result: Result<String, AccountServerError>?) {
            self.result = result
        }

        func changePassword(
            of user: String, from password: String, token: String?, to newPassword: String, code: String?,
            completion: @escaping (Result<String, AccountServerError>) -> Void
        ) {
            asked = [user, password, token, newPassword, code]
            completion(result ?? (code == nil ? .failure(.secondFactorNeeded) : .success(newPassword)))
        }

        func convertToSignInWithApple(user: String, identityToken: Data?, completion: @escaping (Bool) -> Void) {
            converted += 1
            completion(true)
        }
    }

    private func end(_ server: Server) async throws -> DaemonEnd {
        try await DaemonEnd.startedModification {
            let controller = AccountAuthenticationModificationViewController()
            controller.server = server
            return controller
        }
    }

    private func params(password: String? = "password1", userInfo: [AnyHashable: Any]? = nil)
        -> Modification.ChangePassword.Params
    {
        .init(
            request: 1, service: ServiceStatement(type: 0, identifier: "myservice.example.com"), user: "jappleseed",
            password: password.map { WireSecret(SecretBytes(utf8: $0)) },
            newPassword: WireSecret(SecretBytes(utf8: "strong")),
            userInfo: userInfo.flatMap { UserInfoList($0) }.map { WireSecret($0.bytes) })
    }

    @Test func automaticUpgrade() async throws {
        let server = Server(.success("strong"))
        let answer = try await end(server).call(Modification.ChangePassword.self, params())
        #expect(server.asked == ["jappleseed", "password1", nil, "strong", nil])
        #expect(answer.password == WireSecret(SecretBytes(utf8: "strong")))
    }

    @Test func serverMaySetAnother() async throws {
        let answer = try await end(Server(.success("other"))).call(Modification.ChangePassword.self, params())
        #expect(answer.password == WireSecret(SecretBytes(utf8: "other")))
    }

    @Test func appGivesATokenInsteadOfThePassword() async throws {
        let server = Server(.success("strong"))
        let asked = params(password: nil, userInfo: ["com.example.authTokenKey": "token"])
        _ = try await end(server).call(Modification.ChangePassword.self, asked)
        #expect(server.asked == ["jappleseed", "", "token", "strong", nil])
    }

    @Test(
        arguments: [
            (AccountServerError.secondFactorNeeded, 1100, nil), (.refused, 1000, "Authentication failed."),
            (.unreachable, 1000, nil),
        ] as [(AccountServerError, Int, String?)])
    func errorsAreThoseOfTheArticle(error: AccountServerError, code: Int, reason: String?) async throws {
        let end = try await end(Server(.failure(error)))
        await #expect { try await end.call(Modification.ChangePassword.self, params()) } throws: {
            let error = $0 as? WireError
            return error?.code.rawValue == code && error?.reason == reason
        }
    }

    @Test func secondFactorIsAskedForInTheInterface() async throws {
        let server = Server(nil)
        let end = try await end(server)
        let running = Task { try await end.call(Modification.PrepareChangePassword.self, params()) }
        let shown = try await #require(end.screens[1].next())
        #expect(shown.kinds == ["message", "text", "button"])
        try await end.act(
            shown.first("button")?.id, "press", fields: [shown.first("text")?.id ?? "": "123456"])
        let answer = try await running.value
        #expect(server.asked.last == "123456")
        #expect(
            answer.userInfo.flatMap { UserInfoList.userInfo($0.bytes) }?["com.example.sessionKey"] as? String
                == "session")
    }

    @Test func cancelCleansUp() async throws {
        let controller = AccountAuthenticationModificationViewController()
        controller.server = Server(.success("strong"))
        let end = try await DaemonEnd.startedModification { controller }
        let running = Task { try await end.call(Modification.PrepareChangePassword.self, params()) }
        _ = await end.screens[1].next()
        try end.cancel(1)
        await #expect(throws: WireError.self) { try await running.value }
        #expect(controller.didCleanUp)
    }

    // MARK: Sign in with Apple

    private func converting(
        _ server: Server, withInterface: Bool,
        authorize: @escaping @Sendable (Modification.Authorize.Params) async throws -> Modification.Authorize.Answer
    ) async throws -> Modification.Converted {
        let end = try await DaemonEnd.startedModification(authorize: authorize) {
            let controller = AccountAuthenticationModificationViewController()
            controller.server = server
            return controller
        }
        let params = Modification.Convert.Params(
            request: 1, service: ServiceStatement(type: 0, identifier: "myservice.example.com"), user: "jappleseed",
            password: WireSecret(SecretBytes(utf8: "password1")))
        return withInterface
            ? try await end.call(Modification.PrepareConvert.self, params)
            : try await end.call(Modification.Convert.self, params)
    }

    @Test(arguments: [false, true])
    func upgradeToSignInWithApple(withInterface: Bool) async throws {
        let server = Server(nil)
        _ = try await converting(server, withInterface: withInterface) { asked in
            #expect(asked.request == 1)
            #expect(asked.state == (withInterface ? nil : "state") && asked.nonce == (withInterface ? nil : "nonce"))
            return .init(
                user: "000042.person", state: asked.state, code: WireSecret(SecretBytes(utf8: "code")),
                token: WireSecret(SecretBytes(utf8: "token")))
        }
        #expect(server.converted == 1)
    }

    /// What the article says of the user's no, and of a device that cannot reach Apple's servers.
    @Test(arguments: [(false, 1001), (true, 1001), (false, 1000), (true, 1000)])
    func withoutACredentialNothingIsConverted(withInterface: Bool, code: Int) async throws {
        let server = Server(nil)
        await #expect {
            try await converting(server, withInterface: withInterface) { _ in
                throw WireError(.init(rawValue: code), "no")
            }
        } throws: {
            ($0 as? WireError)?.code.rawValue == code
        }
        #expect(server.converted == 0)
    }

    @Test func appIsToldHowItEnded() {
        let screen = AccountSecurityViewController()
        let controller = ASAccountAuthenticationModificationController()
        let request = ASAccountAuthenticationModificationRequest()
        screen.accountAuthenticationModificationController(
            controller, didSuccessfullyComplete: request, userInfo: ["com.example.sessionKey": "s"])
        #expect(screen.message == "done" && screen.sessionToken == "s")
        for (code, message) in [(ASExtensionError.Code.userCanceled, "canceled"), (.failed, "failed")] {
            screen.accountAuthenticationModificationController(
                controller, didFail: request, error: ASExtensionError(code))
            #expect(screen.message == message)
        }
        let quiet = QuietUpgradeDelegate()
        quiet.accountAuthenticationModificationController(
            controller, didFail: request, error: ASExtensionError(.failed))
        #expect(screen.presentationAnchor(for: controller) !== UIWindow())
    }
}
