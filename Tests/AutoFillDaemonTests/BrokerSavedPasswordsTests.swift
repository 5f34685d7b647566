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

/// The built-in provider's window: who may open it, and what the daemon makes of what is changed there.
@Suite(.timeLimit(.minutes(2))) struct BrokerSavedPasswordsTests {
    private let daemon: FakeInstallation
    private let browser = FakeBrowser()
    private var broker: Broker { daemon.broker }
    private var capabilities: Capabilities { daemon.capabilities }
    private let builtIn = BundleIdentifier.builtIn.rawValue

    /// A provider in whose window the user saves an account, and finishes.
    private static func provider(_ method: String = "store.save", service: String, user: String, record: String)
        -> FakeProvider.Script
    {
        { provider in
            try provider.began()
            let identity: JSONValue = [
                "type": "password", "service": ["type": 0, "identifier": .string(service)], "user": .string(user),
                "recordIdentifier": .string(record), "rank": 0,
            ]
            while true {
                let asked = try provider.ask()
                guard asked.method == "provider.configure" else {
                    try provider.fail(asked)
                    continue
                }
                provider.note("shown")
                try provider.request("s", method, ["identities": [identity]])
                var saved = try provider.receive()
                while saved.answer == nil {
                    try provider.fail(saved)
                    saved = try provider.receive()
                }
                try provider.reply(asked)
            }
        }
    }

    init() async throws {
        daemon = try await FakeInstallation(
            provider: Self.provider(service: "shiny.example.com", user: "anna", record: "r2"))
    }

    private var timesShown: Int { daemon.notes.values("shown").count }

    private func expectNothingShown() {
        #expect(timesShown == 0)
    }

    // MARK: Who may open it

    @Test func isShownToWhoHasAuthenticated() async throws {
        try await daemon.begin()
        try await capabilities.settings.providers.configure(builtIn, on: browser.client)
        #expect(timesShown == 1)
        #expect(
            try await capabilities.settings.providers.providers().providers.first { $0.builtIn }?.showsConfiguration
                == true)
    }

    @Test func isNotShownWhileLocked() async throws {
        try await daemon.begin()
        await broker.lock(reason: "a test")
        for role in [PeerRole.browser, .settings] {
            let client = FakeBrowser(number: 2, role: role).client
            await #expect { try await capabilities.settings.providers.configure(builtIn, on: client) } throws: {
                code($0) == .locked
            }
        }
        expectNothingShown()
    }

    @Test func isNotShownBeforeThereIsAnything() async throws {
        await #expect { try await capabilities.settings.providers.configure(builtIn, on: browser.client) } throws: {
            code($0) == .notInitialized
        }
        expectNothingShown()
    }

    @Test func asksForThePassphraseWhereThePreferenceDoes() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        let end = Task { try await capabilities.settings.providers.configure(builtIn, on: browser.client) }
        let question = await browser.prompt()
        let shown = try #require(await capabilities.shared.questions.desk.show(question, on: 1))
        #expect(shown.kind == "passwords" && shown.site == nil && shown.user == nil)
        await #expect {
            try await capabilities.shared.questions.desk.answer(.init(prompt: question, accept: true), on: 1)
        } throws: { code($0) == .invalidParams }
        let wrong = WireSecret(SecretBytes(utf8: "wrong"))
        await #expect {
            try await capabilities.shared.questions.desk.answer(
                .init(prompt: question, accept: true, passphrase: wrong), on: 1)
        } throws: { code($0) == .wrongPassphrase }
        expectNothingShown()
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: question, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        try await end.value
        #expect(timesShown == 1)
    }

    @Test func isNotShownAfterANo() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        let end = Task { try await capabilities.settings.providers.configure(builtIn, on: browser.client) }
        try await capabilities.shared.questions.desk.answer(.init(prompt: await browser.prompt(), accept: false), on: 1)
        await #expect { try await end.value } throws: { code($0) == .userCanceled }
        // And whoever was refused does not ask again at once.
        await #expect { try await capabilities.settings.providers.configure(builtIn, on: browser.client) } throws: {
            code($0) == .tooManyAttempts
        }
        expectNothingShown()
    }

    @Test func isNotShownWhereItWasLockedDuringTheQuestion() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        let end = Task { try await capabilities.settings.providers.configure(builtIn, on: browser.client) }
        let question = await browser.prompt()
        await broker.lock(reason: "a test")
        await #expect {
            try await capabilities.shared.questions.desk.answer(
                .init(prompt: question, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        } throws: { code($0) == .expired }
        await #expect { try await end.value } throws: { code($0) == .locked }
        expectNothingShown()
    }

    @Test func theCommandLineAuthenticatesFirst() async throws {
        try await daemon.begin()
        _ = try await broker.setPreferences(.init(authentication: "always"))
        daemon.pass(.seconds(60))
        let terminal = FakeBrowser(number: 2, role: .settings)
        await #expect { try await capabilities.settings.providers.configure(builtIn, on: terminal.client) } throws: {
            code($0) == .authenticationRequired
        }
        expectNothingShown()
        try await broker.authenticate(passphrase: daemon.passphrase, for: nil, on: 0)
        try await capabilities.settings.providers.configure(builtIn, on: terminal.client)
        #expect(timesShown == 1)
    }

    // MARK: What is changed there

    /// What the daemon knows after an account was saved in the window: who signs in with Apple, and which records are marked.
    private func known(
        after user: String, _ record: String, service: String = "shiny.example.com", method: String = "store.save"
    ) async throws -> (converted: [String], marked: [String]) {
        let daemon = try await FakeInstallation(
            provider: Self.provider(method, service: service, user: user, record: record))
        try await daemon.begin()
        try await daemon.broker.prepareKnowledge()
        try await daemon.capabilities.settings.providers.configure(builtIn, on: browser.client)
        return await daemon.broker.knowledge
    }

    @Test func aNewPasswordMeansThatItSignsInByPassword() async throws {
        let known = try await known(after: "anna", "r2")
        #expect(known.converted == ["rmondello", "berta"])
        #expect(known.marked == ["r1"])
    }

    @Test func aChangedItemLosesItsMarksAlone() async throws {
        let known = try await known(after: "rmondello", "r1")
        #expect(known.converted == ["rmondello", "anna", "berta"])
        #expect(known.marked == ["r2"])
    }

    @Test(arguments: [("anna", "other.example.com"), ("Anna", "shiny.example.com"), ("", "shiny.example.com")])
    func anotherAccountMeansNothing(user: String, service: String) async throws {
        let known = try await known(after: user, "r3", service: service)
        #expect(known.converted == ["rmondello", "anna", "berta"])
        #expect(known.marked == ["r1", "r2"])
    }

    @Test func whatIsRemovedMeansNothing() async throws {
        let known = try await known(after: "anna", "r2", method: "store.remove")
        #expect(known.converted == ["rmondello", "anna", "berta"])
        #expect(known.marked == ["r1", "r2"])
    }

    @Test func whatIsSavedWithoutTheWindowMeansNothing() async throws {
        try await daemon.begin()
        try await broker.prepareKnowledge()
        var identity = CredentialIdentity.shiny
        identity.user = "anna"
        _ = try await capabilities.shared.stores.handleStore(
            Provider.SaveIdentities.name,
            JSONValue(encoding: IdentitiesParams(identities: [IdentityStatement(identity)])), of: .builtIn)
        let known = await broker.knowledge
        #expect(known.converted == ["rmondello", "anna", "berta"] && known.marked == ["r1", "r2"])
    }
}

extension Broker {
    private static let records = ["r1", "r2"]

    /// Three accounts sign in with Apple, and two records are marked.
    fileprivate func prepareKnowledge() throws {
        for user in ["rmondello", "anna", "berta"] {
            let account = ConvertedAccount(
                service: "shiny.example.com", user: user, provider: BundleIdentifier.builtIn.rawValue,
                record: user == "rmondello" ? "r1" : nil, app: FakeApp.identifier, date: 1, password: .kept)
            try change { try $0.registry.note(account) }
        }
        for record in Self.records {
            try change { keys in
                try keys.registry.mark(CredentialMarks.name(record: record, provider: .builtIn)) {
                    $0 = CredentialMarks(rejected: 1, expires: 2)
                }
            }
        }
    }

    fileprivate var knowledge: (converted: [String], marked: [String]) {
        let registry = unlocked?.registry
        let marked = Self.records.filter { record in
            registry?.marks(CredentialMarks.name(record: record, provider: .builtIn)).isEmpty == false
        }
        return (registry?.converted.map(\.user) ?? [], marked)
    }
}
