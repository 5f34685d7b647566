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

/// Codes that come, and go, while the surface is open on which an app asks for one.
@Suite(.timeLimit(.minutes(2))) struct BrokerAppCodesTests {
    private static let none = "No code for this app has arrived."
    private let sites = ConfirmingSites()
    private let window: AppWindow

    init() async throws {
        window = AppWindow(daemon: try await FakeInstallation(sites: sites))
    }

    private var broker: Broker { window.broker }

    private var capabilities: Capabilities { window.capabilities }

    private func app(_ number: Int = 7) async throws -> FakeApp {
        if number == 7 {
            try await window.daemon.begin()
            await window.open()
        }
        let app = try FakeApp(in: window.daemon.programs, number: number)
        try await window.grant(app)
        return app
    }

    // MARK: Coming

    @Test func codeThatComesIsShownAndCanBeChosen() async throws {
        let app = try await app()
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        #expect(before.texts.contains(Self.none) && before.rows.isEmpty)
        try await window.offer("@shiny.example.com #482193")
        let after = await window.shown(prompt) { !$0.rows.isEmpty }
        #expect(after?.rows.map(\.subtitle) == ["shiny.example.com"])
        #expect(after?.texts.contains(Self.none) == false)
        try await window.act(prompt, "passwords", "select", row: "0")
        #expect(try await asked.value.credential.code?.bytes.text == "482193")
        #expect(try await window.released().map(\.service) == ["shiny.example.com"])
        // Nobody is watched for any more.
        #expect(await capabilities.apps.filling.codeSurfaces.isEmpty)
    }

    @Test func codeThatComesTakesNoAct() async throws {
        let app = try await app()
        try await window.offer("Your login code is 551234")
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        #expect(before.rows.map(\.id) == ["0"])
        // It stands above; what the user presses is what stood there under that name.
        try await window.offer("@shiny.example.com #482193")
        let after = await window.shown(prompt) { $0.rows.count == 2 }
        #expect(after?.rows.map(\.id) == ["1", "0"])
        try await window.act(prompt, "passwords", "select", row: "0")
        #expect(try await asked.value.credential.code?.bytes.text == "551234")
    }

    @Test func actOnWhatWasDrawnBeforeIsNotLost() async throws {
        let app = try await app()
        try await window.offer("Your login code is 551234")
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, _) = try await window.chooser()
        // Nobody waits until it is drawn.
        for code in ["482193", "482194", "482195"] { try await window.offer("@shiny.example.com #\(code)") }
        try await window.act(prompt, "passwords", "select", row: "0")
        #expect(try await asked.value.credential.code?.bytes.text == "551234")
    }

    @Test(.timeLimit(.minutes(1))) func browsersAreToldOfACodeThatAnAppTook() async throws {
        let app = try await app()
        try await window.offer("@shiny.example.com #482193")
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, _) = try await window.chooser()
        let other = FakeBrowser(number: 90)
        await broker.connected(other.client)
        try await window.act(prompt, "passwords", "select", row: "0")
        _ = try await asked.value
        // Its bar, where one is open, shows the code no more.
        _ = await other.next(Browser.Changed.name)
    }

    @Test("S32: a code that is not for the app changes nothing of what is shown")
    func codesForOthersChangeNothing() async throws {
        let app = try await app()
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        for message in [
            "@bank.example #661122", "@example.com #771122", "@a.shiny.example.com #771123",
            "@evilshiny.example.com #771124", "@shiny.example.com #881122 %pay.example", "Your order has shipped",
        ] { try await window.offer(message) }
        // What comes next is the app's, and all that is different.
        try await window.offer("@shiny.example.com #482193")
        let after = try #require(await window.shown(prompt) { !$0.rows.isEmpty })
        #expect(after.rows.map(\.subtitle) == ["shiny.example.com"])
        #expect(after.texts == before.texts.filter { $0 != Self.none })
        for index in 1...5 {
            await #expect(throws: WireError.self) {
                try await window.act(prompt, "passwords", "select", row: String(index))
            }
        }
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await window.expectCanceled(asked)
        #expect(try await window.released().isEmpty)
    }

    @Test("S32: what comes is not shown for an app that no site has confirmed")
    func codesForAnUnconfirmedApp() async throws {
        let app = try await app()
        sites.apps.withLock { $0 = ["E5336VM85F.com.example.Other"] }
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        for message in ["Your login code is 551234", "@shiny.example.com #482193"] { try await window.offer(message) }
        await #expect(throws: WireError.self) { try await window.act(prompt, "passwords", "select", row: "0") }
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.interface == before)
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        await window.expectCanceled(asked)
        #expect(try await window.released().isEmpty)
    }

    @Test("S32: an app whose site takes its word back meanwhile is shown no code that comes")
    func withdrawnMeanwhile() async throws {
        let app = try await app()
        try await window.offer("@shiny.example.com #482193")
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        #expect(before.rows.count == 1)
        _ = try await capabilities.shared.associations.removeAssociations(.init(app: FakeApp.identifier, domain: nil))
        try await window.offer("@shiny.example.com #482194")
        #expect(await window.shown(prompt) { $0.rows.isEmpty } != nil)
        await #expect(throws: WireError.self) { try await window.act(prompt, "passwords", "select", row: "0") }
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await window.expectCanceled(asked)
    }

    @Test func surfaceForAPasswordHasNothingToDoWithCodes() async throws {
        let app = try await app()
        let asked = window.ask(app)
        let (prompt, before) = try await window.chooser()
        #expect(await capabilities.apps.filling.codeSurfaces.isEmpty)
        try await window.offer("@shiny.example.com #482193")
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.interface == before)
        try await window.act(prompt, "passwords", "select", row: "0")
        #expect(try await asked.value.credential.code == nil)
    }

    // MARK: Going

    @Test("S33: a code that gets too old while it is shown goes, and nothing else does")
    func codeExpiresWhileItIsShown() async throws {
        let app = try await app()
        try await window.offer("@shiny.example.com #482193")
        window.daemon.pass(.seconds(100))
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, _) = try await window.chooser()
        try await window.offer("Your login code is 551234")
        await window.shown(prompt) { $0.rows.count == 2 }
        window.daemon.pass(.seconds(80))
        let after = await window.shown(prompt) { $0.rows.count == 1 }
        #expect(after?.rows.map(\.id) == ["1"])
        await #expect {
            try await window.act(prompt, "passwords", "select", row: "0")
        } throws: {
            code($0) == .expired
        }
        try await window.act(prompt, "passwords", "select", row: "1")
        #expect(try await asked.value.credential.code?.bytes.text == "551234")
    }

    @Test("S33: where the last one goes, it is said that there is none")
    func lastCodeExpires() async throws {
        let app = try await app()
        try await window.offer("@shiny.example.com #482193")
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        #expect(before.rows.count == 1)
        window.daemon.pass(.seconds(180))
        let after = await window.shown(prompt) { $0.rows.isEmpty }
        #expect(after?.texts.contains(Self.none) == true)
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        await window.expectCanceled(asked)
        #expect(try await window.released().isEmpty)
    }

    @Test("S33: a code that one app was given goes from the surface of another request")
    func codeThatIsUsedGoes() async throws {
        let (first, second) = (try await app(), try await app(8))
        try await window.offer("@shiny.example.com #482193")
        let one = window.ask(first, for: .oneTimeCode)
        let (onePrompt, _) = try await window.chooser()
        let other = window.ask(second, for: .oneTimeCode)
        let (otherPrompt, before) = try await window.chooser()
        #expect(before.rows.count == 1)
        try await window.act(onePrompt, "passwords", "select", row: "0")
        #expect(try await one.value.credential.code?.bytes.text == "482193")
        #expect(await window.shown(otherPrompt) { $0.rows.isEmpty } != nil)
        // Nor does it come back by a second way.
        try await window.offer("@shiny.example.com #482193")
        await #expect(throws: WireError.self) { try await window.act(otherPrompt, "passwords", "select", row: "0") }
        await capabilities.apps.requests.cancelAuthorization(on: second.client)
        await window.expectCanceled(other)
        #expect(try await window.released().count == 1)
    }

    @Test func shorterTimeCountsAtOnce() async throws {
        let app = try await app()
        try await window.offer("@shiny.example.com #482193")
        window.daemon.pass(.seconds(60))
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, before) = try await window.chooser()
        #expect(before.rows.count == 1)
        _ = try await broker.setPreferences(.init(codeSeconds: 30))
        #expect(await window.shown(prompt) { $0.rows.isEmpty } != nil)
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await window.expectCanceled(asked)
    }

    @Test("S33: a lock ends the surface, and what comes then is shown nowhere")
    func lockEndsIt() async throws {
        let app = try await app()
        let asked = window.ask(app, for: .oneTimeCode)
        let (prompt, _) = try await window.chooser()
        await broker.lock(reason: "a test")
        await window.expectCanceled(asked)
        try await window.offer("@shiny.example.com #482193")
        #expect(await capabilities.apps.filling.codeSurfaces.isEmpty)
        await window.dismissed(prompt)
        #expect(await capabilities.shared.questions.interfaces.prompt(prompt, on: 1) == nil)
    }
}
