// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import Glibc
import ProcessTesting
import Testing

@testable import TerminalRendering
@testable import latchkey

/// A provider's interface on real terminals and pipes.
@Suite(.tags(.startsProcess)) struct InterfaceTranscriptTests {
    private func daemon(_ prompt: FakePrompt) throws -> FakeDaemon {
        var state = FakeDaemon.State()
        state.providers.append(FakeProviders.acme { $0.state = "enabled" })
        return try FakeDaemon(TestHome(), state, prompt: prompt)
    }

    private func terminal(_ arguments: [String], _ home: TestHome, kind: String = "xterm") throws -> PseudoTerminal {
        let terminal = try #require(PseudoTerminal())
        try #require(terminal.start(arguments, home.environment.merging(["TERM": kind]) { $1 }))
        return terminal
    }

    @Test func configureOnAWholeTerminal() async throws {
        let prompt = FakePrompt(FakeInterfaces.unlock)
        let daemon = try daemon(prompt)
        let terminal = try terminal(["providers", "configure", "acme"], daemon.home)
        #expect(await terminal.wait(for: "Latchkey: Acme\u{FFFD}[2J asks, for a.example"))
        #expect(await terminal.wait(for: "Master\\u{1B}[31m password: (empty)"))
        #expect(!terminal.hasEcho)
        terminal.type("\u{1B}[Bxyzzy")
        #expect(await terminal.wait(for: "********"))
        terminal.type("\r")
        #expect(await terminal.status() == 0)
        #expect(terminal.hasEcho)
        #expect(!terminal.shown.contains("xyzzy"))
        #expect(terminal.shown.hasSuffix("\u{1B}[?1049l"))
        #expect(prompt.acts.first?.fields?.last?.text.bytes.testText == "xyzzy")
    }

    @Test(arguments: ["\u{1B}", "\u{3}"]) func cancelEndsWithEight(key: String) async throws {
        let daemon = try daemon(FakePrompt(FakeInterfaces.unlock))
        let terminal = try terminal(["providers", "configure", "acme"], daemon.home)
        #expect(await terminal.wait(for: "Unlock"))
        terminal.type(key)
        #expect(await terminal.status() == 8)
        #expect(terminal.hasEcho)
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func aSignalGivesTheTerminalBack(signal: Int32) async throws {
        let daemon = try daemon(FakePrompt(FakeInterfaces.unlock))
        let terminal = try terminal(["providers", "configure", "acme"], daemon.home)
        #expect(await terminal.wait(for: "Unlock"))
        terminal.signal(signal)
        #expect(await terminal.status() == 128 + signal)
        #expect(terminal.hasEcho)
        #expect(terminal.shown.contains("\u{1B}[?1049l"))
    }

    @Test func aTerminalThatCannotMoveACursorGetsLines() async throws {
        let prompt = FakePrompt(FakeInterfaces.unlock)
        let daemon = try daemon(prompt)
        let terminal = try terminal(["providers", "configure", "acme"], daemon.home, kind: "dumb")
        #expect(await terminal.wait(for: "\r\n> "))
        #expect(terminal.hasEcho)
        terminal.type("2\r")
        #expect(await terminal.wait(for: "[31m password: ", times: 2))
        #expect(!terminal.hasEcho)
        terminal.type("xyzzy\r")
        #expect(await terminal.wait(for: "to continue.\r\n> "))
        terminal.type("\r")
        #expect(await terminal.status() == 0)
        #expect(!terminal.shown.contains("xyzzy"))
        #expect(!terminal.shown.contains("\u{1B}"))
        #expect(prompt.acts.first?.fields?.last?.text.bytes.testText == "xyzzy")
        #expect(terminal.hasEcho)
    }

    @Test func aScriptAnswersFromAPipe() async throws {
        let prompt = FakePrompt(FakeInterfaces.unlock) { act in
            act.action == "press" ? .show(FakeInterfaces.list()) : .finish
        }
        let daemon = try daemon(prompt)
        let run = await daemon.home.run(
            "choose", "https://a.example/login", "--provider", "acme", "--show", input: "2\nxyzzy\n\n3\n")
        #expect(run.status == 0)
        #expect(run.output == "user      rmondello\npassword  chosen secret\n")
        #expect(!run.error.contains("xyzzy"))
        #expect(run.error.contains("Latchkey: Acme\u{FFFD}[2J asks, for a.example\n| Unlock\n"))
        #expect(prompt.acts.map(\.action) == ["press", "select"])
        #expect(prompt.acts.last?.row == "r1")
    }

    @Test func thePasswordStaysHiddenUnlessAskedFor() async throws {
        let daemon = try daemon(FakePrompt(FakeInterfaces.list()))
        let run = await daemon.home.run("choose", "https://a.example", "--provider", "acme", input: "2\n")
        #expect(run.status == 0)
        #expect(run.output == "user      rmondello\npassword  hidden; --show shows it, --copy copies it\n")
        #expect(!(run.output + run.error).contains("chosen secret"))
        let json = await daemon.home.run("choose", "https://a.example", "--json", input: "2\n")
        #expect(json.output == "{\"user\":\"rmondello\"}\n")
    }

    @Test func theEndOfAPipeIsACancel() async throws {
        let prompt = FakePrompt(FakeInterfaces.list())
        let daemon = try daemon(prompt)
        let run = await daemon.home.run("choose", "https://a.example", "--show")
        #expect(run.status == 8)
        #expect(run.output == "")
        #expect(prompt.acts.isEmpty)
    }

    @Test func refusesBeforeAnythingIsPresented() async throws {
        let daemon = try daemon(FakePrompt(FakeInterfaces.list()))
        #expect(await daemon.home.run("choose", "https://a.example", "--provider", "nobody").status == 5)
        #expect(await daemon.home.run("providers", "configure", "org.latchkey.passwords").status == 5)
        #expect(await daemon.home.run("choose", "https://a.example", "--copy").status == 5)
        daemon.with { $0.providers[1].state = "disabled" }
        #expect(await daemon.home.run("choose", "https://a.example", "--provider", "acme").status == 6)
        daemon.with { $0.providers = [] }
        #expect(await daemon.home.run("choose", "https://a.example").status == 5)
        #expect(!daemon.asked.contains("credentials.choose"))
    }

    @Test(arguments: [(false, true, "xterm", true), (true, true, "xterm", false), (false, false, "xterm", false)])
    func choosesASurface(lines: Bool, isTerminal: Bool, kind: String, isScreen: Bool) {
        #expect(SurfaceChoice.isScreen(lines: lines, inputIsTerminal: isTerminal, terminal: kind) == isScreen)
        for kind in ["dumb", "", nil] {
            #expect(!SurfaceChoice.isScreen(lines: lines, inputIsTerminal: isTerminal, terminal: kind))
        }
    }
}
