// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Foundation
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Programs have the user sign in on the web; the window in which the user is asked first is the test.
@Suite(.timeLimit(.minutes(2))) struct BrokerWebSignInTests {
    /// The windows that were opened. One beyond the first cannot be shown, so that its request ends.
    private final class Windows: Sendable {
        let names = Mutex<[String]>([])
    }

    private let daemon: FakeInstallation
    private let windows = Windows()
    private let window: FakeBrowser
    private var capabilities: Capabilities { daemon.capabilities }

    init() async throws {
        daemon = try await FakeInstallation()
        window = FakeBrowser { [windows] method, params in
            guard method == Browser.Present.name, case .string(let name)? = params["prompt"] else {
                return .object([:])
            }
            let count = windows.names.withLock { names in
                names.append(name)
                return names.count
            }
            guard count == 1 else { throw WireError(.busy, "There is a window already.") }
            return .object([:])
        }
        try await daemon.begin()
        await daemon.broker.connected(window.client)
    }

    private func ask(_ app: FakeApp) -> Task<WebAuthentication.Request.Answer, any Error> {
        Task {
            try await capabilities.apps.webSignIn.authenticate(
                .init(url: "https://login.example.org/", callback: .init(scheme: "shiny")), on: app.client)
        }
    }

    private func expectCanceled(
        _ asked: Task<WebAuthentication.Request.Answer, any Error>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) { try await asked.value } throws: { code($0) == .userCanceled }
    }

    private var count: Int { windows.names.withLock(\.count) }

    @Test("S28: all programs that nobody knows have one window among them, locked or not", arguments: [false, true])
    func unknownProgramsShareOneWindow(isLocked: Bool) async throws {
        if isLocked { await daemon.broker.lock(reason: "a test") }
        let apps = try (0..<4).map { try FakeApp(in: daemon.programs, name: "copy\($0)", number: 10 + $0, claims: nil) }
        let first = ask(apps[0])
        let prompt = await window.prompt()
        for app in apps.dropFirst() { await expectCanceled(ask(app)) }
        #expect(count == 1)
        // A no ends it. It counts for the program, and another copy does not ask at once.
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        await expectCanceled(first)
        for app in apps.prefix(2) { await expectCanceled(ask(app)) }
        #expect(count == 1)
        daemon.pass(.seconds(11))
        await expectCanceled(ask(apps[1]))
        #expect(count == 2)
    }

    @Test("S28: a program that the user knows has one window, however often it connects")
    func knownProgramHasOneWindow() async throws {
        let apps = try (0..<2).map { try FakeApp(in: daemon.programs, number: 10 + $0) }
        let looked = try await capabilities.apps.known.look(.init(path: apps[0].path)).app
        _ = try await capabilities.apps.known.grant(
            .init(
                path: apps[0].path, digest: try #require(looked.digest), identifier: FakeApp.identifier,
                domains: ["webcredentials:shiny.example.com"]))
        let first = ask(apps[0])
        let prompt = await window.prompt()
        await expectCanceled(ask(apps[1]))
        #expect(count == 1)
        #expect(await capabilities.shared.questions.interfaces.cancel(prompt, on: 1))
        await expectCanceled(first)
    }
}
