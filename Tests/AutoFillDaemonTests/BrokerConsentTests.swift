// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// What the user is asked outside of every page before something goes to another place than it was saved for.
@Suite(.timeLimit(.minutes(2))) struct BrokerConsentTests {
    /// Answers as the built-in provider does, notes the context of each request and each change, and refuses whom a test names.
    private static let provider: FakeProvider.Script = { provider in
        try provider.began()
        var item: JSONValue = [
            "id": "r1", "services": ["shiny.example.com"], "user": "rmondello", "created": 1, "modified": 1,
        ]
        while true {
            let asked = try provider.ask()
            switch asked.method {
            case "provider.provideCredential":
                provider.note("contexts", asked["context"] ?? .null)
                if asked["context"]?["origin"]?.string?.hasSuffix(":9443") == true {
                    try provider.fail(asked, 6, reason: "not on this port")
                } else {
                    try provider.credential(asked)
                }
            case "manage.get": try provider.reply(asked, ["item": item])
            case "manage.edit":
                item = item.with("services", asked["services"])
                provider.note("edits", [asked["id"] ?? "", asked["services"] ?? ""])
                try provider.reply(asked, ["item": item])
            default: try provider.fail(asked)
            }
        }
    }

    private let daemon: FakeInstallation
    private let shiny = "https://shiny.example.com"

    init() async throws {
        daemon = try await FakeInstallation(
            provider: Self.provider, sharing: ["shiny.example.com", "glossy.example.org"], fingerprints: FakeReader())
    }

    /// A browser whose page is this chain, and the session of its form.
    private func page(_ origins: [String], number: Int = 1) async throws -> (browser: FakeBrowser, session: String) {
        let chain = origins.enumerated().map { ChainLink(origin: $0.element, document: "D\($0.offset + 1)") }
        let browser = FakeBrowser(number: number) { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(encoding: Browser.Evidence.Answer(chain: chain))
        }
        let fields = PageStatement(fields: [
            .init(ref: 0, type: "text", autocomplete: "username"),
            .init(ref: 1, type: "password", autocomplete: "current-password"),
        ])
        let frame = FrameEvidence(tab: number, frame: 0, document: "D1", chain: chain)
        let answer = await daemon.capabilities.pages.sessions.focused(
            .init(frame: frame, page: fields, focused: 0), on: browser.client)
        return (browser, try #require(answer.session))
    }

    private func rows(_ page: (browser: FakeBrowser, session: String)) async throws -> [Row] {
        try await daemon.capabilities.pages.suggestions.suggestions(session: page.session, on: page.browser.client)
            .suggestions
    }

    /// Chooses the row of a user, from the popup, which is outside the page.
    private func choose(
        _ page: (browser: FakeBrowser, session: String), user: String = "rmondello"
    ) async throws -> Task<Renderer.Choose.Answer, any Error> {
        try await choose(page, user: user, .init(handle: "", surface: "popup", guard: .init(held: true)))
    }

    /// Chooses the row of a user as a browser states it.
    private func choose(
        _ page: (browser: FakeBrowser, session: String), user: String = "rmondello", _ stated: Renderer.Choose.Params
    ) async throws -> Task<Renderer.Choose.Answer, any Error> {
        var params = stated
        params.handle = try #require(try await rows(page).first { $0.user.text == user }?.handle)
        return Task { [params] in
            try await daemon.capabilities.pages.filling.choose(params, on: page.browser.client)
        }
    }

    private func chooseAnyway(
        _ page: (browser: FakeBrowser, session: String)
    ) async throws -> Task<Renderer.Choose.Answer, any Error> {
        let list = try await daemon.capabilities.pages.suggestions.list(
            .init(session: page.session), on: page.browser.client)
        let handle = try #require(list.rows.first?.handle)
        return Task {
            try await daemon.capabilities.pages.filling.choose(
                .init(handle: handle, surface: "window", guard: .init(held: true), anyway: true),
                on: page.browser.client)
        }
    }

    /// Answers the question that stands there, and returns what it showed.
    @discardableResult private func answer(
        _ page: (browser: FakeBrowser, session: String), yes: Bool = true, passphrase: Bool = false, keep: Bool? = nil
    ) async throws -> Renderer.Prompt.Answer {
        let prompt = await page.browser.prompt()
        let shown = try #require(
            await daemon.capabilities.shared.questions.desk.show(prompt, on: page.browser.client.number))
        try await daemon.capabilities.shared.questions.desk.answer(
            .init(
                prompt: prompt, accept: yes, passphrase: passphrase ? WireSecret(daemon.passphrase) : nil, keep: keep),
            on: page.browser.client.number)
        return shown
    }

    private func lines() async throws -> [AuditLine] {
        try await daemon.capabilities.shared.auditTrail.auditLines(.init()).lines
    }

    private func notes(_ name: String) -> [JSONValue] {
        daemon.notes.values(name)
    }

    // MARK: Frames

    @Test("S6, S7: a frame inside a page of another site is asked about, then remembered for exactly these three")
    func frameIsAskedAboutOnce() async throws {
        var second = CredentialIdentity.shiny
        second.user = "second"
        second.recordIdentifier = "r2"
        try await daemon.begin([.shiny, second])
        let page = try await page([shiny, "https://top.example"])
        #expect(try await rows(page).map(\.top) == ["https://top.example", "https://top.example"])
        let first = try await choose(page)
        let shown = try await answer(page)
        #expect(shown.kind == "confirm" && shown.site?.text == shiny && shown.top == "https://top.example")
        #expect(shown.user == "rmondello" && shown.reasons?.isEmpty == false)
        #expect(try await first.value.fills.count == 2)
        #expect(try await lines().last?.reason?.contains("https://top.example") == true)

        // Remembered, and said so by the rows.
        #expect(try await Set(rows(page).filter { $0.top == nil }.map(\.user)) == ["rmondello"])
        #expect(try await choose(page).value.fills.count == 2)

        // Another credential, another page, another port of the page: each is asked about.
        let other = try await choose(page, user: "second")
        #expect(try await answer(page).user == "second")
        _ = try await other.value
        for top in ["https://other.example", "https://top.example:8443"] {
            let elsewhere = try await self.page([shiny, top], number: 2)
            let third = try await choose(elsewhere)
            #expect(try await answer(elsewhere).top?.text == top)
            _ = try await third.value
        }
        let consents = try await daemon.capabilities.pages.consents.consents().consents
        #expect(
            consents.map(\.top) == [
                "https://top.example:8443", "https://other.example", "https://top.example", "https://top.example",
            ])
    }

    @Test("S7: a consent that was taken back is asked for again, and one of a frame says nothing about the top page")
    func consentThatWasTakenBackIsAskedForAgain() async throws {
        try await daemon.begin()
        let page = try await page([shiny, "https://top.example"])
        let first = try await choose(page)
        try await answer(page)
        _ = try await first.value
        let id = try #require(try await daemon.capabilities.pages.consents.consents().consents.first?.id)
        #expect(
            try await daemon.capabilities.pages.consents.forgetConsents(.init(ids: ["0000000000000000"])).forgotten == 0
        )
        #expect(try await daemon.capabilities.pages.consents.forgetConsents(.init(ids: [id])).forgotten == 1)
        let second = try await choose(page)
        #expect(try await answer(page).top == "https://top.example")
        _ = try await second.value
        #expect(try await daemon.capabilities.pages.consents.forgetConsents(.init()).forgotten == 1)
    }

    @Test("S6, S28: a no is remembered for the moment, for every frame of that page")
    func noIsRememberedForTheMoment() async throws {
        try await daemon.begin()
        let page = try await page([shiny, "https://top.example"])
        let first = try await choose(page)
        try await answer(page, yes: false)
        await #expect { try await first.value } throws: { code($0) == .userCanceled }
        await #expect { try await choose(page).value } throws: { code($0) == .tooManyAttempts }
        #expect(try await daemon.capabilities.pages.consents.consents().consents.isEmpty)
        #expect(try await lines().allSatisfy { $0.event != "released" })
        daemon.pass(.seconds(11))
        let second = try await choose(page)
        try await answer(page)
        #expect(try await second.value.fills.count == 2)
    }

    @Test("S6, S71: a frame of the same site, however deep, is asked about once for each page around it")
    func frameOfTheSameSiteIsAskedAboutOnce() async throws {
        try await daemon.begin()
        let page = try await page([shiny, "https://www.example.com", shiny])
        #expect(try await rows(page).map(\.top) == [nil])
        let first = try await choose(page)
        try await answer(page)
        #expect(try await first.value.fills.count == 2)
        #expect(try await choose(page).value.fills.count == 2)
        let elsewhere = try await self.page([shiny, "https://www.example.com"])
        let second = try await choose(elsewhere)
        try await answer(elsewhere)
        #expect(try await second.value.fills.count == 2)
    }

    @Test("S6: a page in the middle that is of another site counts, though the top is the frame's own")
    func pageInTheMiddleCounts() async throws {
        try await daemon.begin()
        let page = try await page([shiny, "https://evil.com", shiny])
        let first = try await choose(page)
        try await answer(page)
        #expect(try await first.value.fills.count == 2)
    }

    @Test("S6: the preference never to be asked leaves out neither frames nor shared sites")
    func preferenceLeavesNothingOut() async throws {
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(authentication: "never"))
        for origins in [[shiny, "https://top.example"], ["https://glossy.example.org"]] {
            let page = try await page(origins)
            let chosen = try await choose(page)
            try await answer(page)
            #expect(try await chosen.value.fills.count == 2)
        }
    }

    // MARK: Other hosts

    @Test("S12: another host of the site comes below, labelled; a strict item is not offered there")
    func otherHostsComeBelow() async throws {
        var other = CredentialIdentity.shiny
        other.service = ServiceIdentifier(written: "www.example.com")
        other.recordIdentifier = "r2"
        other.user = "other"
        other.rank = 9
        var strict = other
        strict.recordIdentifier = "r3"
        strict.user = "strict"
        strict.isStrict = true
        try await daemon.begin([other, strict, .shiny])
        let page = try await page([shiny])
        let rows = try await rows(page)
        #expect(rows.map(\.user) == ["rmondello", "other"])
        #expect(rows.map(\.relation) == [nil, "sameSite"])
        #expect(rows.map(\.savedFor) == [nil, "www.example.com"])
        #expect(rows.map(\.title) == ["password for shiny.example.com", "password for www.example.com"])
        let listed = try await daemon.capabilities.pages.suggestions.list(
            .init(session: page.session), on: page.browser.client
        ).rows
        #expect(listed.first { $0.user == "strict" }?.fills == false)
    }

    @Test func oneCredentialOfSeveralHostsIsOneRow() async throws {
        var other = CredentialIdentity.shiny
        other.service = ServiceIdentifier(written: "www.example.com")
        try await daemon.begin([other, .shiny])
        #expect(try await rows(page([shiny])).map(\.relation) == [nil])
    }

    @Test("S18: a shared password names where it was saved and is asked about each time")
    func sharedPasswordIsAskedAboutEachTime() async throws {
        try await daemon.begin()
        let page = try await page(["https://glossy.example.org"])
        #expect(try await rows(page).map(\.savedFor) == ["shiny.example.com"])
        for _ in 0..<2 {
            let chosen = try await choose(page)
            #expect(try await answer(page).savedFor == "shiny.example.com")
            #expect(try await chosen.value.fills.count == 2)
        }
        #expect(try await daemon.capabilities.pages.consents.consents().consents.isEmpty)
        #expect(try await lines().compactMap(\.reason).allSatisfy { $0.contains("shared with shiny.example.com") })
    }

    @Test("S14: a host of the local network without encryption is asked about once for each account")
    func insecureLocalHostIsAskedAbout() async throws {
        var local = CredentialIdentity.shiny
        local.service = ServiceIdentifier(written: "http://nas.local")
        try await daemon.begin([local])
        let own = try await page(["http://nas.local"])
        let saved = try await choose(own)
        #expect(
            try await answer(own).reasons?.contains { $0.text == "This page is not encrypted. You are asked once." }
                == true)
        #expect(try await saved.value.fills.count == 2)
        #expect(try await choose(own).value.fills.count == 2)
        let page = try await page(["http://app.nas.local"])
        let first = try await choose(page)
        let shown = try await answer(page)
        #expect(shown.savedFor == "http://nas.local")
        #expect(shown.reasons?.contains { $0.text.contains("not encrypted") } == true)
        #expect(try await first.value.fills.count == 2)
        #expect(try await choose(page).value.fills.count == 2)
        #expect(try await daemon.capabilities.pages.consents.consents().consents.map(\.kind) == ["insecureLocal"])
    }

    // MARK: What a browser does not state

    /// What Firefox says at best of a choice.
    private static func unstated(
        _ surface: String = "bar", held: Bool = false, reason: String? = GuardReport.unstated, unseen: [Int]? = nil,
        sends: [String]? = nil, unasked: Bool? = nil
    ) -> Renderer.Choose.Params {
        .init(
            handle: "", surface: surface, guard: .init(held: held, reason: reason), unasked: unasked, unseen: unseen,
            unstated: [0, 1], sends: sends)
    }

    private static let once = "You are asked once for this password on this site."

    @Test(
        "S71: what a browser does not state is asked about once for each account at its origin, and can be taken back")
    func unstatedIsAskedAboutOnce() async throws {
        var second = CredentialIdentity.shiny
        second.user = "second"
        second.recordIdentifier = "r2"
        try await daemon.begin([.shiny, second])
        let page = try await page([shiny])
        let first = try await choose(page, Self.unstated())
        #expect(try await answer(page).reasons?.map(\.text).filter { $0.hasSuffix(Self.once) }.count == 1)
        #expect(try await first.value.fills.count == 2)
        // From the bar, the popup and the list.
        #expect(try await choose(page, Self.unstated()).value.fills.count == 2)
        #expect(try await choose(page, Self.unstated("popup", held: true, reason: nil)).value.fills.count == 2)
        #expect(try await choose(page, Self.unstated("window", held: true, reason: nil)).value.fills.count == 2)

        let other = try await choose(page, user: "second", Self.unstated())
        #expect(try await answer(page).user == "second")
        _ = try await other.value

        let consents = await daemon.capabilities.pages.consents
        let given = try await consents.consents().consents
        #expect(given.map(\.kind) == ["unstated", "unstated"] && given.map(\.origin) == [shiny, shiny])
        #expect(try await consents.forgetConsents(.init()).forgotten == 2)
        let again = try await choose(page, Self.unstated())
        try await answer(page)
        _ = try await again.value
    }

    @Test("S71: with the yes everything that was found to be wrong is still asked about")
    func unstatedYesIsForNothingElse() async throws {
        try await daemon.begin()
        let page = try await page([shiny])
        let first = try await choose(page, Self.unstated("popup", held: true, reason: nil))
        try await answer(page)
        _ = try await first.value
        let wrong = [
            Self.unstated(reason: "covered"), Self.unstated(reason: "framed"), Self.unstated(reason: nil),
            Self.unstated(unseen: [1]), Self.unstated(sends: ["https://evil.com"]),
            Self.unstated("popup", held: true, reason: nil, unseen: [1]),
        ]
        for stated in wrong {
            let chosen = try await choose(page, stated)
            let shown = try await answer(page)
            #expect(shown.reasons?.contains { $0.text.hasSuffix(Self.once) } == false, "\(stated)")
            _ = try await chosen.value
        }
        // In a frame, whatever is around it, each time.
        let framed = try await self.page([shiny, shiny], number: 2)
        for stated in [Self.unstated(reason: "framed"), Self.unstated("popup", held: true, reason: nil)] {
            for _ in 0..<2 {
                let chosen = try await choose(framed, stated)
                #expect(
                    try await answer(framed).reasons?.map(\.text).filter { $0.contains("asked each time.") }.count == 1)
                _ = try await chosen.value
            }
        }
    }

    @Test("S36, S71: a yes that lasts takes the passphrase, and no finger; the fills after it take either")
    func unstatedYesTakesNoFinger() async throws {
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(authenticationMinutes: 1, fills: "after", fingerprint: true))
        let page = try await page([shiny])
        for takesFingerprint in [nil, true] {
            daemon.pass(.seconds(90))
            let chosen = try await choose(page, Self.unstated())
            let shown = try await answer(page, passphrase: true)
            #expect(shown.kind == "authenticate" && shown.takesFingerprint == takesFingerprint)
            _ = try await chosen.value
        }
    }

    @Test(
        "S36: another host of the site is agreed to with the passphrase and no finger; the fills after it take either")
    func otherHostTakesNoFinger() async throws {
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(authenticationMinutes: 1, fills: "after", fingerprint: true))
        let page = try await page(["https://www.shiny.example.com"])
        for takesFingerprint in [nil, true] {
            daemon.pass(.seconds(90))
            let chosen = try await choose(page)
            let shown = try await answer(page, passphrase: true)
            #expect(shown.kind == "authenticate" && shown.takesFingerprint == takesFingerprint)
            _ = try await chosen.value
        }
    }

    @Test("S71: only a question that was answered with yes is remembered, and what was wrong then does not count")
    func unstatedNoIsNone() async throws {
        try await daemon.begin()
        let page = try await page([shiny])
        let refused = try await choose(page, Self.unstated())
        try await answer(page, yes: false)
        await #expect { try await refused.value } throws: { code($0) == .userCanceled }
        daemon.pass(.seconds(11))
        let covered = try await choose(page, Self.unstated(reason: "covered"))
        try await answer(page)
        _ = try await covered.value
        #expect(try await daemon.capabilities.pages.consents.consents().consents.isEmpty)
        let asked = try await choose(page, Self.unstated())
        try await answer(page)
        #expect(try await asked.value.fills.count == 2)
    }

    @Test("S71: a fill that may not be asked about ends as if it had been refused, and is not remembered as a no")
    func unaskedFillAsksNothing() async throws {
        try await daemon.begin()
        let page = try await page([shiny])
        for _ in 0..<2 {
            await #expect {
                try await choose(page, Self.unstated(unasked: true)).value
            } throws: {
                code($0) == .userCanceled
            }
        }
        let asked = try await choose(page, Self.unstated())
        try await answer(page)
        _ = try await asked.value
        #expect(try await choose(page, Self.unstated(unasked: true)).value.fills.count == 2)
    }

    // MARK: Use it here anyway

    @Test("S19: a foreign choice names both hosts, takes the passphrase, and fills once")
    func foreignChoiceTakesThePassphrase() async throws {
        try await daemon.begin()
        let page = try await page(["https://unrelated.example.net"])
        for _ in 0..<2 {
            let chosen = try await chooseAnyway(page)
            let shown = try await answer(page, passphrase: true)
            #expect(shown.kind == "foreign" && shown.site == "https://unrelated.example.net")
            #expect(shown.savedFor == "shiny.example.com" && shown.mayKeep == true)
            #expect(try await chosen.value.fills.count == 2)
            #expect(try await rows(page).isEmpty)
        }
        #expect(notes("edits").isEmpty)
        #expect(try await lines().map(\.authentication) == ["passphrase just now", "passphrase just now"])
    }

    @Test("S19: a yes without the passphrase is none")
    func yesWithoutThePassphraseIsNone() async throws {
        try await daemon.begin()
        let page = try await page(["https://unrelated.example.net"])
        let chosen = try await chooseAnyway(page)
        let prompt = await page.browser.prompt()
        await #expect {
            try await daemon.capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        } throws: {
            code($0) == .invalidParams
        }
        try await daemon.capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { try await chosen.value } throws: { code($0) == .userCanceled }
        #expect(try await lines().isEmpty)
    }

    @Test("S18: only \"also use here\" keeps the place, with the item itself")
    func alsoUseHereKeepsThePlace() async throws {
        try await daemon.begin()
        let page = try await page(["https://unrelated.example.net"])
        let chosen = try await chooseAnyway(page)
        try await answer(page, passphrase: true, keep: true)
        #expect(try await chosen.value.notice == nil)
        #expect(notes("edits") == [["r1", ["shiny.example.com", "unrelated.example.net"]]])
        #expect(try await lines().last?.reason?.contains("from now on") == true)
    }

    @Test("S19: a foreign choice inside a frame names the page around it")
    func foreignChoiceInAFrameNamesThePage() async throws {
        try await daemon.begin()
        let page = try await page(["https://unrelated.example.net", "https://top.example"])
        let chosen = try await chooseAnyway(page)
        #expect(try await answer(page, passphrase: true).top == "https://top.example")
        #expect(try await chosen.value.fills.count == 2)
        #expect(try await daemon.capabilities.pages.consents.consents().consents.isEmpty)
    }

    // MARK: Providers

    @Test("S14: a provider's own list, whose accounts nobody here knows, is not opened for a page without encryption")
    func ownListIsNotOpenedForAnInsecurePage() async throws {
        let other = try #require(BundleIdentifier("com.example.other"))
        try await daemon.begin()
        try await daemon.broker.openStoreForTesting(of: other)
        let page = try await page(["http://shiny.example.com"])
        await #expect {
            try await daemon.capabilities.pages.filling.openList(
                .init(session: page.session, provider: other.rawValue), on: page.browser.client)
        } throws: {
            code($0) == .refused
        }
    }

    @Test("S23: the provider is told document, frames and security, and may refuse")
    func providerIsToldAndMayRefuse() async throws {
        var port = CredentialIdentity.shiny
        port.service = ServiceIdentifier(written: "https://shiny.example.com:9443")
        port.recordIdentifier = "r9"
        try await daemon.begin([.shiny, port])
        let page = try await page([shiny, "https://www.example.com"])
        let chosen = try await choose(page)
        try await answer(page)
        _ = try await chosen.value
        #expect(
            notes("contexts") == [
                [
                    "ancestors": ["https://www.example.com"], "origin": "https://shiny.example.com",
                    "secureContext": true,
                ]
            ])
        for _ in 0..<6 {
            let refused = try await self.page(["https://shiny.example.com:9443"])
            await #expect { try await choose(refused).value } throws: { error in
                code(error) == .refused && (error as? WireError)?.reason?.contains("not on this port") == true
            }
        }
        // A refusal is no failure to deliver: what the provider advertises is still there.
        #expect(try await rows(self.page([shiny])).count == 1)
        #expect(try await lines().filter { $0.event == "refused" }.count == 6)
    }
}

extension Broker {
    fileprivate func openStoreForTesting(of provider: BundleIdentifier) throws {
        try change { try $0.openStore(of: provider) }
    }
}
