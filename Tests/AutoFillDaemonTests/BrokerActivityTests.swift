// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Testing

@testable import AutoFillDaemon

/// What puts off the idle lock, and what does not.
@Suite struct BrokerActivityTests {
    /// What a page is told of, so that these reach what they ask for.
    private static let page = """
        {"focused":0,"frame":{"chain":[{"document":"D1","origin":"https://shiny.example.com"}],"document":"D1","frame":0,\
        "tab":3},"page":{"fields":[{"autocomplete":"current-password","ref":0,"tag":"input","type":"password"}],"forms":[],\
        "language":"en","path":"/login","title":"Shiny"},"values":[],"tab":3,"document":"D1"}
        """

    private func answer(_ method: String, _ role: PeerRole, _ daemon: FakeInstallation) async throws {
        let client = ClientConnection(number: 7, role: role, program: "/usr/bin/program")
        let params = try JSONValue(readingText: Self.page.utf8)
        let answer = try? await Routes.of(role).answer(method, params, daemon: daemon.capabilities, client: client)
        // These two are the ones that did count.
        if method == "page.focused" || method == "page.submitted" { #expect(answer != nil) }
    }

    @Test(
        "S41 what a page, a program or a poll brings about puts off no lock",
        arguments: [
            ("page.focused", PeerRole.browser), ("page.submitted", .browser), ("page.settled", .browser),
            ("page.left", .browser), ("renderer.suggestions", .browser), ("renderer.list", .browser),
            ("renderer.status", .browser), ("renderer.inspect", .browser), ("providers.list", .browser),
            ("status", .settings), ("audit.list", .settings), ("associations.log", .settings),
            ("codes.offer", .settings),
            ("git.get", .git), ("git.store", .git), ("git.erase", .git), ("authorization.request", .client),
            ("app.open", .app(.builtIn)), ("store.state", .app(.builtIn)),
        ])
    func isNoActivity(method: String, role: PeerRole) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        for _ in 0..<16 {
            daemon.pass(.seconds(60))
            try await answer(method, role, daemon)
        }
        _ = await daemon.broker.lockIfIdle()
        #expect(await daemon.broker.standing().locked)
    }

    @Test(arguments: [("renderer.choose", PeerRole.browser), ("renderer.answer", .browser), ("items.list", .settings)])
    func isActivity(method: String, role: PeerRole) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        for _ in 0..<16 {
            daemon.pass(.seconds(60))
            try await answer(method, role, daemon)
        }
        _ = await daemon.broker.lockIfIdle()
        #expect(await !daemon.broker.standing().locked)
    }

    @Test("S41 a focus that the browser vouches for is an act; one that it does not is none", arguments: [true, false])
    func activation(isActive: Bool) async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let client = ClientConnection(number: 7, role: .browser, program: "/usr/bin/program")
        let text = Self.page.replacing("{\"focused\":0,", with: "{\"active\":\(isActive),\"focused\":0,")
        let params = try JSONValue(readingText: text.utf8)
        for _ in 0..<16 {
            daemon.pass(.seconds(60))
            _ = try await Routes.of(.browser).answer(
                "page.focused", params, daemon: daemon.capabilities, client: client)
        }
        _ = await daemon.broker.lockIfIdle()
        #expect(await daemon.broker.standing().locked != isActive)
    }
}
