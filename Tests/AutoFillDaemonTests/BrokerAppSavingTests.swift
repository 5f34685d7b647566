// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
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

/// An app has a password saved; the system asks in a browser's window, which is the test.
@Suite(.timeLimit(.minutes(2))) struct BrokerAppSavingTests {
    private let sites = ConfirmingSites()
    private let daemon: FakeInstallation
    private let window = FakeBrowser()

    /// Gives one password, keeps what it is told to, and notes it.
    private static let provider: FakeProvider.Script = { provider in
        try provider.began()
        while true {
            let asked = try provider.ask()
            switch asked.method {
            case "provider.provideCredential":
                provider.note("provided")
                try provider.credential(asked)
            case "provider.savePassword":
                provider.note("saved", asked.params)
                try provider.reply(asked)
            default: try provider.fail(asked)
            }
        }
    }

    init() async throws {
        daemon = try await FakeInstallation(provider: Self.provider, sites: sites)
    }

    private var broker: Broker { daemon.broker }

    private var capabilities: Capabilities { daemon.capabilities }

    private func begin() async throws -> FakeApp {
        try await daemon.begin()
        await broker.connected(window.client)
        let app = try FakeApp(in: daemon.programs)
        let looked = try await capabilities.apps.known.look(.init(path: app.path)).app
        _ = try await capabilities.apps.known.grant(
            .init(
                path: app.path, digest: try #require(looked.digest), identifier: FakeApp.identifier,
                domains: ["webcredentials:shiny.example.com"]))
        return app
    }

    private func params(
        user: String = "new", password: String = "made by the app", url: String = "https://shiny.example.com/account",
        title: String? = nil
    ) -> Authorization.Save.Params {
        .init(
            url: url, user: user, password: WireSecret(SecretBytes(utf8: password)), title: title,
            surfaces: ["window"])
    }

    private func ask(_ app: FakeApp, _ params: Authorization.Save.Params) -> Task<Void, any Error> {
        Task { try await capabilities.apps.saving.save(params, on: app.client) }
    }

    /// What the window shows once it asks.
    private func shown() async throws -> (prompt: String, interface: InterfaceStatement) {
        let prompt = await window.prompt()
        while !Task.isCancelled {
            let interface = await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.interface
            if let interface, interface.elements.contains(where: { $0.kind == "button" }) { return (prompt, interface) }
            _ = await window.next(Browser.Update.name)
        }
        throw CancellationError()
    }

    private func press(_ prompt: String, _ element: String) async throws {
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: InterfaceAct(element: element, action: "press")), on: 1)
    }

    private func saved() -> [JSONValue] {
        daemon.notes.values("saved")
    }

    @Test func appHasAPasswordSavedForItsDomain() async throws {
        let app = try await begin()
        let asked = ask(app, params(title: "Shiny"))
        let (prompt, interface) = try await shown()
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.thing == "save")
        #expect(interface.elements.compactMap(\.label) == ["Save in Passwords", "Not now"])
        let words = interface.elements.compactMap(\.text).joined()
        #expect(words.contains(app.path) && words.contains("new on shiny.example.com") && !words.contains("made by"))
        try await press(prompt, "save-0")
        try await asked.value
        let request = try #require(saved().first)
        #expect(request["user"] == "new" && request["title"] == "Shiny")
        #expect(request["password"]?.secretText == "made by the app")
        #expect(request["service"]?["identifier"] == "https://shiny.example.com")
        #expect(request["context"]?["app"] == .string(FakeApp.identifier))
        #expect(request["event"] == "formDidDisappear")
        let line = try #require(try await capabilities.shared.auditTrail.auditLines(.init()).lines.last)
        #expect(line.event == "saved" && line.user == "new" && line.act == "window")
        #expect(line.requester == "\(FakeApp.identifier) at \(app.path)")
    }

    @Test func anotherPasswordIsReplacedOnlyAfterAQuestionThatSaysSo() async throws {
        let app = try await begin()
        let asked = ask(app, params(user: "rmondello"))
        let (prompt, interface) = try await shown()
        #expect(interface.elements.compactMap(\.label) == ["Update in Passwords", "Not now"])
        try await press(prompt, "update")
        try await asked.value
        #expect(saved().map { $0["event"] } == ["userInitiated"])
        #expect(try await capabilities.shared.auditTrail.auditLines(.init()).lines.last?.event == "updated")
    }

    @Test("S26: what is saved already is shown to the user, and not told the app")
    func knownPasswordIsAskedAboutToo() async throws {
        let app = try await begin()
        await broker.known.released(
            HeldCredential(
                identity: .shiny, provider: .builtIn, password: HeldSecret(WireSecret(SecretBytes(utf8: "canary")))))
        let asked = ask(app, params(user: "rmondello", password: "canary"))
        let (prompt, interface) = try await shown()
        #expect(interface.elements.compactMap(\.label) == ["Done"])
        try await press(prompt, "done")
        try await asked.value
        #expect(saved().isEmpty)
    }

    @Test("S44: an app that has a password saved does not lead to a request to the provider that has the account")
    func providerIsNotAskedForItsPassword() async throws {
        let app = try await begin()
        let asked = ask(app, params(user: "rmondello", password: "canary"))
        let (prompt, interface) = try await shown()
        #expect(interface.elements.compactMap(\.label) == ["Update in Passwords", "Not now"])
        #expect(interface.elements.compactMap(\.text).joined().contains("If it is another one"))
        try await press(prompt, "refuse")
        await #expect { try await asked.value } throws: { code($0) == .userCanceled }
        #expect(daemon.notes.values("provided").isEmpty && saved().isEmpty)
    }

    @Test("S26: a site that has not confirmed the app, or that is on the never list, saves nothing and tells nothing")
    func unconfirmedAndNever() async throws {
        let app = try await begin()
        _ = try await capabilities.shared.submittedForms.changeNever("shiny.example.com", isNever: true)
        for url in ["https://shiny.example.com", "https://bank.example.com"] {
            let asked = ask(app, params(url: url))
            let (prompt, interface) = try await shown()
            #expect(interface.elements.compactMap(\.label) == ["Done"])
            try await press(prompt, "done")
            try await asked.value
        }
        #expect(saved().isEmpty)
    }

    @Test("S26: after a no the app is told canceled, and is not asked about again for a while")
    func refusal() async throws {
        let app = try await begin()
        let asked = ask(app, params())
        let (prompt, _) = try await shown()
        try await press(prompt, "refuse")
        await #expect(throws: WireError(.userCanceled, "The request was canceled.")) { try await asked.value }
        let again = ask(app, params(user: "other"))
        await #expect(throws: WireError(.userCanceled, "The request was canceled.")) { try await again.value }
        #expect(saved().isEmpty)
    }

    @Test func appThatIsNoLongerTheSameSavesNothing() async throws {
        let app = try await begin()
        let asked = ask(app, params())
        let (prompt, _) = try await shown()
        _ = try await capabilities.apps.known.revoke(.init(path: app.path))
        try await press(prompt, "save-0")
        await #expect { try await asked.value } throws: { code($0) == .userCanceled }
        #expect(saved().isEmpty)
    }

    @Test(arguments: [
        ("http://shiny.example.com", "new", "secret"), ("https://shiny.example.com:8443", "new", "secret"),
        ("ftp://shiny.example.com", "new", "secret"), ("", "new", "secret"), ("https://", "new", "secret"),
        ("https://shiny.example.com", "a\nb", "secret"), ("https://shiny.example.com", "new", ""),
        ("https://shiny.example.com", String(repeating: "x", count: 1025), "secret"),
        ("https://shiny.example.com", "new", String(repeating: "x", count: 4097)),
    ])
    func whatCouldBeSavedForNobodyIsRefused(url: String, user: String, password: String) async throws {
        let app = try await begin()
        await #expect {
            try await capabilities.apps.saving.save(params(user: user, password: password, url: url), on: app.client)
        } throws: {
            code($0) == .invalidParams
        }
    }

    @Test func onlyWhatIsShownCanBePressed() {
        let save = AppSaving.Offer.save([ProviderName(identifier: "org.latchkey.passwords", name: "Passwords")])
        let update = AppSaving.Offer.update(
            ProviderName(identifier: "org.latchkey.passwords", name: "Passwords"), isKnown: true)
        func outcome(_ element: String, _ offer: AppSaving.Offer, _ action: String = "press") -> AppSaving.Outcome {
            AppSaving.outcome(of: InterfaceAct(element: element, action: action), offer)
        }
        #expect(outcome("save-0", save) == .save(.builtIn) && outcome("update", update) == .update)
        #expect(outcome("refuse", save) == .no && outcome("refuse", update) == .no)
        for element in ["save-1", "save-", "update", "done", "app"] { #expect(outcome(element, save) == .nothing) }
        for element in ["save-0", "done"] { #expect(outcome(element, update) == .nothing) }
        #expect(outcome("save-0", save, "select") == .nothing && outcome("done", .nothing("no")) == .done)
    }
}
