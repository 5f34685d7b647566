// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon

/// A browser's window in which the system asks for apps, and the person before it.
struct AppWindow {
    let daemon: FakeInstallation
    let browser = FakeBrowser()

    var broker: Broker { daemon.broker }

    var capabilities: Capabilities { daemon.capabilities }

    /// Tells the broker that there is a browser.
    func open() async {
        await broker.connected(browser.client)
    }

    func ask(_ app: FakeApp, for type: CredentialType = .password) -> Task<CredentialAnswer, any Error> {
        Task {
            try await capabilities.apps.filling.authorize(
                .init(types: [type.rawValue], surfaces: ["window"]), on: app.client)
        }
    }

    func offer(_ message: String) async throws {
        _ = try await capabilities.shared.codeMessages.offerCode(.init(message: WireSecret(SecretBytes(utf8: message))))
    }

    /// Says yes to a program, before it asks.
    func grant(_ app: FakeApp) async throws {
        let looked = try await capabilities.apps.known.look(.init(path: app.path)).app
        _ = try await capabilities.apps.known.grant(
            .init(
                path: app.path, digest: try #require(looked.digest), identifier: FakeApp.identifier,
                domains: looked.domains))
    }

    /// What is shown once it is what a test waits for.
    @discardableResult func shown(
        _ prompt: String, until isMeant: (InterfaceStatement) -> Bool
    ) async -> InterfaceStatement? {
        while !Task.isCancelled {
            let interface = await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.interface
            if let interface, isMeant(interface) { return interface }
            _ = await browser.next(Browser.Update.name)
        }
        return nil
    }

    /// The chooser, once sites have answered.
    func chooser() async throws -> (prompt: String, interface: InterfaceStatement) {
        let prompt = await browser.prompt()
        let shown = await shown(prompt) { $0.elements.contains { $0.id == "app" } }
        return (prompt, try #require(shown))
    }

    /// Waits until a surface has been taken away.
    func dismissed(_ prompt: String) async {
        while await browser.next(Browser.Dismiss.name)["prompt"] != .string(prompt), !Task.isCancelled {}
    }

    func act(_ prompt: String, _ element: String, _ action: String, row: String? = nil) async throws {
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: InterfaceAct(element: element, action: action, row: row)), on: 1)
    }

    func released() async throws -> [AuditLine] {
        try await capabilities.shared.auditTrail.auditLines(.init()).lines.filter { $0.event == "released" }
    }

    /// That an app is told what it is always told.
    func expectCanceled(
        _ asked: Task<CredentialAnswer, any Error>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await asked.value
        } throws: { error in
            (error as? WireError) == WireError(.userCanceled, "The request was canceled.")
        }
    }
}

extension InterfaceStatement {
    var rows: [ListRow] { elements.flatMap { $0.sections ?? [] }.flatMap(\.rows) }
    var texts: [String] { elements.compactMap(\.text) }
}
