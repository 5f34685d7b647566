// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProviderTesting
import Testing

@testable import AuthenticationServices

/// Requests to change passwords, on their way to a controller and back.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ModificationRuntimeTests {
    /// An extension that does what a test says.
    private final class Changer: ASAccountAuthenticationModificationViewController {
        typealias Step = @MainActor (Changer) -> Void

        var change: Step = { _ in }
        var interface: Step = { _ in }
        var atCancel: Step = { _ in }
        private(set) var asked: [String] = []
        /// Something arrives when it is asked without its interface.
        let beginning = Arrival<Void>()
        private(set) var userInfo: [AnyHashable: Any]?
        private(set) var isCanceled = false

        override func changePasswordWithoutUserInteraction(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            newPassword: String, userInfo: [AnyHashable: Any]?
        ) {
            asked = [
                serviceIdentifier.identifier, existingCredential.user, existingCredential.password, newPassword,
            ]
            self.userInfo = userInfo
            beginning.arrive(())
            change(self)
        }

        override func prepareInterfaceToChangePassword(
            for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
            newPassword: String, userInfo: [AnyHashable: Any]?
        ) {
            interface(self)
        }

        override func cancelRequest() {
            isCanceled = true
            atCancel(self)
            super.cancelRequest()
        }

        func complete(_ password: String = "new", userInfo: [AnyHashable: Any]? = nil) {
            extensionContext.completeChangePasswordRequest(
                updatedCredential: ASPasswordCredential(user: "anna", password: password), userInfo: userInfo)
        }
    }

    private func params(
        _ request: Int = 1, password: String? = "old", userInfo: WireSecret? = nil, type: Int = 0
    ) -> Modification.ChangePassword.Params {
        .init(
            request: request, service: ServiceStatement(type: type, identifier: "shiny.example.com"), user: "anna",
            password: password.map { WireSecret(SecretBytes(utf8: $0)) },
            newPassword: WireSecret(SecretBytes(utf8: "new")), userInfo: userInfo)
    }

    private func end(_ changer: Changer) async throws -> DaemonEnd {
        try await DaemonEnd.startedModification { changer }
    }

    private func refusal(_ end: DaemonEnd, _ params: Modification.ChangePassword.Params) async -> Refusal? {
        await Refusal.of { try await end.call(Modification.ChangePassword.self, params) }
    }

    @Test
    func controllerIsToldEverythingAndItsAnswerComesBack() async throws {
        let changer = Changer()
        changer.change = { $0.complete(userInfo: ["a": "b"]) }
        let end = try await end(changer)
        let sent = try #require(UserInfoList(["token": "t", "n": 3, "list": ["x"]]))
        let answer = try await end.call(
            Modification.ChangePassword.self, params(userInfo: WireSecret(sent.bytes)))
        #expect(changer.asked == ["shiny.example.com", "anna", "old", "new"])
        #expect(changer.userInfo?["token"] as? String == "t")
        #expect(changer.userInfo?["n"] as? Int == 3)
        #expect(answer.user == "anna")
        #expect(answer.password == WireSecret(SecretBytes(utf8: "new")))
        #expect(answer.userInfo.flatMap { UserInfoList.userInfo($0.bytes) }?["a"] as? String == "b")
    }

    @Test
    func existingPasswordIsEmptyWhereAnAppAsked() async throws {
        let changer = Changer()
        changer.change = { $0.complete() }
        let end = try await end(changer)
        let answer = try await end.call(Modification.ChangePassword.self, params(password: nil))
        #expect(changer.asked == ["shiny.example.com", "anna", "", "new"])
        #expect(changer.userInfo == nil && answer.userInfo == nil)
    }

    @Test
    func interfaceIsShownAndEndsTheRequest() async throws {
        let changer = Changer()
        changer.interface = { changer in
            changer.view.addSubview(ButtonView("Go") { [weak changer] in changer?.complete("other") })
        }
        let end = try await end(changer)
        let running = Task { try await end.call(Modification.PrepareChangePassword.self, params(5)) }
        let shown = try await #require(end.screens[5].next())
        try await end.act(shown.first("button")?.id, "press", request: 5)
        #expect(try await running.value.password == WireSecret(SecretBytes(utf8: "other")))
    }

    @Test
    func interfaceIsRefusedWhereNoneMayBeShown() async throws {
        let changer = Changer()
        changer.change = { $0.view.addSubview(ButtonView("Go") {}) }
        #expect(await refusal(try await end(changer), params())?.code == 1000)
    }

    @Test
    func cancelReachesTheController() async throws {
        let changer = Changer()
        let end = try await end(changer)
        let running = Task { await refusal(end, params(9)) }
        _ = await changer.beginning.next()
        try end.cancel(9)
        #expect(await running.value?.code == 1001)
        #expect(changer.isCanceled)
    }

    /// The service had the new password already: that is not lost.
    @Test
    func controllerMayCompleteWhenItIsCanceled() async throws {
        let changer = Changer()
        changer.atCancel = { $0.complete() }
        let end = try await end(changer)
        let running = Task { try await end.call(Modification.ChangePassword.self, params(9)) }
        _ = await changer.beginning.next()
        try end.cancel(9)
        #expect(try await running.value.password == WireSecret(SecretBytes(utf8: "new")))
    }

    @Test
    func whoEndsTheRequestFirstDecides() async throws {
        let changer = Changer()
        changer.change = { changer in
            changer.extensionContext.cancelRequest(withError: ASExtensionError(.userInteractionRequired))
            changer.complete()
        }
        #expect(await refusal(try await end(changer), params())?.code == 1100)
        #expect(!changer.isCanceled)
    }

    @Test
    func defaultsRefuse() async throws {
        let end = try await DaemonEnd.startedModification { ASAccountAuthenticationModificationViewController() }
        #expect(await refusal(end, params(1))?.code == 1000)
        #expect(
            await Refusal.of { try await end.call(Modification.PrepareChangePassword.self, params(2)) }?.code == 1000)
    }

    @Test
    func sentenceForTheUserTravels() async throws {
        let changer = Changer()
        changer.change = { changer in
            let reason = [ASExtensionLocalizedFailureReasonErrorKey: "Authentication failed."]
            changer.extensionContext.cancelRequest(withError: ASExtensionError(.failed, userInfo: reason))
        }
        let end = try await end(changer)
        await #expect { try await end.call(Modification.ChangePassword.self, params()) } throws: {
            ($0 as? WireError)?.reason == "Authentication failed."
        }
    }

    @Test
    func whatWasNotAskedForIsAFailure() async throws {
        let changer = Changer()
        changer.change = { $0.extensionContext.completeUpgradeToSignInWithApple() }
        #expect(await refusal(try await end(changer), params())?.code == 1000)
    }

    @Test(arguments: [2, 99])
    func whatIsNotKnownIsAFailure(type: Int) async throws {
        let changer = Changer()
        changer.change = { $0.complete() }
        let refused = await refusal(try await end(changer), params(type: type))
        #expect(type == 2 ? refused == nil : refused?.code == 1000)
    }

    @Test
    func nonsenseAlongTheWayIsAFailure() async throws {
        let end = try await end(Changer())
        for text in ["", "!", "AAAA", Data("<plist/>".utf8).base64EncodedString()] {
            let sent = WireSecret(SecretBytes(utf8: text))
            #expect(await refusal(end, params(userInfo: sent))?.code == 1000, "\(text)")
        }
    }

    /// The kinds of extensions have nothing in common but how they begin and end.
    @Test
    func eachKindAnswersItsOwnMethodsOnly() async throws {
        let changer = try await end(Changer())
        #expect(await Refusal.of { try await changer.provide() }?.code == -32601)
        let save = Saving.Save.Params(
            request: 2, service: ServiceStatement(type: 0, identifier: "a"), user: "u",
            password: WireSecret(SecretBytes(utf8: "p")), session: "s", event: "userInitiated")
        #expect(await Refusal.of { try await changer.call(Saving.Save.self, save) }?.code == -32601)
        let provider = try await DaemonEnd.started { ASCredentialProviderViewController() }
        #expect(await refusal(provider, params())?.code == -32601)
    }

    @Test
    func listsTravelAndNothingElse() throws {
        let full: [AnyHashable: Any] = [
            "s": "text", "i": 4, "d": 1.5, "b": true, "data": Data([1]), "date": Date(timeIntervalSince1970: 5),
            "array": [1, "x"], "map": ["k": "v"],
        ]
        let read = try #require(UserInfoList(full).flatMap { UserInfoList.userInfo($0.bytes) })
        #expect(read["s"] as? String == "text" && read["i"] as? Int == 4 && read["d"] as? Double == 1.5)
        #expect(read["b"] as? Bool == true && read["data"] as? Data == Data([1]))
        #expect(read["date"] as? Date == Date(timeIntervalSince1970: 5))
        #expect((read["map"] as? [String: Any])?["k"] as? String == "v")
        for bad in [[1: "x"], ["x": NSObject()], ["x": ["y": ["z": URL(fileURLWithPath: "/")]]]] as [[AnyHashable: Any]]
        {
            #expect(UserInfoList(bad) == nil)
        }
        #expect(UserInfoList(["x": String(repeating: "a", count: 70_000)]) == nil)
        var deep: [String: Any] = [:]
        for _ in 0..<20 { deep = ["x": deep] }
        #expect(UserInfoList(["x": deep]) == nil)
    }

    @Test
    func outsideOfARequestEverythingHasExpired() async {
        let controller = ASAccountAuthenticationModificationViewController()
        controller.cancelRequest()
        controller.extensionContext.completeChangePasswordRequest(
            updatedCredential: ASPasswordCredential(user: "a", password: "b"))
        await #expect {
            try await controller.extensionContext.requestSignInWithAppleUpgradeAuthorization(
                state: nil, nonce: nil)
        } throws: {
            ASExtensionError.failed ~= $0
        }
    }
}
