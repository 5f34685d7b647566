// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillIdentityStore
import Foundation
import Testing

@testable import AutoFillDaemon
@testable import AutoFillProviders
@testable import DaemonTesting

/// What a provider may be used for: what its bundle states and the user has agreed to.
@Suite(.timeLimit(.minutes(2))) struct BrokerAgreementsTests {
    private let daemon: FakeInstallation
    private let shiny: BundleIdentifier
    private var capabilities: Capabilities { daemon.capabilities }

    init() async throws {
        daemon = try await FakeInstallation()
        shiny = try #require(BundleIdentifier("com.example.shiny"))
        try await daemon.begin([])
    }

    private static func identity(_ type: String, of user: String = "anna") -> JSONValue {
        [
            "type": .string(type), "service": ["type": 0, "identifier": "shiny.example.com"], "user": .string(user),
            "recordIdentifier": .string(type), "rank": 0,
        ]
    }

    /// Identities of every kind, the one that nobody knows first.
    private static let all: JSONValue = .array(
        ["smoke-signal", "one-time-code", "password", "passkey"].map { identity($0) })

    /// A provider that says it has all of them, whatever its bundle states.
    private func install(_ keys: [String: Bool]) throws {
        let bundle = FakeBundle(
            script: { provider in
                try provider.began([])
                try provider.request("r", "store.replace", ["identities": Self.all])
                _ = try provider.receive()
                provider.note("filled")
                try provider.forever()
            }, attributes: ["ASCredentialProviderExtensionCapabilities": keys])
        try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/Shiny.appex")
    }

    private var statement: ProviderStatement {
        get async throws {
            try #require(
                try await capabilities.settings.providers.providers().providers.first {
                    $0.identifier == shiny.rawValue
                })
        }
    }

    private func enable() async throws {
        let before = daemon.notes.values("filled").count
        _ = try await capabilities.settings.providers.enable(
            .init(identifier: shiny.rawValue, digest: try #require(try await statement.digest)))
        await daemon.notes.wait(for: "filled", count: before + 1)
    }

    private var kept: Set<String> {
        get async throws {
            Set(try #require(await daemon.broker.unlocked?.stores[shiny]).all().map(\.type.rawValue))
        }
    }

    @Test(
        "S64: identities of a kind that the bundle does not state are left out, and the others are kept",
        arguments: [
            (["ProvidesPasswords": true], ["password"]), (["ProvidesOneTimeCodes": true], ["one-time-code"]),
            (["ProvidesPasswords": true, "ProvidesOneTimeCodes": true], ["password", "one-time-code"]),
            (["ProvidesPasswords": true, "ProvidesPasskeys": true], ["password", "passkey"]), ([:], []),
        ] as [([String: Bool], Set<String>)])
    func identitiesBeyondTheStatementAreLeftOut(stated: [String: Bool], expected: Set<String>) async throws {
        try install(stated)
        try await enable()
        #expect(try await kept == expected)
        let stores = await capabilities.shared.stores
        _ = try await stores.handleStore("store.save", ["identities": Self.all], of: shiny)
        #expect(try await kept == expected)
        let batch = try await stores.handleStore("store.begin", ["operation": "replace"], of: shiny)["batch"]
        let number: JSONValue = try #require(batch)
        _ = try await stores.handleStore("store.append", ["batch": number, "identities": Self.all], of: shiny)
        _ = try await stores.handleStore("store.commit", ["batch": number], of: shiny)
        #expect(try await kept == expected)
    }

    @Test func refusalOfAnIdentityNamesIt() async throws {
        try install(["ProvidesPasswords": true])
        try await enable()
        let stores = await capabilities.shared.stores
        let large = Self.identity("password", of: String(repeating: "a", count: 1_025))
        let error = await #expect(throws: WireError.self) {
            _ = try await stores.handleStore(
                "store.save", ["identities": [Self.identity("password"), large]], of: shiny)
        }
        #expect(error?.message == "Nothing was changed: identity 2 of 2 has a user of more than 1024 bytes.")
    }

    @Test("S64: a provider that was enabled before this was recorded has passwords, and asks for the rest")
    func earlierAgreementIsToPasswordsAlone() async throws {
        try install([
            "ProvidesPasswords": true, "ProvidesOneTimeCodes": true, "SupportsSavePasswordCredentials": true,
            "SupportsGeneratePasswordCredentials": true,
        ])
        try await enable()
        #expect(await capabilities.shared.abilities.savers() == [.builtIn, shiny])
        try await daemon.broker.change { try $0.registry.setProvider(shiny) { $0.enabled?.agreed = nil } }
        await daemon.broker.lock(reason: "test")
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        #expect(try await statement.state == "enabled")
        #expect(try await statement.asksFor == ["one-time-codes", "saving", "generating"])
        #expect(try await kept == ["password"])
        #expect(await capabilities.shared.abilities.savers() == [.builtIn])
        #expect(await !capabilities.shared.abilities.hasList(shiny, ofCodes: true))
        #expect(try await capabilities.shared.providers.launch(of: shiny).agreed == [.passwords])
        #expect(try await statement.enablingSentences.contains { $0.hasPrefix("You have not agreed to this before:") })
        // Enabled anew it has all of them, and is asked for those that were left out.
        try await enable()
        #expect(try await statement.asksFor == nil)
        #expect(try await kept == ["password", "one-time-code"])
        #expect(await capabilities.shared.abilities.savers() == [.builtIn, shiny])
    }

    @Test("S64: an update that states more says so, and is used for nothing before the user has agreed")
    func updateThatStatesMoreAsks() async throws {
        try install(["ProvidesPasswords": true])
        try await enable()
        #expect(try await statement.asksFor == nil)
        try install(["ProvidesPasswords": true, "SupportsSavePasswordCredentials": true])
        #expect(try await statement.state == "changed")
        #expect(try await statement.asksFor == ["saving"])
        #expect(
            try await statement.enablingSentences.contains(
                "You have not agreed to this before: It is given passwords that you save."))
        await #expect { _ = try await capabilities.shared.providers.launch(of: shiny) } throws: {
            code($0) == .providerUnavailable
        }
        try await enable()
        #expect(try await statement.asksFor == nil)
    }

    @Test("S64: the question names each thing that a provider does")
    func questionNamesEach() async throws {
        try install([
            "ProvidesPasswords": true, "ProvidesOneTimeCodes": true, "SupportsSavePasswordCredentials": true,
            "SupportsGeneratePasswordCredentials": true,
        ])
        let told = try await statement.enablingSentences
        for sentence in [
            "It fills passwords.", "It fills one-time codes.", "It is given passwords that you save.",
            "It makes new passwords.",
        ] { #expect(told.contains(sentence)) }
        try install(["ProvidesPasswords": true])
        #expect(try await statement.enablingSentences.filter { $0.hasPrefix("It fills") } == ["It fills passwords."])
        #expect(try await !statement.enablingSentences.contains { $0.contains("save") })
    }
}
