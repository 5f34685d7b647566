// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Accounts that are converted to Sign in with Apple by an app's extension, whole.
@Suite(.timeLimit(.minutes(2))) struct BrokerConversionTests {
    /// Nothing was removed, and nothing is known of a conversion.
    private func expectUntouched(
        _ world: FakeConversion, event: String = "refused", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(world.notes("removed").isEmpty && world.notes("edited").isEmpty, sourceLocation: sourceLocation)
        #expect(try await world.converted().isEmpty, sourceLocation: sourceLocation)
        #expect(try await world.world.lines().last?.event == event, sourceLocation: sourceLocation)
    }

    @Test func convertsAnAccountAndRemovesItsPassword() async throws {
        let (world, browser) = (try await FakeConversion(), FakeConversion.browser())
        let answer = try await world.convert(browser)
        #expect(
            answer
                == .init(
                    service: "shiny.example.com", user: "rmondello", provider: "Passwords", extension: "Shiny",
                    password: "removed"))
        #expect(
            world.notes("asked") == ["provider.convertToSignInWithApple shiny.example.com rmondello canary"])
        let open: WebAuthentication.Open.Params = try await browser.next(WebAuthentication.Open.name).decoded()
        #expect(open.url.hasPrefix("https://appleid.apple.com/auth/authorize?response_type=code%20id_token&"))
        #expect(open.callback == .init(host: "shiny.example.com", path: "/auth/return") && open.post && !open.ephemeral)
        #expect(
            world.answers == [
                [
                    "code": .secret(utf8: "c0de"), "email": "a@example.com", "givenName": "Johnny", "state": "s1",
                    "token": .secret(utf8: "good"), "user": "000042.person",
                ]
            ])
        // Nothing but what the reader has to know, and bound to the request.
        let read = try #require(world.fetched().last)
        #expect(read.contains(#""nonce":"n1""#) && read.contains(#""client":"com.example.shiny.signin""#))
        #expect(!read.contains("state"))
        #expect(world.notes("removed") == ["r1"])
        let converted = try await world.converted()
        #expect(converted.map(\.user) == ["rmondello"] && converted.map(\.password) == ["removed"])
        #expect(converted.map(\.app) == [FakeApp.identifier])
        let lines = try await world.world.lines()
        #expect(lines.map(\.event) == ["released", "converted"])
        #expect(lines.last?.reason == "the password was removed" && lines.last?.purpose == "Sign in with Apple")
        #expect(try await world.world.unsettled().isEmpty)
    }

    @Test func accountWithoutARecordKeepsItsPasswordAndIsMarked() async throws {
        let identity = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "rmondello",
            recordIdentifier: nil)
        let world = try await FakeConversion(identities: [identity])
        #expect(try await world.convert(FakeConversion.browser()).password == "kept")
        #expect(world.notes("removed").isEmpty)
        #expect(await world.capabilities.shared.convertedAccounts.isConverted(identity, of: .builtIn))
        #expect(
            await !world.capabilities.shared.convertedAccounts.isConverted(
                CredentialIdentity(
                    type: .password, service: identity.service, user: "anna", recordIdentifier: nil), of: .builtIn))
    }

    @Test func settingsPageConvertsWhatItsUserAgreedTo() async throws {
        let (world, browser) = (try await FakeConversion(), FakeConversion.browser())
        await world.broker.connected(browser.client)
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let run = Upgrades.Run.Params(
            service: "shiny.example.com", user: "rmondello", kind: Modification.signInWithApple)
        await #expect {
            try await world.capabilities.upgrades.accounts.upgradeAsPlanned(run, on: browser.client)
        } throws: {
            code($0) == .notPermitted
        }
        // The extension changes no passwords: to that there is nothing to agree.
        #expect(
            try await world.capabilities.upgrades.accounts.planUpgrades(.init(), on: browser.client).accounts.isEmpty)
        await #expect {
            try await world.capabilities.upgrades.accounts.planUpgrades(.init(kind: "passkey"), on: browser.client)
        } throws: {
            code($0) == .invalidParams
        }
        let planning = Task {
            try await world.capabilities.upgrades.accounts.planUpgrades(
                .init(service: "shiny.example.com", user: "rmondello", kind: Modification.signInWithApple),
                on: browser.client
            ).accounts.map(\.user)
        }
        let prompt = await browser.prompt()
        let shown = try #require(await world.capabilities.shared.questions.desk.show(prompt, on: 5))
        #expect(shown.kind == "upgrade" && shown.thing == "conversion" && shown.user == "rmondello")
        try await world.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(world.world.daemon.passphrase)), on: 5)
        #expect(try await planning.value == ["rmondello"])
        #expect(
            try await world.capabilities.upgrades.accounts.upgradeAsPlanned(run, on: browser.client).password
                == "removed")
        #expect(world.notes("removed") == ["r1"])
        // Once.
        await #expect {
            try await world.capabilities.upgrades.accounts.upgradeAsPlanned(run, on: browser.client)
        } throws: {
            code($0) == .notPermitted
        }
    }

    @Test func whatIsKnownSurvivesALock() async throws {
        let world = try await FakeConversion()
        _ = try await world.convert(FakeConversion.browser())
        await world.broker.lock(reason: "a test")
        try await world.broker.unlock(passphrase: world.world.daemon.passphrase)
        #expect(try await world.converted().map(\.user) == ["rmondello"])
    }

    @Test func accountsThatCanBeConvertedAreListed() async throws {
        let world = try await FakeConversion()
        let account = try #require(
            try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com")).accounts.first)
        #expect(account.signInWithApple == "Shiny" && account.extension == nil)
        #expect(account.refusal == UpgradeOffer.Refusal.onlyOtherKinds.rawValue)
    }

    // MARK: The user

    @Test func closedWindowIsTheUsersNo() async throws {
        let world = try await FakeConversion()
        let browser = FakeConversion.browser { _ in throw WireError(.userCanceled, "The window was closed.") }
        let error = await world.failure(browser)
        #expect(error?.code == .userCanceled && error?.hint == "The password stays saved, and still counts.")
        #expect(world.answers == [1001])
        try await expectUntouched(world)
    }

    @Test func noOnThePageIsTheUsersNo() async throws {
        let world = try await FakeConversion()
        let browser = FakeConversion.browser { ["state": $0["state"] ?? "", "error": "user_cancelled_authorize"] }
        #expect(await world.failure(browser)?.code == .userCanceled)
        #expect(world.answers == [1001])
        try await expectUntouched(world)
    }

    // MARK: No credential

    @Test(arguments: [
        ["state": "another", "code": "c", "id_token": "good"], ["code": "c", "id_token": "good"],
        ["state": "s1", "code": "c", "id_token": "bad"], ["state": "s1", "code": "c"],
        ["state": "s1", "id_token": "good"], ["state": "s1", "error": "server_error"], [:],
        ["error": "user_cancelled_authorize"],
    ])
    func refusesWhatIsPosted(fields: [String: String]) async throws {
        let world = try await FakeConversion()
        #expect(await world.failure(FakeConversion.browser { _ in fields })?.code == .providerExtension(0))
        #expect(world.answers == [1000])
        try await expectUntouched(world)
    }

    @Test func withoutABrowserThereIsNone() async throws {
        let world = try await FakeConversion()
        #expect(await world.failure(nil)?.code == .providerExtension(0))
        #expect(world.answers == [1000] && world.fetched().isEmpty)
        try await expectUntouched(world)
    }

    @Test func browserThatGoesAwayIsNoNoOfTheUsers() async throws {
        let world = try await FakeConversion()
        let browser = FakeConversion.browser { _ in throw WireError(.internalError, "no window") }
        #expect(await world.failure(browser)?.code == .providerExtension(0))
        #expect(world.answers == [1000])
    }

    /// Nobody is shown a window in which nothing can be loaded.
    @Test func withoutANetworkNoWindowOpens() async throws {
        let world = try await FakeConversion(isReachable: false)
        let browser = FakeConversion.browser { _ in
            Issue.record("a window was opened")
            return [:]
        }
        #expect(await world.failure(browser)?.code == .providerExtension(0))
        #expect(world.answers == [1000])
        try await expectUntouched(world)
    }

    @Test(arguments: [
        ("", "n1"), ("s1", ""), ("a\n", "n1"), ("s1", String(repeating: "n", count: 1025)),
        (String(repeating: "s", count: 2000), "n1"),
    ])
    func refusesWhatBindsNothing(state: String, nonce: String) async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { try $0.signIn($1, state: state, nonce: nonce) })
        #expect(await world.failure(FakeConversion.browser())?.code == .providerExtension(0))
        #expect(world.answers == [1000] && world.fetched().isEmpty)
        try await expectUntouched(world)
    }

    @Test func stateAndNonceMayBeLeftOut() async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { try $0.signIn($1, state: nil, nonce: nil) })
        #expect(try await world.convert(FakeConversion.browser()).password == "removed")
        #expect(world.answers.count == 1 && world.answers.allSatisfy { $0["user"] != nil && $0["state"] == nil })
        #expect(world.fetched().last?.contains(#""nonce":"""#) == false)
    }

    @Test(arguments: [("s1", "n2"), ("s2", "n1")])
    func refusesWhatWasUsedBefore(state: String, nonce: String) async throws {
        // The first time it fails at the service, and the extension asks again another time.
        let world = try await FakeConversion(
            script: FakeConversion.script { provider, asked in
                guard provider.notes.values("asked").count == 1 else {
                    return try provider.signIn(asked, state: state, nonce: nonce)
                }
                try provider.authorize(asked)
                try provider.failed(asked)
            })
        #expect(await world.failure(FakeConversion.browser())?.code == .providerExtension(0))
        try await expectUntouched(world, event: "unsettled")
        // Latchkey remembers it sealed, and not in memory alone.
        await world.broker.lock(reason: "a test")
        try await world.broker.unlock(passphrase: world.world.daemon.passphrase)
        let error = await world.failure(FakeConversion.browser())
        #expect(error?.code == .providerExtension(0) && error?.hint == "The password stays saved, and still counts.")
        #expect(world.answers.last == 1000)
        try await expectUntouched(world)
    }

    // MARK: Requests that there are not

    @Test func refusesASecondOneInTheSameRequest() async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { provider, asked in
                try provider.authorize(asked)
                try provider.authorize(asked, state: "s2", nonce: "n2", id: "b")
                try provider.reply(asked)
            })
        #expect(try await world.convert(FakeConversion.browser()).password == "removed")
        #expect(world.answers.last == 16)
    }

    @Test(arguments: [99, -1] as [Int64])
    func refusesOneOfAnotherRequest(number: Int64) async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { try $0.signIn($1, number: number) })
        #expect(await world.failure(FakeConversion.browser())?.code != nil)
        #expect(world.answers == [16])
        try await expectUntouched(world)
    }

    @Test func refusesOneInARequestForAPassword() async throws {
        // It is asked for a password, and asks for Sign in with Apple.
        let world = try await FakeUpgrade(
            script: FakeConversion.script(change: { try $0.signIn($1) }),
            attributes: ["ASAccountAuthenticationModificationSupportsStrongPasswordChange": true])
        let settings = FakeBrowser(number: 3, role: .settings)
        await world.broker.connected(settings.client)
        await #expect {
            try await world.capabilities.upgrades.accounts.upgrade(
                .init(service: "shiny.example.com"), on: settings.client)
        } throws: {
            code($0) == .providerUnavailable
        }
        #expect(world.daemon.notes.values("answer") == [16])
    }

    // MARK: Nothing is lost

    /// An account that signs in with nobody's credential would be lost with its password.
    @Test(arguments: [false, true])
    func refusesAnEndWithoutACredential(isRefusedOne: Bool) async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { provider, asked in
                if isRefusedOne { try provider.authorize(asked, state: "") }
                try provider.reply(asked)
            })
        #expect(await world.failure(FakeConversion.browser())?.code == .providerUnavailable)
        try await expectUntouched(world)
    }

    /// How an extension ends after it was given a credential.
    enum Ending: CaseIterable {
        case crash, nonsense, unknownError, refusal, cancel

        func end(_ provider: FakeProvider, _ asked: FakeProvider.Arrival) throws {
            switch self {
            case .crash: try provider.crash()
            case .nonsense: try provider.reply(asked, .array([]))
            case .unknownError: try provider.failed(asked, 4711)
            case .refusal: try provider.failed(asked, reason: "Policy says no.")
            case .cancel: try provider.failed(asked, 1001)
            }
        }
    }

    @Test(arguments: Ending.allCases)
    func passwordStaysWhereverItEnds(ending: Ending) async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { provider, asked in
                try provider.authorize(asked)
                try ending.end(provider, asked)
            })
        let error = await world.failure(FakeConversion.browser())
        #expect(error?.hint == "The password stays saved. See at shiny.example.com whether it still counts.")
        if ending == .refusal { #expect(error?.message == "Shiny: Policy says no.") }
        try await expectUntouched(world, event: "unsettled")
    }

    @Test func lockClosesTheWindowAndEndsIt() async throws {
        let world = try await FakeConversion()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let browser = FakeConversion.browser { asked in
            open.finish()
            try await Task.sleep(for: .seconds(600))
            return asked
        }
        let running = Task { await world.failure(browser) }
        for await _ in opened {}
        await world.broker.lock(reason: "a test")
        #expect(await running.value != nil)
        _ = await browser.next(Browser.Dismiss.name)
        try await world.broker.unlock(passphrase: world.world.daemon.passphrase)
        #expect(world.notes("removed").isEmpty && world.answers.isEmpty)
        #expect(try await world.converted().isEmpty)
    }

    @Test func windowClosesWithTheExtension() async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script { provider, asked in
                try provider.request(
                    "a", "modification.authorize",
                    ["request": .integer(asked.request), "state": "s", "nonce": "n"])
                guard provider.notes.block(until: "opened") else { throw FakeProvider.Ended() }
                try provider.failed(asked)
            })
        let notes = world.world.daemon.notes
        let browser = FakeConversion.browser { asked in
            notes.add(to: "opened")
            try await Task.sleep(for: .seconds(600))
            return asked
        }
        #expect(await world.failure(browser)?.code == .providerExtension(0))
        _ = await browser.next(Browser.Dismiss.name)
        try await expectUntouched(world)
    }

    @Test func oneChangeOfAnAccountAtATime() async throws {
        let world = try await FakeConversion(script: FakeConversion.script { _, _ in })
        let running = Task { await world.failure(nil) }
        await world.world.asked()
        #expect(await world.failure(nil)?.code == .busy)
        await world.broker.lock(reason: "a test")
        _ = await running.value
    }

    // MARK: The provider

    @Test func itemOfOtherPlacesKeepsItsPasswordForThem() async throws {
        let world = try await FakeConversion(
            keeper: FakeConversion.keeper(
                services: ["shiny.example.com", "other.example.net", "https://shiny.example.com/"]))
        #expect(try await world.convert(FakeConversion.browser()).password == "detached")
        #expect(world.world.daemon.notes.values("edited").map { $0["services"] } == [["other.example.net"]])
        #expect(world.notes("removed").isEmpty)
    }

    @Test func providerThatCannotRemoveSaysSo() async throws {
        let world = try await FakeConversion(keeper: FakeConversion.keeper(capabilities: []))
        #expect(try await world.convert(FakeConversion.browser()).password == "kept")
        #expect(try await world.converted().map(\.password) == ["kept"])
        #expect(await world.capabilities.shared.convertedAccounts.isConverted(.shiny, of: .builtIn))
    }

    @Test func whatCouldNotBeRemovedIsRemovedAtTheNextUnlock() async throws {
        let world = try await FakeConversion(
            keeper: FakeConversion.keeper { provider, asked, item in
                guard !provider.notes.values("now").isEmpty else { return try provider.fail(asked, 1000) }
                try FakeConversion.removal(provider, asked, &item)
            })
        #expect(try await world.convert(FakeConversion.browser()).password == "pending")
        #expect(world.notes("removed").isEmpty)
        await world.broker.lock(reason: "a test")
        world.world.daemon.notes.add(to: "now")
        try await world.broker.unlock(passphrase: world.world.daemon.passphrase)
        try await eventually { try await world.converted().map(\.password) == ["removed"] }
        #expect(world.notes("removed") == ["r1"])
    }

    @Test func whatHasChangedSinceStays() async throws {
        let world = try await FakeConversion(
            keeper: FakeConversion.keeper { provider, asked, item in
                try provider.fail(asked, 1000)
                item = item.with("modified", .integer(1 << 40))
            })
        #expect(try await world.convert(FakeConversion.browser()).password == "pending")
        await world.capabilities.shared.convertedAccounts.finishConversions()
        #expect(try await world.converted().map(\.password) == ["kept"])
        #expect(world.notes("removed").isEmpty)
    }

    @Test func passwordThatComesBackIsThePasswordAgain() async throws {
        let world = try await FakeConversion()
        _ = try await world.convert(FakeConversion.browser())
        _ = try await world.capabilities.settings.items.manage(
            Items.Restore.name, JSONValue(encoding: ItemReference(id: "other")))
        #expect(try await world.converted().count == 1)
        _ = try await world.capabilities.settings.items.manage(
            Items.Restore.name, JSONValue(encoding: ItemReference(id: "r1")))
        #expect(try await world.converted().isEmpty)
    }

    // MARK: No offer

    @Test func refusesAReturnURLWhoseSiteHasNotConfirmedTheApp() async throws {
        let world = try await FakeConversion(
            attributes: ["LatchkeySignInWithAppleReturnURL": "https://id.example.net/return"],
            domains: ["webcredentials:shiny.example.com", "webcredentials:id.example.net"],
            withoutConfirming: ["id.example.net"])
        #expect(
            await world.failure(FakeConversion.browser())?.reason == UpgradeOffer.Refusal.returnNotAssociated.rawValue)
        #expect(world.notes("asked").isEmpty)
    }

    @Test func takesAReturnURLOfAnotherSiteOfTheApp() async throws {
        let world = try await FakeConversion(
            attributes: ["LatchkeySignInWithAppleReturnURL": "https://id.example.net/return"],
            domains: ["webcredentials:shiny.example.com", "webcredentials:id.example.net"])
        let browser = FakeConversion.browser()
        #expect(try await world.convert(browser).password == "removed")
        let open: WebAuthentication.Open.Params = try await browser.next(WebAuthentication.Open.name).decoded()
        #expect(open.callback == .init(host: "id.example.net", path: "/return"))
    }

    @Test func refusesAnExtensionThatDoesNotSayHowAppleKnowsIt() async throws {
        let world = try await FakeUpgrade(
            attributes: ["ASAccountAuthenticationModificationSupportsUpgradeToSignInWithApple": true])
        let settings = FakeBrowser(number: 3, role: .settings)
        await #expect {
            try await world.capabilities.upgrades.accounts.upgrade(
                .init(service: "shiny.example.com", kind: Modification.signInWithApple), on: settings.client)
        } throws: {
            ($0 as? WireError)?.reason == UpgradeOffer.Refusal.noClient.rawValue
        }
    }

    @Test func refusesWithoutTheUsersAuthentication() async throws {
        let world = try await FakeConversion()
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        world.world.daemon.pass(.seconds(60))
        #expect(await world.failure(FakeConversion.browser())?.code == .authenticationRequired)
        #expect(world.notes("asked").isEmpty)
    }

    // MARK: With the interface

    @Test func interfaceIsDrawnAndAsksOnItsOwn() async throws {
        let world = try await FakeConversion(
            script: FakeConversion.script(
                convert: { try $0.failed($1, 1100) }, interface: FakeUpgrade.button))
        let browser = FakeConversion.browser()
        await world.broker.connected(browser.client)
        let running = Task { try await world.convert(nil) }
        let prompt = await world.settings.prompt()
        _ = await world.settings.next(Browser.Update.name)
        try await world.capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: .init(element: "b", action: "press")), on: 3)
        #expect(try await running.value.password == "removed")
        #expect(
            world.notes("asked").map { $0.split(separator: " ")[0] } == [
                "provider.convertToSignInWithApple", "provider.prepareConvertToSignInWithApple",
            ])
        // The command line's own window is the browser's, not the terminal.
        _ = await browser.next(WebAuthentication.Open.name)
    }
}
