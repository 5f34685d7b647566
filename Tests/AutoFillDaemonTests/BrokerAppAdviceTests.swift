// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// After a sign-in in an app with a weak password the user is asked whether the app's extension is to change it.
@Suite(.timeLimit(.minutes(2))) struct BrokerAppAdviceTests {
    private static let other = "E5336VM85F.com.example.Other"
    private static let optOut = "ASAccountAuthenticationModificationOptOutOfSecurityPromptsOnSignIn"

    /// A world with an app in it that the user has said yes to.
    private struct Scene {
        let world: FakeUpgrade
        let window: AppWindow
        let app: FakeApp

        var broker: Broker { world.broker }

        var capabilities: Capabilities { world.capabilities }

        init(_ world: FakeUpgrade, is identifier: String = FakeApp.identifier) async throws {
            self.world = world
            window = AppWindow(daemon: world.daemon)
            await window.open()
            app = try FakeApp(in: world.daemon.programs, claims: identifier)
            let looked = try await world.capabilities.apps.known.look(.init(path: app.path)).app
            _ = try await world.capabilities.apps.known.grant(
                .init(
                    path: app.path, digest: try #require(looked.digest), identifier: identifier,
                    domains: looked.domains))
        }

        /// Signs in, up to where the app has its password.
        func signIn() async throws {
            let asked = window.ask(app)
            let (prompt, _) = try await window.chooser()
            try await window.act(prompt, "passwords", "select", row: "0")
            #expect(try await asked.value.credential.password?.bytes.text == "canary")
        }

        /// The question that follows.
        func question() async throws -> (prompt: String, interface: InterfaceStatement) {
            let prompt = await window.browser.prompt()
            let shown = await window.shown(prompt) { $0.elements.contains { $0.id == UpgradeQuestion.agree } }
            return (prompt, try #require(shown))
        }

        func press(_ prompt: String, _ button: String) async throws {
            try await window.act(prompt, button, "press")
        }

        /// How it ended, as the user is told.
        func ending(_ prompt: String) async throws -> String {
            let shown = await window.shown(prompt) { $0.elements.contains { $0.id == UpgradeQuestion.done } }
            return try #require(shown).texts.joined(separator: " ")
        }

        /// What the broker is told of a sign-in, which may be another one than has been.
        func statement(
            on surface: AuthenticationPolicy.Surface = .window, of identity: CredentialIdentity = .shiny,
            by provider: BundleIdentifier = .builtIn
        ) async throws -> AppFilling.AppSignIn {
            let process = try #require(app.client.process)
            let requester = AppRequester(
                process: process, caller: try await broker.callers.identity(of: process))
            return .init(
                app: try #require(await capabilities.apps.requests.confirm(requester)), requester: requester,
                surface: .init(renderer: window.browser.client, kind: surface, seat: nil), identity: identity,
                provider: provider)
        }

        func expectUntouched(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(world.notes("asked").isEmpty, sourceLocation: sourceLocation)
            #expect(world.notes("saved").isEmpty, sourceLocation: sourceLocation)
        }

        /// That nobody is asked after a sign-in.
        func expectNoQuestion(
            _ signIn: AppFilling.AppSignIn, sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            await capabilities.apps.filling.advise(after: signIn)
            #expect(await capabilities.apps.filling.advised.isEmpty, sourceLocation: sourceLocation)
            expectUntouched(sourceLocation: sourceLocation)
        }
    }

    // MARK: The main job

    @Test func yesChangesThePassword() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, interface) = try await scene.question()
        let text = interface.texts.joined(separator: " ")
        for part in ["rmondello", "shiny.example.com", "It is weak.", scene.app.path] { #expect(text.contains(part)) }
        scene.expectUntouched()
        try await scene.press(prompt, UpgradeQuestion.agree)
        #expect(try await scene.ending(prompt).contains("was changed, and saved"))
        #expect(
            scene.world.notes("asked") == ["provider.changePassword shiny.example.com rmondello canary made-canary"])
        #expect(scene.world.notes("saved").last == "userInitiated rmondello made-canary")
        let lines = try await scene.world.lines()
        #expect(lines.map(\.event) == ["released", "released", "released", "updated"])
        #expect(lines.allSatisfy { $0.act == "window" })
        try await scene.press(prompt, UpgradeQuestion.done)
    }

    // MARK: The user says no

    @Test(arguments: ["press", "cancel"])
    func noIsNoneToTheApp(how: String) async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        if how == "press" {
            try await scene.press(prompt, UpgradeQuestion.refuse)
        } else {
            #expect(await scene.capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        }
        // The app asks again at once, is given what it was given, and nobody is asked once more.
        try await scene.signIn()
        try await scene.signIn()
        await scene.capabilities.apps.filling.advise(after: try await scene.statement())
        #expect(await scene.capabilities.apps.filling.advised.count == 1)
        scene.expectUntouched()
    }

    @Test func askedAgainAfterTheNextUnlock() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        await scene.broker.lock(reason: "a test")
        await scene.window.dismissed(prompt)
        #expect(await scene.capabilities.apps.filling.advised.isEmpty)
        try await scene.broker.unlock(passphrase: scene.world.daemon.passphrase)
        try await scene.signIn()
        let (again, _) = try await scene.question()
        try await scene.press(again, UpgradeQuestion.refuse)
        scene.expectUntouched()
    }

    @Test("S3: where the preference demands it the passphrase comes between the press and the change")
    func passphraseThatIsNotGiven() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        _ = try await scene.broker.setPreferences(.init(authentication: "always"))
        try await scene.press(prompt, UpgradeQuestion.agree)
        let asked = await scene.window.browser.prompt()
        #expect(await scene.capabilities.shared.questions.desk.show(asked, on: 1)?.kind == "upgrade")
        try await scene.capabilities.shared.questions.desk.answer(.init(prompt: asked, accept: false), on: 1)
        let ending = try await scene.ending(prompt)
        #expect(!ending.contains("was changed, and saved"))
        scene.expectUntouched()
        // That too is no refusal of the app.
        _ = try await scene.broker.setPreferences(.init(authentication: "never"))
        try await scene.signIn()
    }

    // MARK: Nobody is asked

    @Test func terminalIsTheAppsAgain() async throws {
        let scene = try await Scene(FakeUpgrade())
        for surface in [AuthenticationPolicy.Surface.terminal, .bar, .popup] {
            await scene.expectNoQuestion(try await scene.statement(on: surface))
        }
    }

    @Test func passwordWithoutAFinding() async throws {
        let hidden = try await Scene(FakeUpgrade(keeper: FakeUpgrade.keeper(isHidden: true)))
        try await hidden.signIn()
        await hidden.expectNoQuestion(try await hidden.statement())
        let good = try await Scene(FakeUpgrade(keeper: FakeUpgrade.keeper(record: "r9")))
        try await good.signIn()
        await good.expectNoQuestion(try await good.statement())
    }

    @Test func appThatOptsOut() async throws {
        let scene = try await Scene(FakeUpgrade(app: [Self.optOut: true]))
        try await scene.signIn()
        await scene.expectNoQuestion(try await scene.statement())
    }

    @Test func extensionThatIsNotEnabledOrCannotDoIt() async throws {
        let without = try await Scene(FakeUpgrade(isEnabled: false))
        try await without.signIn()
        await without.expectNoQuestion(try await without.statement())
        let unable = try await Scene(
            FakeUpgrade(attributes: ["ASAccountAuthenticationModificationSupportsUpgradeToSignInWithApple": true]))
        try await unable.signIn()
        await unable.expectNoQuestion(try await unable.statement())
    }

    @Test("S21: an extension of another app is not offered, whatever it can change")
    func extensionOfAnotherApp() async throws {
        let scene = try await Scene(
            FakeUpgrade(confirming: [FakeApp.identifier, Self.other]), is: Self.other)
        try await scene.signIn()
        await scene.expectNoQuestion(try await scene.statement())
    }

    @Test func whatIsNoSavedPasswordOfThisProviders() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        try await scene.press(prompt, UpgradeQuestion.refuse)
        await scene.capabilities.apps.filling.forgetAdvice()
        let provider = try #require(BundleIdentifier("com.example.shiny"))
        var (code, unknown, renamed, elsewhere) = (
            CredentialIdentity.shiny, CredentialIdentity.shiny, CredentialIdentity.shiny, CredentialIdentity.shiny
        )
        code.type = .oneTimeCode
        unknown.recordIdentifier = nil
        renamed.user = "somebody"
        elsewhere.service = .init(written: "bank.example")
        await scene.expectNoQuestion(try await scene.statement(by: provider))
        for identity in [code, unknown, renamed, elsewhere] {
            await scene.expectNoQuestion(try await scene.statement(of: identity))
        }
    }

    @Test func browserThatIsGoneAndALockedLatchkey() async throws {
        let scene = try await Scene(FakeUpgrade())
        let signIn = try await scene.statement()
        await scene.broker.lock(reason: "a test")
        await scene.expectNoQuestion(signIn)
        try await scene.broker.unlock(passphrase: scene.world.daemon.passphrase)
        await scene.broker.disconnected(scene.window.browser.client)
        await scene.expectNoQuestion(signIn)
    }

    // MARK: Once it is asked

    @Test func endOfTheAppAndItsCancelAreNothingToIt() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        await scene.capabilities.apps.requests.cancelAuthorization(on: scene.app.client)
        await scene.broker.disconnected(scene.app.client)
        try await scene.press(prompt, UpgradeQuestion.agree)
        #expect(try await scene.ending(prompt).contains("was changed, and saved"))
    }

    @Test func accountThatHasGoneMeanwhileIsNotChanged() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        _ = try await scene.capabilities.shared.stores.handleStore(
            Provider.ReplaceIdentities.name, JSONValue(encoding: IdentitiesParams(identities: [])), of: .builtIn)
        try await scene.press(prompt, UpgradeQuestion.agree)
        #expect(try await scene.ending(prompt).contains("can no longer be changed"))
        scene.expectUntouched()
    }

    @Test func extensionThatIsDisabledMeanwhileIsNotAsked() async throws {
        let scene = try await Scene(FakeUpgrade())
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        _ = try await scene.capabilities.settings.providers.disable(FakeUpgrade.identifier)
        try await scene.press(prompt, UpgradeQuestion.agree)
        #expect(try await scene.ending(prompt).contains("can no longer be changed"))
        scene.expectUntouched()
    }

    @Test func failureIsToldToTheUserAndBothPasswordsStay() async throws {
        let scene = try await Scene(
            FakeUpgrade(script: FakeUpgrade.script(change: { try $0.failed($1, reason: "Not today.") })))
        try await scene.signIn()
        let (prompt, _) = try await scene.question()
        try await scene.press(prompt, UpgradeQuestion.agree)
        let ending = try await scene.ending(prompt)
        #expect(ending.contains("Not today.") && ending.contains("old password stays saved"))
        #expect(try await scene.world.unsettled().count == 1)
        #expect(scene.world.notes("saved").contains { $0.hasPrefix("userInitiated") } == false)
    }
}

extension AppFilling {
    fileprivate func forgetAdvice() { advised = [] }
}
