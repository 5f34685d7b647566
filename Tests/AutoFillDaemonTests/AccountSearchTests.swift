// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import ShownText
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// What a browser's popup finds, and what it copies.
@Suite(.timeLimit(.minutes(2))) struct AccountSearchTests {
    private let daemon: FakeInstallation
    private let browser = FakeBrowser()

    /// Items that are found by a word each.
    private static let items: [String: JSONValue] = [
        "strict": [
            "id": "r2", "services": ["shiny.example.com"], "user": "strict", "created": 1, "modified": 1,
            "strict": true,
        ],
        "title": [
            "id": "r3", "services": [], "title": "other.example", "user": "", "created": 1, "modified": 1,
        ],
    ]

    private static let provider: FakeProvider.Script = { provider in
        _ = try provider.began()
        let item: JSONValue = [
            "id": "r1", "services": ["shiny.example.com"], "user": "rmondello", "created": 1, "modified": 1,
        ]
        while true {
            let asked = try provider.ask()
            switch asked.method {
            case "manage.list":
                try provider.reply(asked, ["items": [items[asked["search"]?.string ?? ""] ?? item]])
            case "manage.get": try provider.reply(asked, ["item": item])
            case "manage.reveal": try provider.reply(asked, ["password": .secret(utf8: "canary")])
            default: try provider.fail(asked)
            }
        }
    }

    init() async throws {
        daemon = try await FakeInstallation(provider: Self.provider)
    }

    private func find(_ search: String, session: String? = nil, origin: String? = nil) async throws -> [FoundAccount] {
        try await daemon.capabilities.pages.search.find(
            .init(search: search, session: session, origin: origin), on: browser.client
        ).accounts
    }

    private func copy(_ what: String, _ handle: String, unmarked: Bool? = nil) async throws {
        _ = try await daemon.capabilities.pages.search.copy(
            .init(handle: handle, what: what, unmarked: unmarked), on: browser.client)
    }

    private func copied() -> [String] { daemon.clipboard.copied.withLock(\.self) }

    private func handle() async throws -> String { try #require(try await find("shiny").first?.handle) }

    private func lines() async throws -> [AuditLine] {
        try await daemon.capabilities.shared.auditTrail.auditLines(.init()).lines
    }

    @Test func whatIsTypedIsFoundOnAnyPage() async throws {
        try await daemon.begin()
        let found = try #require(try await find("shiny").first)
        #expect(found.user == "rmondello" && found.title == "shiny.example.com")
        #expect(found.copies == ["user", "password"] && found.url == "https://shiny.example.com")
        #expect(found.fill == nil)
    }

    @Test func aPageWithoutAFormShowsItsAccounts() async throws {
        try await daemon.begin()
        #expect(try await find("", origin: "https://www.shiny.example.com").map(\.user) == ["rmondello"])
        #expect(try await find("", origin: "https://other.example").isEmpty)
        #expect(try await find("").isEmpty)
    }

    @Test func whatMayBeFilledIsFilledByItsRow() async throws {
        try await daemon.begin()
        let shiny = try await session(at: "https://shiny.example.com")
        let other = try await session(at: "https://other.example")
        #expect(try await find("shiny", session: shiny).first?.fill?.fills == true)
        #expect(try await find("shiny", session: other).first?.fill == nil)
    }

    @Test func strictAccountFillsItsOwnHostAlone() async throws {
        try await daemon.begin()
        let shiny = try await session(at: "https://shiny.example.com")
        let sibling = try await session(at: "https://www.shiny.example.com")
        #expect(try await find("strict", session: shiny).first?.fill != nil)
        #expect(try await find("strict", session: sibling).first?.fill == nil)
        #expect(try await find("shiny", session: sibling).first?.fill != nil)
    }

    @Test func titleThatReadsLikeAHostIsNoWebsite() async throws {
        try await daemon.begin()
        let other = try await session(at: "https://other.example")
        let found = try #require(try await find("title", session: other).first)
        #expect(found.title == "other.example" && found.url == nil && found.fill == nil)
        #expect(found.copies == ["password"])
    }

    @Test func displayIsThatOfTheFirstHello() throws {
        let client = ClientConnection(number: 9, role: .browser, program: "x")
        client.setGreeted(display: DisplayStatement(environment: ["DISPLAY": ":1"]))
        client.setGreeted(display: DisplayStatement(environment: ["DISPLAY": "elsewhere.example:0"]))
        #expect(client.display?.x11 == ":1")
        let sandboxed = ClientConnection(number: 9, role: .browser, program: "x", isSandboxed: true)
        sandboxed.setGreeted(display: DisplayStatement(environment: ["DISPLAY": ":1"]))
        #expect(sandboxed.display == nil)
    }

    private func session(at origin: String) async throws -> String {
        let page = PageStatement(fields: [.init(ref: 0, type: "password", autocomplete: "current-password")])
        let frame = FrameEvidence(tab: 3, frame: 0, document: origin, chain: [.init(origin: origin, document: origin)])
        return try #require(
            await daemon.capabilities.pages.sessions.focused(
                .init(frame: frame, page: page, focused: 0), on: browser.client
            ).session)
    }

    @Test("S71: a copy goes to the clipboard, with a line of the log")
    func copiesHaveALine() async throws {
        try await daemon.begin()
        try await copy("password", handle())
        #expect(copied() == ["canary"])
        let line = try #require(try await lines().last)
        #expect(line.event == "released" && line.purpose == "copy" && line.act == "popup" && line.user == "rmondello")
        daemon.pass(.seconds(1))
        try await copy("user", handle())
        #expect(copied() == ["canary", "rmondello"])
        #expect(try await lines().count == 1)
    }

    @Test(
        "S71: the second copy within a second, and the eleventh within ten minutes without the passphrase, copy nothing"
    )
    func copiesAreFew() async throws {
        try await daemon.begin()
        try await daemon.broker.pin.set(SecretBytes(utf8: "271828"), in: daemon.broker.unlockedSession())
        let handle = try await handle()
        try await copy("password", handle)
        await #expect { try await copy("password", handle) } throws: { code($0) == .tooManyAttempts }
        for _ in 2...10 {
            daemon.pass(.seconds(1))
            try await copy("password", handle)
        }
        daemon.pass(.seconds(1))
        let eleventh = Task { try await copy("password", handle) }
        let prompt = await browser.prompt()
        let desk = await daemon.capabilities.shared.questions.desk
        let shown = await desk.show(prompt, on: 1)
        #expect(shown?.thing == "copy" && shown?.user == "rmondello" && shown?.takesPIN == nil)
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { try await eleventh.value } throws: { code($0) == .userCanceled }
        #expect(copied().count == 10)
    }

    @Test("S71: where fills are asked about nothing is listed")
    func nothingIsListed() async throws {
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(fills: "always"))
        let answer = try await daemon.capabilities.pages.search.find(.init(search: "shiny"), on: browser.client)
        #expect(answer.accounts.isEmpty && answer.asks == true)
    }

    @Test(
        "S71: a copy takes the passphrase where fills do, and where everything that is copied does",
        arguments: [PreferenceChanges(fills: "always"), PreferenceChanges(authentication: "always", fills: "never")])
    func thePreferenceHolds(_ changes: PreferenceChanges) async throws {
        try await daemon.begin()
        let handle = try await handle()
        _ = try await daemon.broker.setPreferences(changes)
        async let copy: Void = copy("password", handle)
        let prompt = await browser.prompt()
        try await daemon.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        try await copy
        #expect(copied() == ["canary"])
        #expect(try await lines().last?.authentication == "passphrase just now")
    }

    @Test("S29: what cannot be marked is copied at the user's word alone, and is not in the log before")
    func unmarked() async throws {
        try await daemon.begin()
        daemon.clipboard.isMarking.withLock { $0 = false }
        let handle = try await handle()
        await #expect { try await copy("password", handle) } throws: {
            code($0) == .refused && ($0 as? WireError)?.reason == "unmarked"
        }
        #expect(copied().isEmpty)
        #expect(try await lines().isEmpty)
        daemon.pass(.seconds(1))
        try await copy("password", handle, unmarked: true)
        #expect(copied() == ["canary"])
    }

    @Test("S71: handles end with a lock, and are nobody else's")
    func handlesEnd() async throws {
        try await daemon.begin()
        let handle = try await handle()
        let stranger = FakeBrowser(number: 2)
        await #expect {
            _ = try await daemon.capabilities.pages.search.copy(
                .init(handle: handle, what: "password"), on: stranger.client)
        } throws: { code($0) == .expired }
        await daemon.broker.lock(reason: "a test")
        await #expect { try await find("shiny") } throws: { code($0) == .locked }
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        await #expect { try await copy("password", handle) } throws: { code($0) == .expired }
        #expect(copied().isEmpty)
    }
}
