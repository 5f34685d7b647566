// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Foundation
import ProcessTesting
import ShownText
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import DaemonTesting

@Suite struct PinentryTests {
    private let folder: TemporaryFolder
    private let question = PromptDesk.Question(
        kind: .authenticate, requester: "Your browser", site: "https://shiny.example.com", user: "rmondello",
        provider: "org.latchkey.passwords")

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A pinentry that answers `GETPIN` and `CONFIRM` by a Python function of how often it was started.
    private func pinentry(_ answer: String, greeting: String = #"say("OK Pleased to meet you")"#) throws -> Pinentry {
        let script = """
            #!/usr/bin/python3
            import os, sys
            folder = os.path.dirname(os.path.abspath(__file__))
            with open(folder + "/log", "a") as log: log.write("START\\n")
            count = open(folder + "/log").read().count("START")
            def say(line):
                sys.stdout.write(line + "\\n"); sys.stdout.flush()
            def answer(command):
                \(answer.replacing("\n", with: "\n    "))
            \(greeting)
            for line in sys.stdin:
                command = line.rstrip("\\n")
                with open(folder + "/log", "a") as log: log.write(command + "\\n")
                if command.split()[0] in ("GETPIN", "CONFIRM"): answer(command)
                else: say("OK")
            """
        try folder.write(script + "\n", to: "pinentry-gnome3", mode: 0o700)
        return try #require(Pinentry(environment: ["PATH": folder.path, "DISPLAY": ":99"]))
    }

    private var log: [String] {
        String(decoding: folder.read("log"), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Accepts one passphrase and remembers what was tried.
    private final class Judge: Sendable {
        private let right: String
        private let state = Mutex<[String]>([])

        init(_ right: String) {
            self.right = right
        }

        var tried: [String] { state.withLock { $0 } }

        func verify(_ passphrase: SecretBytes) throws -> UserAct.Authentication? {
            let text = passphrase.text
            state.withLock { $0.append(text) }
            guard text == right else { throw WireError(.wrongPassphrase, "Wrong passphrase.") }
            return .passphrase
        }
    }

    // MARK: Which one

    @Test(arguments: [
        [:], ["PATH": "/usr/bin"], ["DISPLAY": ":0", "PATH": "/nonexistent"], ["DISPLAY": ":0", "PATH": ""],
    ])
    func withoutADisplayOrAProgramThereIsNone(environment: [String: String]) {
        #expect(Pinentry(environment: environment) == nil)
    }

    @Test(arguments: ["pinentry-curses", "pinentry-tty"])
    func pinentryForTerminalsIsOfNoUse(name: String) throws {
        try folder.write("#!/bin/sh\n", to: name, mode: 0o700)
        #expect(Pinentry(environment: ["DISPLAY": ":0", "PATH": folder.path]) == nil)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/pinentry", withDestinationPath: folder.path + "/" + name)
        #expect(Pinentry(environment: ["DISPLAY": ":0", "PATH": folder.path]) == nil)
    }

    @Test(arguments: ["DISPLAY", "WAYLAND_DISPLAY"])
    func pinentryForADisplayIsFound(variable: String) throws {
        try folder.write("#!/bin/sh\n", to: "pinentry-qt", mode: 0o700)
        #expect(Pinentry(environment: [variable: ":0", "PATH": "/nonexistent:" + folder.path]) != nil)
    }

    // MARK: Asking

    @Test("S28: the prompt says who asks, for which site and account", .tags(.startsProcess))
    func promptSaysWhoAsks() async throws {
        let judge = Judge("correct horse")
        try await pinentry(#"say("D correct horse"); say("OK")"#).ask(question) { try judge.verify($0) }
        #expect(judge.tried == ["correct horse"])
        let description = log.first { $0.hasPrefix("SETDESC ") } ?? ""
        for part in ["Your browser", "https://shiny.example.com", "rmondello"] { #expect(description.contains(part)) }
    }

    @Test(
        "S28, S43: names are shown in their own letters, as one line, and cannot add a command", .tags(.startsProcess),
        arguments: [
            ("Zoë Müller", "Zoë Müller"), ("100%", "100%25"),
            ("a\nCONFIRM\nb", "a\u{FFFD}CONFIRM\u{FFFD}b"),
            ("\u{1F600}", "\u{1F600}"), ("a\rb", "a\u{FFFD}b"), ("\u{202E}ab\u{200B}", "ab"),
        ])
    func namesAreEscaped(user: String, escaped: String) async throws {
        var question = question
        question.user = DisplayText(user)
        try await pinentry(#"say("D x"); say("OK")"#).ask(question) { _ in nil }
        #expect(log.contains { $0.hasPrefix("SETDESC ") && $0.contains("account \(escaped).") })
        #expect(!log.contains("CONFIRM"))
    }

    @Test(.tags(.startsProcess)) func wrongPassphraseIsSaidAndAskedAgain() async throws {
        let judge = Judge("right")
        try await pinentry(#"say("D " + ("wrong" if count == 1 else "right")); say("OK")"#).ask(question) {
            try judge.verify($0)
        }
        #expect(judge.tried == ["wrong", "right"])
        #expect(log.filter { $0.hasPrefix("SETERROR ") } == ["SETERROR Wrong passphrase."])
    }

    @Test(.tags(.startsProcess)) func threeWrongPassphrasesEndTheQuestion() async throws {
        let judge = Judge("right")
        let pinentry = try pinentry(#"say("D wrong"); say("OK")"#)
        await #expect { try await pinentry.ask(question) { try judge.verify($0) } } throws: {
            code($0) == .wrongPassphrase
        }
        #expect(judge.tried.count == 3)
    }

    @Test(.tags(.startsProcess)) func otherErrorsEndTheQuestionAtOnce() async throws {
        let pinentry = try pinentry(#"say("D x"); say("OK")"#)
        await #expect {
            try await pinentry.ask(question) { _ in throw WireError(.tooManyAttempts, "wait") }
        } throws: {
            code($0) == .tooManyAttempts
        }
        #expect(log.filter { $0 == "START" }.count == 1)
    }

    @Test(
        "what the user typed arrives byte for byte", .tags(.startsProcess),
        arguments: [
            (#"say("D a%25b%0Ac%0D%41"); say("OK")"#, "a%b\nc\rA"), (#"say("D %"); say("OK")"#, "%"),
            (#"say("D %4"); say("OK")"#, "%4"), (#"say("D %zz"); say("OK")"#, "%zz"),
            (#"say("D  x "); say("OK")"#, " x "),
            (#"say("D Zoë"); say("OK")"#, "Zoë"),
            (##"say("# a comment"); say("S a status"); say("D x"); say("OK closing")"##, "x"),
            (
                #"say("D " + "a" * 900); say("D " + "b" * 900); say("OK")"#,
                String(repeating: "a", count: 900) + String(repeating: "b", count: 900)
            ),
        ])
    func whatTheUserTypedArrives(answer: String, expected: String) async throws {
        let judge = Judge(expected)
        try await pinentry(answer).ask(question) { try judge.verify($0) }
        #expect(judge.tried == [expected])
    }

    @Test(
        "S28: cancel is the user's no",
        arguments: [
            #"say("ERR 83886179 Operation cancelled <Pinentry>")"#, #"say("ERR 99")"#, #"say("OK")"#, "sys.exit(0)",
            "os.kill(os.getpid(), 9)", #"say("ERR 83886194 not confirmed")"#, #"say("ERR 83886142 timeout")"#,
            #"say("ERR 83886278 fully canceled")"#, #"say("ERR no number")"#,
        ])
    func cancelIsTheUsersNo(answer: String) async throws {
        let pinentry = try pinentry(answer)
        await #expect { try await pinentry.ask(question) { _ in nil } } throws: { code($0) == .userCanceled }
    }

    @Test(arguments: [
        #"say("x" * 3000); say("OK")"#, #"[say("nonsense") for _ in range(2000)]"#,
        #"say("D " + "x" * 3000); say("OK")"#,
        #"sys.stdout.buffer.write(bytes(range(11, 256)) * 20); sys.stdout.flush(); sys.exit(0)"#,
    ])
    func garbageIsAnError(answer: String) async throws {
        let pinentry = try pinentry(answer)
        await #expect(throws: WireError.self) { try await pinentry.ask(question) { _ in nil } }
    }

    @Test(arguments: [
        (#"say("ERR 83918950 Inappropriate ioctl for device <Pinentry>")"#, 32870), (#"say("ERR 83886340")"#, 260),
    ])
    func errorThatIsNoAnswerSaysThatNobodyWasAsked(answer: String, number: Int) async throws {
        let pinentry = try pinentry(answer)
        await #expect { try await pinentry.ask(question) { _ in nil } } throws: {
            ($0 as? Pinentry.Unshown)?.code == number
        }
    }

    @Test(.tags(.startsProcess)) func promptThatIsInUseIsNoNoAndNoFailure() async throws {
        let pinentry = try pinentry(#"say("ERR 83886165 No PIN entry")"#)
        await #expect { try await pinentry.ask(question) { _ in nil } } throws: { code($0) == .busy }
    }

    @Test(.tags(.startsProcess), arguments: [("sys.exit(0)", 0), (#"say("ERR 1 no")"#, 1)])
    func programThatDoesNotGreetHasAskedNobody(greeting: String, number: Int) async throws {
        let pinentry = try pinentry("pass", greeting: greeting)
        await #expect { try await pinentry.ask(question) { _ in nil } } throws: {
            ($0 as? Pinentry.Unshown)?.code == number
        }
    }

    @Test(.tags(.startsProcess), arguments: [#"say("x" * 5000)"#, #"[say("") for _ in range(2000)]"#])
    func programThatGreetsOtherwiseIsAnError(greeting: String) async throws {
        let pinentry = try pinentry("pass", greeting: greeting)
        await #expect(throws: WireError.self) { try await pinentry.ask(question) { _ in nil } }
    }

    @Test(.tags(.startsProcess)) func programThatDoesNotEndIsEnded() async throws {
        let pinentry = try pinentry(
            """
            import signal, time
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            say("D x"); say("OK"); time.sleep(600)
            """)
        try await pinentry.ask(question) { _ in nil }
    }

    // MARK: Confirming

    @Test(.tags(.startsProcess)) func confirmationAsksForNoPassphrase() async throws {
        var question = question
        question.kind = .confirm
        try await pinentry(#"say("OK")"#).ask(question) { _ in
            Issue.record("nothing to verify")
            return nil
        }
        #expect(log.contains("CONFIRM"))
        #expect(!log.contains("GETPIN"))
    }

    @Test("a question that is taken back is nobody's no, and its window goes", .tags(.startsProcess))
    func questionThatIsTakenBackEnds() async throws {
        let pinentry = try pinentry("import time; time.sleep(600)")
        let question = question
        let asked = Task { try await pinentry.ask(question) { _ in nil } }
        try await eventually { log.contains("GETPIN") }
        asked.cancel()
        await #expect(throws: CancellationError.self) { try await asked.value }
    }

    @Test(arguments: [#"say("ERR 83886179 cancelled")"#, #"say("ERR 83886194 Not confirmed")"#, "sys.exit(0)"])
    func confirmationThatIsRefusedIsTheUsersNo(answer: String) async throws {
        var question = question
        question.kind = .confirm
        let (pinentry, asked) = (try pinentry(answer), question)
        await #expect { try await pinentry.ask(asked) { _ in nil } } throws: { code($0) == .userCanceled }
    }

    // MARK: A password of another place

    private var foreign: PromptDesk.Question {
        var question = question
        question.kind = .foreign
        question.savedFor = "glossy.example.org"
        question.top = "https://top.example"
        question.reasons = ["It is not offered here: it was saved for another host."]
        question.mayKeep = true
        return question
    }

    @Test("S19: the question names all parties, and a yes to it keeps nothing")
    func foreignQuestionNamesAllParties() async throws {
        let pinentry = try pinentry(
            """
            if command == "CONFIRM": say("ERR 83886194 Not confirmed")
            else: say("D right"); say("OK")
            """)
        #expect(try await pinentry.ask(foreign) { _ in nil } == .init(keeps: false))
        let text = log.first { $0.hasPrefix("SETDESC") } ?? ""
        for part in [
            "glossy.example.org", "https://shiny.example.com", "https://top.example", "rmondello", "another host",
        ] {
            #expect(text.contains(part))
        }
        #expect(log.contains("CONFIRM"))
    }

    @Test("S18: only a yes of its own keeps the place")
    func yesOfItsOwnKeepsThePlace() async throws {
        let pinentry = try pinentry(
            """
            if command == "CONFIRM": say("OK")
            else: say("D right"); say("OK")
            """)
        #expect(try await pinentry.ask(foreign) { _ in nil } == .init(keeps: true))
        var question = foreign
        question.mayKeep = false
        #expect(try await pinentry.ask(question) { _ in nil } == .init(keeps: false))
        #expect(log.filter { $0 == "CONFIRM" }.count == 1)
    }
}
