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

/// What providers learn of a form that was sent off. Three of them advertise the account.
@Suite(.timeLimit(.minutes(3))) struct BrokerSavingTests {
    static let one = "com.example.one"
    static let two = "com.example.two"
    static let builtIn = BundleIdentifier.builtIn.rawValue
    static let orders = [
        [one, two, builtIn], [one, builtIn, two], [two, one, builtIn], [two, builtIn, one], [builtIn, one, two],
        [builtIn, two, one],
    ]

    private let daemon: FakeInstallation
    private let browser: FakeBrowser
    private var broker: Broker { daemon.broker }
    private var capabilities: Capabilities { daemon.capabilities }

    init() async throws {
        daemon = try await FakeInstallation(provider: Self.script(of: Self.builtIn))
        browser = FakeBrowser { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(
                encoding: Browser.Evidence.Answer(chain: [.init(origin: "https://shiny.example.com", document: "D1")]))
        }
        await daemon.broker.connected(browser.client)
    }

    /// Advertises one account, answers everything, and notes each request under its own name.
    private static func script(of identifier: String) -> FakeProvider.Script {
        { provider in
            try provider.began([])
            if identifier != builtIn { try advertise(identifier, provider) }
            while true {
                let arrival = try provider.receive()
                if arrival.answer != nil {
                    provider.note("filled", .string(identifier))
                    continue
                }
                provider.note(identifier, .string(arrival.method))
                if arrival.method == "provider.provideCredential" {
                    try provider.credential(arrival)
                } else {
                    try provider.reply(arrival)
                }
            }
        }
    }

    /// Has a provider say that it has the account.
    private static func advertise(_ identifier: String, _ provider: FakeProvider) throws {
        let identity: JSONValue = [
            "type": "password", "service": ["type": 0, "identifier": "shiny.example.com"], "user": "rmondello",
            "recordIdentifier": .string("of " + identifier), "rank": 0,
        ]
        try provider.request("r", "store.replace", ["identities": [identity]])
    }

    /// Enables the three in an order.
    private func begin(_ order: [String]) async throws {
        try await daemon.begin()
        for (count, identifier) in [Self.one, Self.two].enumerated() {
            let bundle = FakeBundle(
                identifier: identifier, name: identifier, script: Self.script(of: identifier),
                attributes: [
                    "ASCredentialProviderExtensionCapabilities": [
                        "ProvidesPasswords": true, "SupportsSavePasswordCredentials": true,
                    ]
                ])
            try bundle.write(in: daemon.folder, at: "data/latchkey/extensions/\(identifier).appex")
            let stated = try await capabilities.settings.providers.providers().providers.first {
                $0.identifier == identifier
            }
            _ = try await capabilities.settings.providers.enable(
                .init(identifier: identifier, digest: try #require(stated?.digest)))
            await daemon.notes.wait(for: "filled", count: count + 1)
        }
        try await capabilities.settings.providers.order(order)
    }

    private func frame(_ origin: String) -> FrameEvidence {
        FrameEvidence(tab: 3, frame: 0, document: "D1", chain: [.init(origin: origin, document: "D1")])
    }

    private let page = PageStatement(fields: [
        .init(ref: 0, type: "text", autocomplete: "username", visible: true),
        .init(ref: 1, type: "password", autocomplete: "current-password", visible: true),
    ])

    /// Sends a form off, which is gone then.
    private func signIn(_ password: String, user: String = "rmondello", at origin: String = "https://shiny.example.com")
        async
    {
        let values = [(0, user), (1, password)].map {
            TypedValue(ref: $0.0, value: WireSecret(SecretBytes(utf8: $0.1)))
        }
        await capabilities.shared.submittedForms.submitted(
            .init(frame: frame(origin), page: page, values: values), on: browser.client)
        await capabilities.pages.saving.settled(
            .init(tab: 3, document: "D1", page: PageStatement(fields: []), origin: origin), on: browser.client)
    }

    /// The question that comes next.
    private func question() async throws -> (name: String, shown: Renderer.Prompt.Answer) {
        let name = await browser.prompt()
        return (name, try #require(await capabilities.shared.questions.desk.show(name, on: browser.client.number)))
    }

    private func answer(_ name: String, yes: Bool, in provider: String? = nil) async throws {
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: name, accept: yes, provider: provider), on: browser.client.number)
    }

    /// What a provider was asked.
    private func requests(to provider: String) -> [String] {
        daemon.notes.texts(provider)
    }

    private func isSilent(_ providers: [String]) -> Bool {
        providers.allSatisfy { requests(to: $0).isEmpty }
    }

    @Test(
        "S44: of providers that advertise an account only the one that the user picks learns of a sign-in",
        arguments: orders)
    func onlyTheOneThatIsPickedLearns(order: [String]) async throws {
        try await begin(order)
        for (count, picked) in order.enumerated() {
            await signIn("typed by hand \(count)")
            let (name, shown) = try await question()
            #expect(shown.kind == "updatePassword" && shown.user == "rmondello")
            #expect(Set(shown.providers?.map(\.identifier) ?? []) == Set(order))
            if count == 0 {
                #expect(shown.providers?.map(\.identifier) == order)
                #expect(shown.reasons?.first?.text.contains("may be the saved password") == true)
                #expect(isSilent(order))
            }
            #expect(isSilent(Array(order[count...])))
            try await answer(name, yes: true, in: picked)
            await daemon.notes.wait(for: picked)
            #expect(requests(to: picked) == ["provider.savePassword"])
            #expect(isSilent(Array(order[(count + 1)...])))
            // Each of them is asked once: the lines follow the answers.
            try await eventually {
                try await capabilities.shared.auditTrail.auditLines(.init()).lines.filter { $0.event == "updated" }
                    .count
                    == count + 1
            }
        }
    }

    @Test(
        "S44: nobody learns of a sign-in that the user does not want saved",
        arguments: orders)
    func nobodyLearnsAfterANo(order: [String]) async throws {
        try await begin(order)
        await signIn("typed by hand")
        let (name, _) = try await question()
        try await answer(name, yes: false)
        await signIn("typed by hand", user: "new", at: "https://other.example.com")
        let (other, shown) = try await question()
        #expect(shown.kind == "savePassword")
        #expect(isSilent(order))
        try await answer(other, yes: false)
        await broker.lock(reason: "a test")
        #expect(isSilent(order))
    }

    @Test(
        "S44: what was filled is known without a request, and after a lock nobody is asked for it either",
        arguments: orders)
    func whatWasFilledIsKnown(order: [String]) async throws {
        try await begin(order)
        let filler = order[1]
        let session = try #require(
            await capabilities.pages.sessions.focused(
                .init(frame: frame("https://shiny.example.com"), page: page, focused: 0), on: browser.client
            ).session)
        let rows = try await capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
            .suggestions
        let handle = try #require(rows.first { $0.provider == filler }?.handle)
        _ = try await capabilities.pages.filling.choose(
            .init(handle: handle, surface: "popup", guard: .init(held: true)), on: browser.client)
        #expect(requests(to: filler) == ["provider.provideCredential"])
        await signIn("canary")
        // What is asked next is about the form that was sent off last.
        await signIn("typed by hand", user: "new", at: "https://other.example.com")
        let (name, shown) = try await question()
        #expect(shown.kind == "savePassword" && shown.site == "https://other.example.com")
        try await answer(name, yes: false)
        // Another one than was filled: the provider that filled comes first.
        await signIn("typed by hand")
        let (update, asked) = try await question()
        #expect(asked.kind == "updatePassword" && asked.providers?.first?.identifier == filler)
        try await answer(update, yes: false)
        await broker.lock(reason: "a test")
        #expect(requests(to: filler) == ["provider.provideCredential"])
        #expect(isSilent(order.filter { $0 != filler }))
        #expect(
            await broker.known.compare(SecretBytes(utf8: "canary"), with: .shiny, of: .builtIn) == nil)
    }
}
