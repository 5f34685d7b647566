// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Glibc
import ProcessTesting
import Testing

@testable import latchkey

/// What happens at a real terminal.
@Suite(.tags(.startsProcess)) struct PromptTests {
    private func daemon(_ change: (inout FakeDaemon.State) -> Void = { _ in }) throws -> FakeDaemon {
        var state = FakeDaemon.State()
        change(&state)
        return try FakeDaemon(TestHome(), state)
    }

    private func terminal(_ arguments: [String], _ home: TestHome) throws -> PseudoTerminal {
        let terminal = try #require(PseudoTerminal())
        try #require(terminal.start(arguments, home.environment))
        return terminal
    }

    @Test func passphraseIsNotShown() async throws {
        let daemon = try daemon { $0.isLocked = true }
        let terminal = try terminal(["unlock"], daemon.home)
        #expect(await terminal.wait(for: "Passphrase: "))
        #expect(!terminal.hasEcho)
        terminal.type("correct horse\r")
        #expect(await terminal.status() == 0)
        #expect(!terminal.shown.contains("horse"))
        #expect(terminal.hasEcho)
        #expect(!daemon.with { $0.isLocked })
    }

    @Test func aPersonMayTryThreeTimes() async throws {
        let daemon = try daemon { $0.isLocked = true }
        let terminal = try terminal(["unlock"], daemon.home)
        for attempt in 1...3 {
            #expect(await terminal.wait(for: "Passphrase: ", times: attempt))
            terminal.type("wrong\r")
        }
        #expect(await terminal.status() == 4)
        #expect(daemon.asked.filter { $0 == "unlock" }.count == 3)
    }

    @Test func aLockedCommandAsksForThePassphraseFirst() async throws {
        let daemon = try daemon { $0.isLocked = true }
        daemon.keep(1, ["shiny.example.com"], "rmondello", "canary")
        let terminal = try terminal(["list"], daemon.home)
        #expect(await terminal.wait(for: "Latchkey is locked."))
        #expect(await terminal.wait(for: "Passphrase: "))
        terminal.type("wrong\r")
        #expect(await terminal.wait(for: "Passphrase: ", times: 2))
        terminal.type("correct horse\r")
        #expect(await terminal.status() == 0)
        #expect(terminal.shown.contains("rmondello"))
        // What asks for a password says first that the passphrase comes before it.
        daemon.with { $0.isLocked = true }
        let adding = try self.terminal(["add", "a.example", "me"], daemon.home)
        #expect(await adding.wait(for: "Passphrase: "))
        #expect(!adding.shown.contains("Password for me"))
        adding.type("\u{4}")
        #expect(await adding.status() != 0)
        #expect(daemon.passwords == ["canary"])
    }

    @Test func aNewPasswordIsAskedForTwice() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["add", "a.example", "me"], daemon.home)
        #expect(await terminal.wait(for: "Password for me at a.example: "))
        terminal.type("pässword\r")
        #expect(await terminal.wait(for: "Password for me at a.example, again: "))
        terminal.type("pässword\r")
        #expect(await terminal.status() == 0)
        #expect(daemon.passwords == ["pässword"])
        #expect(!terminal.shown.contains("ssword\r"))
    }

    @Test func twoThatDifferAreRefused() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["add", "a.example", "me"], daemon.home)
        #expect(await terminal.wait(for: "a.example: "))
        terminal.type("one\r")
        #expect(await terminal.wait(for: "again: "))
        terminal.type("two\r")
        #expect(await terminal.status() == 13)
        #expect(terminal.shown.contains("latchkey: They do not match; try again."))
        #expect(daemon.passwords == [])
    }

    @Test(arguments: ["\u{4}", "\r"]) func nothingTypedIsANo(keys: String) async throws {
        let daemon = try daemon { $0.isLocked = true }
        let terminal = try terminal(["unlock"], daemon.home)
        #expect(await terminal.wait(for: "Passphrase: "))
        terminal.type(keys)
        #expect(await terminal.status() == 8)
        #expect(terminal.hasEcho)
        #expect(!daemon.asked.contains("unlock"))
    }

    @Test func controlCGivesTheEchoBack() async throws {
        let daemon = try daemon { $0.isLocked = true }
        let terminal = try terminal(["unlock"], daemon.home)
        #expect(await terminal.wait(for: "Passphrase: "))
        #expect(!terminal.hasEcho)
        terminal.type("half\u{3}")
        #expect(await terminal.status() == 128 + SIGINT)
        #expect(terminal.hasEcho)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT]) func everyEndingSignalGivesTheEchoBack(signal: Int32) async throws {
        let daemon = try daemon { $0.isLocked = true }
        let terminal = try terminal(["unlock"], daemon.home)
        #expect(await terminal.wait(for: "Passphrase: "))
        terminal.signal(signal)
        #expect(await terminal.status() == 128 + signal)
        #expect(terminal.hasEcho)
    }

    /// The terminal cuts a longer line in silence, at the same place each time, and gives away nothing of it.
    @Test(arguments: [["unlock"], ["add", "a.example", "me"]], [4095, 5000])
    func aLineThatTheTerminalMayHaveCutIsRefused(command: [String], count: Int) async throws {
        let daemon = try daemon { $0.isLocked = command == ["unlock"] }
        let terminal = try terminal(command, daemon.home)
        #expect(await terminal.wait(for: ": "))
        terminal.type(String(repeating: "x", count: count) + "\r")
        #expect(await terminal.status() == 13)
        #expect(terminal.shown.contains("longer than the 4094 bytes that a terminal passes on.\r\nhint: "))
        #expect(!daemon.asked.contains("unlock"))
        #expect(daemon.passwords == [])
    }

    @Test func theLongestLineOfATerminalIsKeptWhole() async throws {
        let daemon = try daemon()
        let password = String(repeating: "x", count: 4094)
        let terminal = try terminal(["add", "a.example", "me"], daemon.home)
        #expect(await terminal.wait(for: "a.example: "))
        terminal.type(password + "\r")
        #expect(await terminal.wait(for: "again: "))
        terminal.type(password + "\r")
        #expect(await terminal.status() == 0)
        #expect(daemon.passwords == [password])
    }

    @Test func aLockAtAPromptLosesNothing() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["add", "a.example", "me"], daemon.home)
        #expect(await terminal.wait(for: "a.example: "))
        terminal.type("pässword\r")
        #expect(await terminal.wait(for: "again: "))
        daemon.with { $0.isLocked = true }
        terminal.type("pässword\r")
        #expect(await terminal.wait(for: "Latchkey is locked."))
        #expect(await terminal.wait(for: "Passphrase: "))
        terminal.type("wrong\r")
        #expect(await terminal.wait(for: "Passphrase: ", times: 2))
        terminal.type("correct horse\r")
        #expect(await terminal.status() == 0)
        #expect(daemon.passwords == ["pässword"])
    }

    @Test func showAsksAtTheTerminalWhenTheDaemonWantsIt() async throws {
        let daemon = try daemon { $0.wantsAuthentication = true }
        daemon.keep(1, ["a.example"], "me", "tab\there\u{1B}[31m")
        let terminal = try terminal(["show", "a.example", "--only-password"], daemon.home)
        #expect(await terminal.wait(for: "Passphrase: "))
        terminal.type("correct horse\r")
        #expect(await terminal.status() == 0)
        // On a terminal a password cannot do anything to it; into a pipe it goes as it is.
        #expect(terminal.shown.contains("tab\\u{9}here\\u{1B}[31m"))
    }

    @Test(arguments: [["init"], ["passphrase"], ["recover"], ["pin", "set"]])
    func whatIsRefusedIsNotAskedForAgain(command: [String]) async throws {
        let daemon = try daemon { $0.isInitialized = command != ["init"] }
        let terminal = try terminal(command, daemon.home)
        if let first = ["passphrase": "Passphrase: ", "recover": "Recovery code: "][command[0]] {
            #expect(await terminal.wait(for: first))
            terminal.type("correct horse\r")
        }
        #expect(await terminal.wait(for: command[0] == "pin" ? "New PIN: " : "New passphrase: "))
        terminal.type("1234\r")
        #expect(await terminal.status() == 13)
        #expect(!terminal.shown.contains("again"))
    }

    @Test func recoverChecksTheCodeFirst() async throws {
        let daemon = try daemon { $0.failures["recover"] = WireError(.wrongPassphrase, "The code is not right.") }
        let wrong = try terminal(["recover"], daemon.home)
        #expect(await wrong.wait(for: "Recovery code: "))
        wrong.type("wrong\r")
        #expect(await wrong.status() == 4)
        #expect(!wrong.shown.contains("New passphrase"))
        daemon.with { $0.failures = [:] }
        let right = try terminal(["recover"], daemon.home)
        #expect(await right.wait(for: "Recovery code: "))
        right.type("right\r")
        for count in 1...2 {
            #expect(await right.wait(for: "New passphrase", times: count))
            right.type("wholly new things\r")
        }
        #expect(await right.status() == 0)
        #expect(daemon.with { $0.lastParams["recover"]?["newPassphrase"] } == .secret(.init(utf8: "wholly new things")))
        #expect(daemon.asked.count { $0 == "recover" } == 3 && daemon.asked.last == "recoveryCode.shown")
    }

    @Test func aSetUpLinkAndNotesAreAskedFor() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["add", "a.example", "me", "--generate", "--otp", "--notes"], daemon.home)
        #expect(await terminal.wait(for: "Set-up link of the authenticator (otpauth://…): "))
        let link = "otpauth://totp/a:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        terminal.type(link + "\r")
        #expect(await terminal.wait(for: "Notes (Control-D ends them):"))
        terminal.type("first\r\rsecond\r\u{4}")
        #expect(await terminal.status() == 0)
        #expect(!terminal.shown.contains("GEZDGNBV"))
        #expect(daemon.with { $0.kept.last?.notes } == "first\n\nsecond")
        guard case .array(let items)? = daemon.with({ $0.lastParams["items.add"]?["items"] }) else {
            Issue.record("no item was sent")
            return
        }
        #expect(items.first?["authenticator"] == .secret(.init(utf8: link)))
    }

    @Test func noNotesAreANo() async throws {
        let daemon = try daemon()
        daemon.keep(1, ["a.example"], "me", "x", notes: "first")
        let terminal = try terminal(["edit", "a.example", "--notes"], daemon.home)
        #expect(await terminal.wait(for: "Notes (Control-D ends them):"))
        terminal.type("\u{4}")
        #expect(await terminal.status() == 8)
        #expect(!daemon.asked.contains("items.edit"))
    }

    @Test func theQuestionCannotBeForged() async throws {
        let daemon = try daemon()
        let terminal = try terminal(["add", "a.example\u{1B}[2J\nPassphrase: ", "me"], daemon.home)
        #expect(await terminal.wait(for: "at a.example\\u{1B}[2J\\u{A}Passphrase: : "))
    }

    @Test func listHasShortIdsAndColumns() async throws {
        let daemon = try daemon()
        daemon.keep(1, ["a.example"], "me", "x")
        daemon.keep(2, ["longer.example"], "you", "x")
        let terminal = try terminal(["list"], daemon.home)
        #expect(await terminal.status() == 0)
        #expect(terminal.shown == "1000000a  a.example       me\r\n2000000a  longer.example  you\r\n")
    }
}
