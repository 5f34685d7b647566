// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

extension CredentialIdentity {
    fileprivate static let second = CredentialIdentity(
        type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "second",
        recordIdentifier: "r2")
}

/// From a password that was just filled to a strong one, by one act in the extension's own popup.
@Suite(.timeLimit(.minutes(2))) struct BrokerTabUpgradesTests {
    private static let site = "https://shiny.example.com"
    private let browser = BrokerTabUpgradesTests.browser(1)

    private static func browser(_ number: Int) -> FakeBrowser {
        FakeBrowser(number: number) { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(
                encoding: Browser.Evidence.Answer(chain: [.init(origin: site, document: "D1")]))
        }
    }

    /// Fills an account in a tab, and returns what the browser is told of it.
    private func fill(
        _ world: FakeUpgrade, user: String = "rmondello", tab: Int = 3, recommended: Bool = true
    ) async throws -> Advice.Show.Params? {
        await world.broker.connected(browser.client)
        // Sites are asked when an extension is enabled; the tests do not wait for that.
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let page = PageStatement(fields: [
            .init(ref: 0, type: "text", autocomplete: "username"),
            .init(ref: 1, type: "password", autocomplete: "current-password"),
        ])
        let focused = await world.capabilities.pages.sessions.focused(
            .init(frame: frame(tab: tab), page: page, focused: 0), on: browser.client)
        let rows = try await world.capabilities.pages.suggestions.suggestions(
            session: try #require(focused.session), on: browser.client
        ).suggestions
        let handle = try #require(rows.first { $0.user.text == user }?.handle)
        _ = try await world.capabilities.pages.filling.choose(
            .init(handle: handle, surface: "popup", guard: .init(held: true)), on: browser.client)
        return recommended ? try await browser.next(Advice.Show.name).decoded() : nil
    }

    private func frame(
        tab: Int = 3, number: Int = 0, document: String = "D1",
        chain: [ChainLink] = [.init(origin: site, document: "D1")]
    ) -> FrameEvidence {
        FrameEvidence(tab: tab, frame: number, document: document, chain: chain)
    }

    private func upgrade(
        _ world: FakeUpgrade, _ handle: String, _ frame: FrameEvidence? = nil, over: FakeBrowser? = nil
    )
        async throws -> Upgrades.Run.Answer
    {
        try await world.capabilities.upgrades.recommendations.upgradeInTab(
            .init(handle: handle, frame: frame ?? self.frame()), on: (over ?? browser).client)
    }

    private func failure(
        _ world: FakeUpgrade, _ handle: String, _ frame: FrameEvidence? = nil, over: FakeBrowser? = nil
    )
        async -> WireError?
    {
        do {
            _ = try await upgrade(world, handle, frame, over: over)
            return nil
        } catch {
            return error as? WireError
        }
    }

    private func isUntouched(_ world: FakeUpgrade) -> Bool {
        world.notes("asked").isEmpty && world.notes("saved").isEmpty && world.notes("rules").isEmpty
    }

    @Test func onePressChangesThePasswordThatWasFilled() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        #expect(said.upgrade == "Shiny" && said.reason == "It is weak." && said.tab == 3)
        // The sign-in has led on to another host of the site.
        let next = frame(document: "D2", chain: [.init(origin: "https://my.example.com", document: "D2")])
        let answer = try await upgrade(world, said.handle, next)
        #expect(
            answer
                == .init(service: "shiny.example.com", user: "rmondello", provider: "Passwords", extension: "Shiny"))
        #expect(world.notes("asked") == ["provider.changePassword shiny.example.com rmondello canary made-canary"])
        #expect(world.notes("saved").last == "userInitiated rmondello made-canary")
        #expect(try await world.unsettled().isEmpty)
        let lines = try await world.lines()
        #expect(lines.map(\.event) == ["released", "released", "released", "updated"])
        #expect(lines.dropFirst().allSatisfy { $0.act == "popup" })
        for step in ["making", "keeping", "changing", "saving"] {
            let told: Upgrades.Progress.Params = try await browser.next(Upgrades.Progress.name).decoded()
            #expect(told == .init(step: step, handle: said.handle))
        }
        // It is good for one change.
        #expect(await failure(world, said.handle)?.code == .expired)
    }

    // MARK: Not another account, not another tab

    @Test func refusesWhatWasFilledNowhere() async throws {
        let world = try await FakeUpgrade()
        await world.broker.connected(browser.client)
        for handle in ["", "r1", "shiny.example.com"] {
            #expect(await failure(world, handle)?.code == .expired)
        }
        #expect(isUntouched(world))
    }

    @Test func refusesAnotherTabAndAnotherBrowser() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        #expect(await failure(world, said.handle, frame(tab: 4))?.code == .expired)
        let other = Self.browser(2)
        await world.broker.connected(other.client)
        #expect(await failure(world, said.handle, over: other)?.code == .expired)
        #expect(isUntouched(world))
    }

    @Test(arguments: [
        "https://evil.example", "https://example.org", "http://shiny.example.com", "null",
        "https://example.com.evil.test",
        "file:///",
    ])
    func refusesATabThatShowsAnotherSiteByNow(origin: String) async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        let chain = [ChainLink(origin: origin, document: "D2")]
        #expect(await failure(world, said.handle, frame(document: "D2", chain: chain))?.code == .expired)
        #expect(isUntouched(world))
    }

    @Test func refusesWhatIsNoTopDocument() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        let link = ChainLink(origin: Self.site, document: "D1")
        #expect(await failure(world, said.handle, frame(number: 5))?.code == .expired)
        #expect(await failure(world, said.handle, frame(chain: []))?.code == .expired)
        #expect(await failure(world, said.handle, frame(chain: [link, link]))?.code == .expired)
        #expect(await failure(world, said.handle, frame(document: "D9"))?.code == .expired)
        #expect(isUntouched(world))
    }

    @Test func whatIsFilledNextTakesItsPlace() async throws {
        let world = try await FakeUpgrade(identities: [.shiny, .second])
        let said = try #require(try await fill(world))
        _ = try await fill(world, user: "second", recommended: false)
        #expect(await failure(world, said.handle)?.code == .expired)
        #expect(isUntouched(world))
    }

    @Test func endsWithItsTab() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        await world.capabilities.pages.sessions.left(.init(tab: 3, document: nil), on: browser.client)
        #expect(await failure(world, said.handle)?.code == .expired)
    }

    @Test func endsWithALock() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        await world.broker.lock(reason: "a test")
        #expect(await failure(world, said.handle)?.code == .locked)
        try await world.broker.unlock(passphrase: world.daemon.passphrase)
        #expect(await failure(world, said.handle)?.code == .expired)
        #expect(isUntouched(world))
    }

    @Test func refusesAnAccountThatIsGone() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        _ = try await world.capabilities.shared.stores.handleStore(
            Provider.ReplaceIdentities.name,
            JSONValue(encoding: IdentitiesParams(identities: [IdentityStatement(CredentialIdentity.second)])),
            of: .builtIn)
        #expect(await failure(world, said.handle)?.code == .notFound)
        #expect(isUntouched(world))
    }

    // MARK: No offer

    @Test func withoutAConfirmedAssociationThereIsNoOffer() async throws {
        let world = try await FakeUpgrade(confirming: ["E5336VM85F.com.example.Other"])
        let said = try #require(try await fill(world))
        #expect(said.upgrade == nil)
        #expect(await failure(world, said.handle)?.reason == UpgradeOffer.Refusal.notAssociated.rawValue)
        #expect(isUntouched(world))
    }

    @Test func withoutAnEnabledExtensionThereIsNoOffer() async throws {
        let world = try await FakeUpgrade(isEnabled: false)
        let said = try #require(try await fill(world))
        #expect(said.upgrade == nil)
        #expect(await failure(world, said.handle)?.reason == UpgradeOffer.Refusal.noExtension.rawValue)
    }

    @Test func appThatOptsOutIsNotOfferedAfterASignInAndListedAllTheSame() async throws {
        let world = try await FakeUpgrade(app: [
            "ASAccountAuthenticationModificationOptOutOfSecurityPromptsOnSignIn": true
        ])
        let said = try #require(try await fill(world))
        #expect(said.upgrade == nil)
        #expect(await failure(world, said.handle)?.reason == "the app opts out of prompts on sign-in")
        #expect(isUntouched(world))
        let listed = try await world.capabilities.upgrades.accounts.upgrades(.init()).accounts
        #expect(listed.map(\.extension) == ["Shiny"])
    }

    @Test(arguments: ["r2", "", "no such record"])
    func recordsThatAreNotSavedThereHaveNoOffer(record: String) async throws {
        let world = try await FakeUpgrade()
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let document = ClaimedDocument(origin: ClaimedOrigin(Self.site), documentIdentifier: "D1")
        let origin = try OriginVerifier.verify([document]).get()
        #expect(await world.capabilities.upgrades.recommendations.upgradeAfterFill(of: "r1", at: origin) == "Shiny")
        #expect(await world.capabilities.upgrades.recommendations.upgradeAfterFill(of: record, at: origin) == nil)
    }

    @Test func frameInAPageOfAnotherSiteHasNoOffer() async throws {
        let world = try await FakeUpgrade()
        _ = try await world.capabilities.upgrades.accounts.upgrades(.init(service: "shiny.example.com"))
        let chain = [Self.site, "https://evil.example"].map {
            ClaimedDocument(origin: ClaimedOrigin($0), documentIdentifier: $0)
        }
        #expect(
            await world.capabilities.upgrades.recommendations.upgradeAfterFill(
                of: "r1", at: try OriginVerifier.verify(chain).get()) == nil)
    }

    // MARK: The user

    @Test func passphraseIsAskedForWhereThePreferencesDemandIt() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        let running = Task { await failure(world, said.handle) }
        let prompt = await browser.prompt()
        let shown = try #require(await world.capabilities.shared.questions.desk.show(prompt, on: 1))
        #expect(shown.kind == "upgrade" && shown.site?.text == Self.site && shown.user == "rmondello")
        #expect(isUntouched(world))
        await #expect {
            try await world.capabilities.shared.questions.desk.answer(
                .init(prompt: prompt, accept: true, passphrase: WireSecret(SecretBytes(utf8: "wrong"))), on: 1)
        } throws: {
            code($0) == .wrongPassphrase
        }
        try await world.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(world.daemon.passphrase)), on: 1)
        #expect(await running.value == nil)
        #expect(try await world.lines().last { $0.event == "released" }?.act == "popup")
    }

    @Test func noIsANo() async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        _ = try await world.broker.setPreferences(.init(authentication: "always"))
        let running = Task { await failure(world, said.handle) }
        let prompt = await browser.prompt()
        try await world.capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: false), on: 1)
        #expect(await running.value?.code == .userCanceled)
        #expect(isUntouched(world))
    }

    @Test func twiceAtOnceIsOnce() async throws {
        let world = try await FakeUpgrade(script: FakeUpgrade.script(change: { _, _ in }))
        let said = try #require(try await fill(world))
        let running = Task { await failure(world, said.handle) }
        await world.asked()
        #expect(await failure(world, said.handle)?.code == .busy)
        #expect(world.notes("asked").count == 1)
        await world.broker.lock(reason: "a test")
        _ = await running.value
    }

    @Test func cancelOfTheSystemEndsItsInterface() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { try $0.failed($1, 1100) }, interface: { _, _ in }))
        let said = try #require(try await fill(world))
        let running = Task { await failure(world, said.handle) }
        let prompt = await browser.prompt()
        let shown = try #require(await world.capabilities.shared.questions.interfaces.prompt(prompt, on: 1))
        #expect(shown.provider == "Shiny" && shown.thing == "change")
        #expect(await world.capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        #expect(await running.value?.code == .userCanceled)
        #expect(try await world.unsettled().count == 1)
    }

    @Test func sentenceOfTheExtensionIsToldAndItMayBeTriedAgain() async throws {
        let world = try await FakeUpgrade(
            script: FakeUpgrade.script(change: { provider, asked in
                let isFirst = provider.notes.values("asked").count == 1
                try isFirst ? provider.failed(asked, reason: "Not today.") : provider.changed(asked)
            }))
        let said = try #require(try await fill(world))
        let error = await failure(world, said.handle)
        #expect(error?.code == .providerExtension(0) && error?.message == "Shiny: Not today.")
        #expect(try await upgrade(world, said.handle).user == "rmondello")
        #expect(try await world.unsettled().isEmpty)
    }

    // MARK: Who may

    @Test(arguments: [PeerRole.settings, .git, .client, .none("a test")])
    func onlyBrowsersHaveTheMethod(role: PeerRole) async throws {
        let world = try await FakeUpgrade()
        let said = try #require(try await fill(world))
        let params = try JSONValue(encoding: Advice.Upgrade.Params(handle: said.handle, frame: frame()))
        await #expect {
            try await Routes.of(role).answer(
                Advice.Upgrade.name, params, daemon: world.capabilities, client: browser.client)
        } throws: {
            code($0) == .methodNotFound
        }
    }
}
