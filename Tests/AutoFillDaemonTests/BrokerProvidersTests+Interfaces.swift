// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Interfaces of providers: who is presented, and what is asked beside them.
extension BrokerProvidersTests {
    @Test func providerThatNeedsTheUserIsPresented() async throws {
        try await daemon.begin()
        try await enable(
            FakeBundle(
                script: FakeBundle.script(delivery: { try $0.fail($1, 1100) })))
        let answer = Task { try await choose(identifier) }
        let prompt = await browser.prompt()
        var shown = try #require(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1))
        while shown.interface == nil, !Task.isCancelled {
            _ = await browser.next(Browser.Update.name)
            shown = try #require(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1))
        }
        #expect(shown.provider == "Shiny Passwords" && shown.site == "https://shiny.example.com")
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: .init(element: "b", action: "press", fields: [])), on: 1)
        #expect(try await answer.value.fills.map(\.value.bytes.text) == ["rmondello", "canary"])
        let line = try #require(try await capabilities.shared.auditTrail.auditLines(.init()).lines.last)
        #expect(line.authentication == UserAct.Authentication.provider.rawValue)
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1) == nil)
    }

    @Test("a provider that shows its interface has asked who the user is; a tap out of sight is confirmed all the same")
    func interfaceWithoutAnActIsConfirmed() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        try await enable(
            FakeBundle(
                script: FakeBundle.script(
                    delivery: { try $0.fail($1, 1100) }, hasty: { try $0.credential($1) })))
        let answer = Task { try await choose(identifier, surface: "bar", held: false) }
        _ = await browser.prompt()
        // The second one is the system's question.
        let prompt = await browser.prompt()
        #expect(await capabilities.shared.questions.desk.show(prompt, on: 1)?.kind == "confirm")
        try await capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        #expect(try await answer.value.fills.map(\.value.bytes.text) == ["rmondello", "canary"])
        let line = try #require(try await capabilities.shared.auditTrail.auditLines(.init()).lines.last)
        #expect(line.authentication == UserAct.Authentication.provider.rawValue)
        #expect(line.act == "bar")
    }

    @Test(
        "S48: an interface that ends by itself shows the command line nothing where the passphrase is asked for always")
    func commandLineIsShownNothingByAnInterfaceWithoutAnAct() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        try await enable(FakeBundle(script: FakeBundle.script(hasty: { try $0.credential($1) })))
        await #expect {
            _ = try await capabilities.settings.providers.chooseCredential(
                .init(url: "https://shiny.example.com", provider: identifier), on: browser.client)
        } throws: {
            code($0) == .authenticationRequired
        }
    }

    @Test("a choice outside the page is its own confirmation, where the provider showed its interface")
    func interfaceWithoutAnActAfterAChoiceInThePopup() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        try await enable(
            FakeBundle(
                script: FakeBundle.script(
                    delivery: { try $0.fail($1, 1100) }, hasty: { try $0.credential($1) })))
        #expect(try await choose(identifier).fills.map(\.value.bytes.text) == ["rmondello", "canary"])
    }

    @Test("everything is listed once the user has said who they are, where fills are asked about")
    func listTakesThePassphrase() async throws {
        try await daemon.begin()
        try await enable()
        _ = try await broker.setPreferences(.init(fills: "always"))
        let name = try await session()
        let list = Task { try await capabilities.pages.suggestions.list(.init(session: name), on: browser.client) }
        let prompt = await browser.prompt()
        #expect(await capabilities.shared.questions.desk.show(prompt, on: 1)?.kind == "passwords")
        await #expect(throws: WireError.self) {
            try await capabilities.shared.questions.desk.answer(
                .init(prompt: prompt, accept: true, passphrase: WireSecret(SecretBytes(utf8: "wrong"))), on: 1)
        }
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        #expect(try await list.value.rows.count == 2)
        // The next search of the same list asks nobody; the list of another form does.
        #expect(
            try await capabilities.pages.suggestions.list(.init(session: name, search: "shiny"), on: browser.client)
                .rows
                .count == 2)
        let other = try await session()
        let refused = Task { try await capabilities.pages.suggestions.list(.init(session: other), on: browser.client) }
        try await capabilities.shared.questions.desk.answer(.init(prompt: await browser.prompt(), accept: false), on: 1)
        await #expect { _ = try await refused.value } throws: { code($0) == .userCanceled }
    }

    @Test(arguments: [
        ("https://shiny.example.com", ["https://shiny.example.com", "example.com"]),
        ("https://example.com", ["https://example.com"]),
        ("https://shiny.example.com:8443", ["https://shiny.example.com:8443", "shiny.example.com", "example.com"]),
        ("http://localhost:3000", ["http://localhost:3000", "localhost"]),
        ("https://192.0.2.7", ["https://192.0.2.7"]),
    ])
    func listIsAskedForAllThatAPageIs(page: String, services: [String]) async throws {
        let origin = try #require(Origin(url: page))
        let provider = try #require(BundleIdentifier(identifier))
        #expect(
            await capabilities.shared.providerInterfaces.services(of: origin, for: provider).map(\.value) == services)
    }

    @Test(arguments: [
        ("https://shiny.example.com/team-a/login?token=1#top", "/team-a/login"), ("https://shiny.example.com/", "/"),
        ("https://shiny.example.com", nil), ("https://shiny.example.com?next=/a", nil), ("shiny.example.com/a", nil),
        ("https://shiny.example.com/a b", nil),
        ("https://shiny.example.com/" + String(repeating: "a", count: 159), nil),
    ])
    func pathIsReadFromAURL(url: String, path: String?) {
        #expect(PagePath(inURL: url)?.text == path)
    }

    @Test("an account that the provider picks without the user is confirmed, or refused where another was chosen")
    func accountThatNobodyChoseIsNotFilled() async throws {
        try await daemon.begin()
        let hasty = FakeBundle.script(
            delivery: { try $0.fail($1, 1100) }, hasty: { try $0.credential($1, user: "another") })
        try await enable(FakeBundle(script: hasty))
        await #expect { _ = try await choose(identifier) } throws: { code($0) == .providerUnavailable }
        let session = try await session()
        let answer = Task {
            try await capabilities.pages.filling.openList(
                .init(session: session, provider: identifier), on: browser.client)
        }
        // The first two are the provider's; the third is the system's question.
        _ = await browser.prompt()
        _ = await browser.prompt()
        let prompt = await browser.prompt()
        #expect(await capabilities.shared.questions.desk.show(prompt, on: 1)?.kind == "confirm")
        try await capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { _ = try await answer.value } throws: { code($0) == .userCanceled }
    }

    @Test func cancelledInterfaceFillsNothing() async throws {
        try await daemon.begin()
        try await enable(
            FakeBundle(
                script: FakeBundle.script(delivery: { try $0.fail($1, 1100) })))
        let answer = Task { try await choose(identifier) }
        let prompt = await browser.prompt()
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 2) == false)
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        await #expect { _ = try await answer.value } throws: { code($0) == .userCanceled }
    }

    @Test("what a provider shows for a page ends when the page is left")
    func leftPageEndsTheInterface() async throws {
        try await daemon.begin()
        try await enable(
            FakeBundle(
                script: FakeBundle.script(delivery: { try $0.fail($1, 1100) })))
        let answer = Task { try await choose(identifier) }
        let prompt = await browser.prompt()
        await capabilities.pages.sessions.left(.init(tab: 3, document: "D1"), on: browser.client)
        await #expect(throws: (any Error).self) { _ = try await answer.value }
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1) == nil)
    }

    @Test(
        "an act on what is not shown is refused",
        arguments: [
            InterfaceAct(element: "x", action: "press"), .init(element: "b", action: "select", row: "0"),
            .init(element: "b", action: "change"), .init(element: "", action: "press"),
            .init(
                element: "b", action: "press",
                fields: [.init(id: "nobody", text: WireSecret(SecretBytes(utf8: "x")))]),
        ])
    func actOnWhatIsNotShownIsRefused(act: InterfaceAct) async throws {
        try await daemon.begin()
        try await enable(FakeBundle(attributes: ["ASCredentialProviderExtensionShowsConfigurationUI": true]))
        async let ended: Void = capabilities.settings.providers.configure(identifier, on: browser.client)
        let prompt = await browser.prompt()
        _ = await browser.next(Browser.Update.name)
        await #expect {
            try await capabilities.shared.questions.interfaces.act(.init(prompt: prompt, act: act), on: 1)
        } throws: {
            code($0) == .expired
        }
        await #expect {
            try await capabilities.shared.questions.interfaces.act(
                .init(prompt: prompt, act: .init(element: "b", action: "press")), on: 2)
        } throws: { code($0) == .expired }
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: .init(element: "b", action: "press")), on: 1)
        try await ended
    }

    @Test func providersOwnListFillsWhatIsChosenThere() async throws {
        try await daemon.begin()
        try await enable()
        let session = try await session()
        let answer = Task {
            try await capabilities.pages.filling.openList(
                .init(session: session, provider: identifier), on: browser.client)
        }
        let prompt = await browser.prompt()
        _ = await browser.next(Browser.Update.name)
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: .init(element: "l", action: "select", row: "0", fields: [])), on: 1)
        #expect(try await answer.value.fills.map(\.value.bytes.text) == ["listed", "canary"])
    }

    @Test func configurationIsOnlyShownWhereItIsDeclared() async throws {
        try await daemon.begin()
        try await enable()
        await #expect { try await capabilities.settings.providers.configure(identifier, on: browser.client) } throws: {
            code($0) == .notPermitted
        }
    }
}
