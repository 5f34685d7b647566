// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAssociations
import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import ChildProcesses
import Foundation
import Glibc
import ShownText
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// An app asks for a password; the system asks in a browser's window, which is the test.
@Suite(.timeLimit(.minutes(2))) struct BrokerAuthorizationTests {
    private let sites = ConfirmingSites()
    private let daemon: FakeInstallation
    private let window = FakeBrowser()
    private let request = Authorization.Request.Params(types: ["password"], surfaces: ["window"])

    init() async throws {
        daemon = try await FakeInstallation(sites: sites)
    }

    private var broker: Broker { daemon.broker }

    private var capabilities: Capabilities { daemon.capabilities }

    /// An unlocked Latchkey with one password for shiny.example.com, and a window to ask in.
    private func begin() async throws {
        try await daemon.begin()
        await broker.connected(window.client)
    }

    private func ask(_ app: FakeApp) -> Task<CredentialAnswer, any Error> {
        Task { try await capabilities.apps.filling.authorize(request, on: app.client) }
    }

    /// What the window shows once it is the interface that a test waits for.
    private func shown(_ prompt: String, until isMeant: (InterfaceStatement) -> Bool) async throws -> InterfaceStatement
    {
        while !Task.isCancelled {
            if let interface = await capabilities.shared.questions.interfaces.prompt(prompt, on: 1)?.interface,
                isMeant(interface)
            {
                return interface
            }
            _ = await window.next(Browser.Update.name)
        }
        throw CancellationError()
    }

    private func act(_ prompt: String, _ element: String, _ action: String, row: String? = nil) async throws {
        try await capabilities.shared.questions.interfaces.act(
            .init(prompt: prompt, act: InterfaceAct(element: element, action: action, row: row)), on: 1)
    }

    /// Says yes to an unknown app: the button, and the passphrase.
    private func allow() async throws {
        let prompt = await window.prompt()
        _ = try await shown(prompt) { $0.elements.contains { $0.id == "allow" } }
        try await act(prompt, "allow", "press")
        let question = await window.prompt()
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: question, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
    }

    /// The chooser, once sites have answered.
    private func chooser() async throws -> (prompt: String, rows: [ListRow], texts: [String]) {
        let prompt = await window.prompt()
        let interface = try await shown(prompt) { $0.elements.contains { $0.id == "app" } }
        return (
            prompt, interface.elements.flatMap { $0.sections ?? [] }.flatMap(\.rows),
            interface.elements.compactMap(\.text)
        )
    }

    private func expectCanceled(
        _ asked: Task<CredentialAnswer, any Error>, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) {
            try await asked.value
        } throws: { error in
            // Nothing in the error tells one reason from another.
            (error as? WireError) == WireError(.userCanceled, "The request was canceled.")
        }
    }

    private func lines() async throws -> [AuditLine] {
        try await capabilities.shared.auditTrail.auditLines(.init()).lines
    }

    private func grant(_ app: FakeApp) async throws {
        let looked = try await capabilities.apps.known.look(.init(path: app.path)).app
        _ = try await capabilities.apps.known.grant(
            .init(
                path: app.path, digest: try #require(looked.digest), identifier: FakeApp.identifier,
                domains: ["webcredentials:shiny.example.com"]))
    }

    // MARK: Codes

    private func askForCode(_ app: FakeApp) -> Task<CredentialAnswer, any Error> {
        Task {
            try await capabilities.apps.filling.authorize(
                .init(types: ["one-time-code"], surfaces: ["window"]), on: app.client)
        }
    }

    private func offer(_ message: String) async throws {
        _ = try await capabilities.shared.codeMessages.offerCode(.init(message: WireSecret(SecretBytes(utf8: message))))
    }

    @Test("S32, S33: an app gets the code for its domain, once; one for another domain is not for it")
    func appGetsTheCodeForItsDomain() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        for message in [
            "Your login code is 551234", "@shiny.example.com #482193", "@bank.example #661122",
            "@example.com #771122", "@shiny.example.com #881122 %pay.example",
        ] { try await offer(message) }
        let asked = askForCode(app)
        let (prompt, rows, texts) = try await chooser()
        #expect(rows.map(\.subtitle) == ["shiny.example.com", "not bound to a site"])
        #expect(texts.joined().contains("asks for a code"))
        for host in ["bank.example", "example.com"] {
            #expect(texts.contains("A code for \(host) has come too; it is not for this app."))
        }
        let shown = (texts + rows.map(\.title)).joined()
        for code in ["551234", "482193", "661122", "771122", "881122"] { #expect(!shown.contains(code)) }
        try await act(prompt, "passwords", "select", row: "0")
        let credential = try await asked.value.credential
        #expect(credential.type == "one-time-code")
        #expect(credential.code?.bytes.text == "482193")
        #expect(credential.user == nil)
        #expect(credential.password == nil)
        let line = try #require(try await lines().last)
        #expect(line.event == "released")
        #expect(line.service == "shiny.example.com")
        #expect(line.requester == "\(FakeApp.identifier) at \(app.path)")
        #expect(line.reason == "bound to a host that names the app")
        // Used, it is gone; what is bound to nothing is marked so, and is given by the same choice.
        let again = askForCode(app)
        let (second, left, _) = try await chooser()
        #expect(left.map(\.subtitle) == ["not bound to a site"])
        try await act(second, "passwords", "select", row: "0")
        #expect(try await again.value.credential.code?.bytes.text == "551234")
        #expect(try await lines().last?.reason == "bound to no site")
    }

    @Test("S32: an app that no site names gets no code, bound or not")
    func codesForAnUnconfirmedApp() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        sites.apps.withLock { $0 = ["E5336VM85F.com.example.Other"] }
        for message in ["Your login code is 551234", "@shiny.example.com #482193"] { try await offer(message) }
        let asked = askForCode(app)
        let (_, rows, texts) = try await chooser()
        #expect(rows.isEmpty)
        #expect(texts.joined().contains("shiny.example.com has not confirmed this app"))
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await expectCanceled(asked)
        #expect(try await lines().allSatisfy { $0.event != "released" })
    }

    @Test("S33: a code that is gone by the time of the choice is not released")
    func codeThatIsGone() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        try await offer("@shiny.example.com #482193")
        let asked = askForCode(app)
        let (prompt, rows, _) = try await chooser()
        #expect(rows.count == 1)
        await daemon.capabilities.shared.codeMessages.forgetCodes()
        try await act(prompt, "passwords", "select", row: "0")
        await expectCanceled(asked)
        #expect(try await lines().allSatisfy { $0.event != "released" })
    }

    @Test func passwordsAreNoCodesAndCodesNoPasswords() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        try await offer("@shiny.example.com #482193")
        let asked = ask(app)
        let (prompt, passwords, _) = try await chooser()
        #expect(passwords.map(\.title) == ["rmondello"])
        try await act(prompt, "passwords", "select", row: "0")
        #expect(try await asked.value.credential.code == nil)
        await capabilities.shared.codeMessages.forgetCodes()
        let second = askForCode(app)
        let (_, rows, texts) = try await chooser()
        #expect(rows.isEmpty)
        #expect(texts.contains("No code for this app has arrived."))
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await expectCanceled(second)
    }

    // MARK: The main job

    @Test func appIsFilledForItsDomain() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, rows, _) = try await chooser()
        #expect(rows.map(\.title) == ["rmondello"])
        #expect(rows.map(\.subtitle) == ["shiny.example.com"])
        try await act(prompt, "passwords", "select", row: "0")
        let credential = try await asked.value.credential
        #expect(credential.user == "rmondello")
        #expect(credential.password?.bytes.text == "canary")
        let line = try #require(try await lines().last)
        #expect(line.event == "released")
        #expect(line.requester == "\(FakeApp.identifier) at \(app.path)")
        #expect(line.act == "window")
    }

    @Test("S21: an unknown app is asked about once, with its path, and remembered")
    func unknownAppIsAskedAboutOnce() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        let asked = ask(app)
        let question = await window.prompt()
        let interface = try await shown(question) { $0.elements.contains { $0.id == "allow" } }
        #expect(interface.elements.compactMap(\.text).joined().contains(app.path))
        #expect(interface.elements.compactMap(\.text).joined().contains(FakeApp.identifier))
        try await act(question, "allow", "press")
        let authentication = await window.prompt()
        try await capabilities.shared.questions.desk.answer(
            .init(prompt: authentication, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        let (prompt, _, _) = try await chooser()
        try await act(prompt, "passwords", "select", row: "0")
        _ = try await asked.value
        let again = ask(app)
        let (second, rows, _) = try await chooser()
        #expect(rows.count == 1)
        try await act(second, "passwords", "select", row: "0")
        _ = try await again.value
        #expect(try await capabilities.apps.known.apps().apps.map(\.state) == ["known"])
    }

    @Test("S21: to allow an unknown app takes the passphrase, not only a button")
    func buttonAloneAllowsNothing() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        let asked = ask(app)
        let question = await window.prompt()
        _ = try await shown(question) { $0.elements.contains { $0.id == "allow" } }
        try await act(question, "allow", "press")
        let authentication = await window.prompt()
        try await capabilities.shared.questions.desk.answer(.init(prompt: authentication, accept: false), on: 1)
        await expectCanceled(asked)
        #expect(try await capabilities.apps.known.apps().apps.isEmpty)
    }

    @Test("S21: a no is remembered: the app is not asked about again")
    func refusalIsRemembered() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        let asked = ask(app)
        let question = await window.prompt()
        _ = try await shown(question) { $0.elements.contains { $0.id == "refuse" } }
        try await act(question, "refuse", "press")
        await expectCanceled(asked)
        daemon.pass(.seconds(120))
        await expectCanceled(ask(app))
        #expect(try await capabilities.apps.known.apps().apps.map(\.state) == ["refused"])
        // While locked it is the same.
        await broker.lock(reason: "test")
        daemon.pass(.seconds(120))
        await expectCanceled(ask(app))
    }

    @Test("S21: a program that changed since the yes is asked about again")
    func changedProgramIsAskedAboutAgain() async throws {
        try await begin()
        let first = try FakeApp(in: daemon.programs)
        try await grant(first)
        // What an update does: another file at the same path.
        let bytes = try #require(FileManager.default.contents(atPath: first.path))
        try FileManager.default.removeItem(atPath: first.path)
        try (bytes + Data("changed".utf8)).write(to: URL(fileURLWithPath: first.path + ".new"))
        let install = try #require(
            ChildProcess.spawn(
                "/usr/bin/install", arguments: ["-m", "755", first.path + ".new", first.path], descriptors: []))
        wait(install)
        let app = try FakeApp(in: daemon.programs, number: 8)
        #expect(try await capabilities.apps.known.apps().apps.map(\.state) == ["changed"])
        let asked = ask(app)
        let question = await window.prompt()
        let interface = try await shown(question) { $0.elements.contains { $0.id == "allow" } }
        #expect(interface.elements.contains { $0.id == "before" })
        _ = await capabilities.shared.questions.interfaces.cancel(question, on: 1)
        await expectCanceled(asked)
        // To cancel is not an answer: nothing of it is remembered.
        #expect(try await capabilities.apps.known.apps().apps.map(\.state) == ["changed"])
        withExtendedLifetime(first) {}
    }

    // MARK: Refusals

    @Test("S21: an app gets nothing of a domain that its site does not confirm, and the user is told why")
    func unconfirmedDomain() async throws {
        sites.apps.withLock { $0 = ["E5336VM85F.com.example.Other"] }
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, rows, texts) = try await chooser()
        #expect(rows.isEmpty)
        #expect(texts.contains { $0.contains("shiny.example.com has not confirmed this app") })
        _ = await capabilities.shared.questions.interfaces.cancel(prompt, on: 1)
        await expectCanceled(asked)
    }

    @Test(
        "S21: an app is offered what was saved for its confirmed domains and nothing else",
        arguments: [
            ["webcredentials:other.example.com"], ["webcredentials:*.shiny.example.com"],
            ["applinks:shiny.example.com"], [],
            ["webcredentials:example.com"], ["nonsense"],
        ])
    func otherDomains(domains: [String]) async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs, domains: domains)
        let asked = ask(app)
        try await allow()
        let (prompt, rows, _) = try await chooser()
        #expect(rows.isEmpty)
        _ = await capabilities.shared.questions.interfaces.cancel(prompt, on: 1)
        await expectCanceled(asked)
    }

    @Test("S21: a wildcard covers the hosts below, and each other's labels do not")
    func wildcard() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs, domains: ["webcredentials:*.example.com"])
        let asked = ask(app)
        try await allow()
        let (prompt, rows, _) = try await chooser()
        #expect(rows.map(\.subtitle) == ["shiny.example.com"])
        _ = await capabilities.shared.questions.interfaces.cancel(prompt, on: 1)
        await expectCanceled(asked)
    }

    @Test("S21: a site that withdraws between the choice and the release gives nothing")
    func withdrawnAssociation() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, _, _) = try await chooser()
        _ = try await capabilities.shared.associations.removeAssociations(.init(app: FakeApp.identifier, domain: nil))
        try await act(prompt, "passwords", "select", row: "0")
        await expectCanceled(asked)
        #expect(try await lines().last?.event == "refused")
        #expect(try await lines().last?.reason?.contains("not associated") == true)
    }

    @Test("S21: an app that the user refuses between the choice and the release gets nothing")
    func revokedMeanwhile() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, _, _) = try await chooser()
        _ = try await capabilities.apps.known.revoke(.init(path: app.path))
        try await act(prompt, "passwords", "select", row: "0")
        await expectCanceled(asked)
        #expect(try await lines().last?.reason == "the app was replaced after it asked")
    }

    @Test("S21: a program that states nothing gets nothing, without a question")
    func programWithoutAClaim() async throws {
        try await begin()
        await expectCanceled(ask(try FakeApp(in: daemon.programs, claims: nil)))
    }

    @Test("S21: an interpreter gets nothing, whatever stands beside it")
    func interpreter() async throws {
        try await begin()
        await expectCanceled(ask(try FakeApp(in: daemon.programs, name: "python3")))
        await #expect(throws: WireError.self) { _ = try await grant(try FakeApp(in: daemon.programs, name: "perl")) }
    }

    @Test("S21: a second program is not granted an identifier that is taken")
    func secondGrantIsRefused() async throws {
        try await begin()
        let first = try FakeApp(in: daemon.programs)
        try await grant(first)
        let second = try FakeApp(in: daemon.programs, name: "shinier", number: 8)
        await #expect {
            try await grant(second)
        } throws: {
            code($0) == .refused
        }
        // Nor is the user asked about it.
        await expectCanceled(ask(second))
    }

    @Test("S21: what changed since it was shown is not granted, and neither is a script")
    func grantOfSomethingElse() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        await #expect {
            try await capabilities.apps.known.grant(
                .init(path: app.path, digest: "0", identifier: FakeApp.identifier, domains: []))
        } throws: {
            code($0) == .refused
        }
        let script = try daemon.programs.write("#!/bin/sh\n", to: "script", mode: 0o755)
        await #expect {
            _ = try await capabilities.apps.known.look(.init(path: script))
        } throws: {
            code($0) == .refused
        }
    }

    @Test("S21: without a place to ask the user nothing is released")
    func noSurface() async throws {
        try await daemon.begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        await expectCanceled(ask(app))
    }

    // MARK: The same outside

    @Test("S26: nothing saved, one and many, and locked look the same to the app")
    func sameOutside() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        for count in [0, 1, 3] {
            let identities = (0..<count).map { number in
                IdentityStatement(
                    CredentialIdentity(
                        type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "u\(number)",
                        recordIdentifier: "r\(number)"))
            }
            _ = try await capabilities.shared.stores.handleStore(
                Provider.ReplaceIdentities.name, JSONValue(encoding: IdentitiesParams(identities: identities)),
                of: .builtIn)
            let asked = ask(app)
            let (prompt, rows, _) = try await chooser()
            #expect(rows.count == count)
            _ = await capabilities.shared.questions.interfaces.cancel(prompt, on: 1)
            await expectCanceled(asked)
            daemon.pass(.seconds(120))
        }
        await broker.lock(reason: "test")
        let asked = ask(app)
        let question = await window.prompt()
        #expect(await capabilities.shared.questions.desk.show(question, on: 1)?.kind == "unlock")
        #expect(await capabilities.shared.questions.desk.show(question, on: 1)?.requester.text == app.path)
        try await capabilities.shared.questions.desk.answer(.init(prompt: question, accept: false), on: 1)
        await expectCanceled(asked)
    }

    @Test("S28: an app whose request was canceled may not ask again at once")
    func canceledAppWaits() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, _, _) = try await chooser()
        _ = await capabilities.shared.questions.interfaces.cancel(prompt, on: 1)
        await expectCanceled(asked)
        await expectCanceled(ask(app))
        daemon.pass(.seconds(11))
        let again = ask(app)
        let (second, _, _) = try await chooser()
        _ = await capabilities.shared.questions.interfaces.cancel(second, on: 1)
        await expectCanceled(again)
    }

    @Test("S26: a lock between the choice and the release keeps the password")
    func lockedMeanwhile() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        _ = try await chooser()
        await broker.lock(reason: "test")
        await expectCanceled(asked)
    }

    @Test func oneRequestAtATime() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        try await grant(app)
        let asked = ask(app)
        let (prompt, _, _) = try await chooser()
        await #expect {
            try await capabilities.apps.filling.authorize(request, on: app.client)
        } throws: {
            code($0) == .busy
        }
        await capabilities.apps.requests.cancelAuthorization(on: app.client)
        await expectCanceled(asked)
        _ = prompt
    }

    @Test func onlyPasswordsAndCodesCanBeAskedFor() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        for types in [[], ["passkey"], ["text"]] as [[String]] {
            await #expect {
                try await capabilities.apps.filling.authorize(.init(types: types, surfaces: ["window"]), on: app.client)
            } throws: {
                code($0) == .invalidParams
            }
        }
    }

    @Test("S25: a ticket is good once, and for the child of the app alone")
    func tickets() async throws {
        try await begin()
        let app = try FakeApp(in: daemon.programs)
        let stranger = try FakeApp(in: daemon.programs, name: "stranger", number: 9)
        let seat = RendererSeat(for: try #require(app.client.process))
        await capabilities.apps.requests.add(seat, ticket: "t")
        let renderer = ClientConnection(
            number: 9, role: .settings, program: "latchkey", process: stranger.client.process)
        await #expect {
            try await capabilities.apps.requests.render(.init(ticket: "u"), on: renderer)
        } throws: {
            code($0) == .expired
        }
        await #expect {
            try await capabilities.apps.requests.render(.init(ticket: "t"), on: renderer)
        } throws: {
            code($0) == .refused
        }
        await #expect {
            try await capabilities.apps.requests.render(.init(ticket: "t"), on: renderer)
        } throws: {
            code($0) == .expired
        }
        #expect(await seat.wait(.zero) == nil)
        #expect(!renderer.drawsQuestions)
    }

    private func wait(_ child: Int32) {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    }
}

extension AppRequests {
    func add(_ seat: RendererSeat, ticket: String) {
        seats[ticket] = seat
    }
}

extension CodeMessages {
    /// As when their time is up.
    fileprivate func forgetCodes() { codes.wipe() }
}
