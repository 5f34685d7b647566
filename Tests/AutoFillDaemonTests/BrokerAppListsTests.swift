// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// A provider's own list, for an app.
@Suite(.timeLimit(.minutes(2))) struct BrokerAppListsTests {
    private static let provider = "com.example.shiny"
    private static let row = "more-com.example.shiny"
    private let sites = ConfirmingSites()
    private let window: AppWindow

    init() async throws {
        window = AppWindow(daemon: try await FakeInstallation(sites: sites))
    }

    private var broker: Broker { window.broker }
    private var capabilities: Capabilities { window.capabilities }

    /// A provider that notes for what its list is asked.
    private static func script(atOnce: Bool = false) -> FakeProvider.Script {
        { provider in
            var asked = try provider.began([])
            while true {
                let arrival = try provider.receive()
                switch arrival.method {
                case "provider.prepareCredentialList":
                    provider.note(
                        "services",
                        [arrival["services"] ?? "", arrival["type"] ?? "", arrival["context"] ?? ""])
                    asked = arrival
                    if atOnce {
                        try provider.credential(arrival, user: "listed")
                    } else {
                        try provider.show(FakeProvider.list, for: arrival)
                    }
                case "provider.act":
                    try provider.reply(arrival)
                    try provider.credential(asked, user: "listed")
                case "provider.cancel":
                    provider.note("cancelled")
                    try provider.fail(asked, 1)
                default: break
                }
            }
        }
    }

    private func begin(
        _ bundle: FakeBundle = FakeBundle(script: BrokerAppListsTests.script()),
        _ domains: [String] = ["webcredentials:shiny.example.com"], saved: [CredentialIdentity] = [.shiny]
    ) async throws -> FakeApp {
        try await window.daemon.begin(saved)
        await window.open()
        try bundle.write(in: window.daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
        let digest = try await capabilities.settings.providers.providers().providers.first {
            $0.identifier == bundle.identifier
        }?.digest
        _ = try await capabilities.settings.providers.enable(
            .init(identifier: bundle.identifier, digest: try #require(digest)))
        let app = try FakeApp(in: window.daemon.programs, domains: domains)
        try await window.grant(app)
        return app
    }

    private func titles(_ interface: InterfaceStatement) -> [String] { interface.rows.map(\.title) }

    /// Goes to the list, and returns the surface on which it is.
    private func list(_ chooser: String) async throws -> String {
        try await window.act(chooser, "passwords", "select", row: Self.row)
        let prompt = await window.browser.prompt()
        await window.shown(prompt) { $0.title == "T" }
        return prompt
    }

    /// Chooses in the list, and returns the question that follows.
    private func choose(_ list: String) async throws -> String {
        try await window.act(list, "l", "select", row: "0")
        return await window.browser.prompt()
    }

    private func answer(_ question: String, _ accept: Bool, _ passphrase: SecretBytes? = nil) async throws {
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: question, accept: accept, passphrase: passphrase.map { WireSecret($0) }), on: 1)
    }

    private func services() -> [JSONValue] {
        window.daemon.notes.values("services")
    }

    private func expectNothing(_ asked: Task<CredentialAnswer, any Error>) async throws {
        await window.expectCanceled(asked)
        #expect(try await window.released().isEmpty)
    }

    // MARK: The main job

    @Test func whatIsChosenInTheListGoesToTheAppOnceTheUserHasSaidSo() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let (chooser, interface) = try await window.chooser()
        #expect(titles(interface) == ["rmondello", "More in Shiny Passwords…"])
        let list = try await list(chooser)
        let shown = try #require(await capabilities.shared.questions.interfaces.prompt(list, on: 1))
        #expect(shown.provider == "Shiny Passwords" && shown.site == "shiny.example.com")
        #expect(shown.requester.text == app.path)
        let question = try await choose(list)
        let said = try #require(await capabilities.shared.questions.desk.show(question, on: 1))
        #expect(said.kind == "authenticate" && said.user == "listed" && said.provider == "Shiny Passwords")
        #expect(said.requester.text == app.path)
        #expect(said.reasons?.map(\.text).joined().contains("may have saved it for another place") == true)
        #expect(said.reasons?.map(\.text).joined().contains("com.example.Shiny gets it") == true)
        try await answer(question, true, window.daemon.passphrase)
        let credential = try await asked.value.credential
        #expect(credential.user == "listed" && credential.password?.bytes.text == "canary")
        // For the app's domains, as domains.
        #expect(
            services() == [
                [
                    [["identifier": "shiny.example.com", "type": 0]], "password",
                    ["app": .string(FakeApp.identifier)],
                ]
            ])
        let line = try #require(try await window.released().last)
        #expect(line.provider == Self.provider && line.requester == "\(FakeApp.identifier) at \(app.path)")
        #expect(line.authentication == "passphrase just now")
        #expect(line.reason == "chosen in the provider's own list, as the user said")
    }

    @Test("S26: the row is there whatever is saved", arguments: [0, 1, 3])
    func rowIsThereWhateverIsSaved(count: Int) async throws {
        let saved = (0..<count).map { number in
            CredentialIdentity(
                type: .password, service: .init(written: "shiny.example.com"), user: "u\(number)",
                recordIdentifier: "r\(number)")
        }
        let app = try await begin(saved: saved)
        let asked = window.ask(app)
        let (chooser, interface) = try await window.chooser()
        #expect(interface.rows.count == count + 1)
        #expect(interface.rows.last == .init(id: Self.row, title: "More in Shiny Passwords…", subtitle: ""))
        #expect(interface.texts.contains("No saved password is for this app.") == (count == 0))
        #expect(await capabilities.shared.questions.interfaces.cancel(chooser, on: 1))
        await window.expectCanceled(asked)
    }

    // MARK: No row

    @Test(
        "S21: an app that no site names, or no host by its name, has no list to go to",
        arguments: [[], ["webcredentials:*.example.com"], ["applinks:shiny.example.com"]])
    func noListWithoutADomain(domains: [String]) async throws {
        let app = try await begin(domains)
        let asked = window.ask(app)
        let (chooser, interface) = try await window.chooser()
        #expect(!titles(interface).contains { $0.hasPrefix("More") })
        await #expect(throws: WireError.self) {
            try await window.act(chooser, "passwords", "select", row: Self.row)
        }
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
        #expect(services().isEmpty)
    }

    private func begin(_ domains: [String]) async throws -> FakeApp {
        try await begin(FakeBundle(script: Self.script()), domains)
    }

    @Test("S21: an app that its site does not confirm has no list to go to")
    func noListForAnUnconfirmedApp() async throws {
        sites.apps.withLock { $0 = ["E5336VM85F.com.example.Other"] }
        let app = try await begin()
        let asked = window.ask(app)
        let (_, interface) = try await window.chooser()
        #expect(interface.rows.isEmpty)
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
    }

    @Test func noListOfAProviderWithoutPasswordsOrOneThatIsDisabled() async throws {
        let codes = ["ASCredentialProviderExtensionCapabilities": ["ProvidesOneTimeCodes": true]]
        let app = try await begin(FakeBundle(script: Self.script(), attributes: codes))
        let asked = window.ask(app)
        let (_, interface) = try await window.chooser()
        #expect(titles(interface) == ["rmondello"])
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
    }

    @Test func noListOfAProviderThatWasDisabledAndNoneForACode() async throws {
        let app = try await begin()
        let coded = window.ask(app, for: .oneTimeCode)
        #expect(try await window.chooser().interface.rows.isEmpty)
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await window.expectCanceled(coded)
        window.daemon.pass(.seconds(20))
        _ = try await capabilities.settings.providers.disable(Self.provider)
        let asked = window.ask(app)
        #expect(try await titles(window.chooser().interface) == ["rmondello"])
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
    }

    @Test(
        "S5: a row that is not there leads to no list", arguments: ["more-", "more-org.latchkey.passwords", "more-x"])
    func otherRows(row: String) async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let (chooser, _) = try await window.chooser()
        await #expect(throws: WireError.self) { try await window.act(chooser, "passwords", "select", row: row) }
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
        #expect(services().isEmpty)
    }

    // MARK: Refusals on the way

    @Test func cancelInTheListIsACancel() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let list = try await list(window.chooser().prompt)
        #expect(await capabilities.shared.questions.interfaces.cancel(list, on: 1))
        try await expectNothing(asked)
    }

    @Test("S21: a no to the question is a no, whatever was chosen in the list")
    func noToTheQuestion() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let question = try await choose(list(window.chooser().prompt))
        try await answer(question, false)
        try await expectNothing(asked)
    }

    @Test("S3: the passphrase is asked for whatever the preference, and a wrong one gives nothing")
    func wrongPassphrase() async throws {
        let app = try await begin()
        _ = try await broker.setPreferences(.init(authentication: "never"))
        let asked = window.ask(app)
        let question = try await choose(list(window.chooser().prompt))
        for wrong in [SecretBytes(utf8: "wrong"), nil] {
            await #expect(throws: WireError.self) { try await answer(question, true, wrong) }
        }
        try await answer(question, false)
        try await expectNothing(asked)
    }

    @Test("S3: what a provider gives without an act of the user is asked about all the same")
    func answerWithoutAnAct() async throws {
        let app = try await begin(FakeBundle(script: Self.script(atOnce: true)))
        let asked = window.ask(app)
        try await window.act(window.chooser().prompt, "passwords", "select", row: Self.row)
        // The list, which is gone at once, and the question.
        _ = await window.browser.prompt()
        let question = await window.browser.prompt()
        #expect(await capabilities.shared.questions.desk.show(question, on: 1)?.kind == "authenticate")
        try await answer(question, false)
        try await expectNothing(asked)
    }

    @Test("S21: a site that takes its word back while the list is open gives nothing")
    func withdrawnMeanwhile() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let question = try await choose(list(window.chooser().prompt))
        _ = try await capabilities.shared.associations.removeAssociations(.init(app: FakeApp.identifier, domain: nil))
        try await answer(question, true, window.daemon.passphrase)
        try await expectNothing(asked)
        #expect(
            try await capabilities.shared.auditTrail.auditLines(.init()).lines.last?.reason?.contains("not associated")
                == true
        )
    }

    @Test("S21: an app that the user refuses while the list is open gets nothing")
    func revokedMeanwhile() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let question = try await choose(list(window.chooser().prompt))
        _ = try await capabilities.apps.known.revoke(.init(path: app.path))
        try await answer(question, true, window.daemon.passphrase)
        try await expectNothing(asked)
        #expect(
            try await capabilities.shared.auditTrail.auditLines(.init()).lines.last?.reason
                == "the app was replaced after it asked")
    }

    @Test func providerThatIsDisabledMeanwhileGivesNothing() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let question = try await choose(list(window.chooser().prompt))
        _ = try await capabilities.settings.providers.disable(Self.provider)
        try await answer(question, true, window.daemon.passphrase)
        try await expectNothing(asked)
    }

    @Test("S26: a lock while the list is open ends everything")
    func lockedMeanwhile() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        _ = try await list(window.chooser().prompt)
        await broker.lock(reason: "a test")
        await window.expectCanceled(asked)
    }

    @Test func requestThatTheAppTakesBackEndsInTheList() async throws {
        let app = try await begin()
        let asked = window.ask(app)
        let list = try await list(window.chooser().prompt)
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        try await expectNothing(asked)
        await window.dismissed(list)
        #expect(await capabilities.shared.questions.interfaces.prompt(list, on: 1) == nil)
    }
}
