// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import Foundation
import ProcessTesting
import Testing

@testable import TerminalRendering
@testable import latchkey

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain, ünïcode 🔑", "plain, ünïcode 🔑"), ("\u{1B}[31m", "\\u{1B}[31m"),
        ("a\nb\tc\rd", "a\\u{A}b\\u{9}c\\u{D}d"),
        ("\u{9B}31m", "\\u{9B}31m"), ("\u{7F}", "\\u{7F}"), ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("a\u{2028}b", "a\\u{2028}b"), ("\0", "\\u{0}"),
        ("a\u{200B}\u{2060}b", "a\\u{200B}\\u{2060}b"), ("a\u{E0041}", "a\\u{E0041}"),
    ]) func escapes(text: String, expected: String) {
        #expect(TerminalText.escaped(text) == expected)
        #expect(TerminalText.escaped(SecretBytes(utf8: text)).testText == expected)
    }

    @Test func keepsTheLinesOfNotes() {
        let shown = TerminalText.escaped(SecretBytes(utf8: "a\n\tb\u{1B}"), keepsLines: true)
        #expect(shown.testText == "a\n\tb\\u{1B}")
    }

    @Test func replacesWhatIsNoText() {
        var bytes: [UInt8] = [0x61, 0xFF, 0x62]
        #expect(TerminalText.escaped(SecretBytes(wiping: &bytes)).testText == "a\u{FFFD}b")
    }
}

@Suite struct JSONTextTests {
    @Test func printsWhatFoundationReads() throws {
        let text = "quote \" backslash \\ newline \n control \u{1} delete \u{7F} é 🔑 /"
        let value = JSONText.object([
            ("z", .string(text)), ("a", .secret(SecretBytes(utf8: text))), ("n", .null), ("i", .integer(-7)),
            ("b", .array([.bool(true), .bool(false)])),
        ])
        let printed = value.encoded().testText
        let read = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
        #expect(read?["z"] as? String == text)
        #expect(read?["a"] as? String == text)
        #expect(read?["i"] as? Int == -7)
        #expect(printed.hasPrefix("{\"z\":"))
        #expect(printed.hasSuffix("}\n"))
    }

    @Test("S43: a terminal gets JSON that it cannot obey, of which a reader has the very text")
    func unsafeCharactersAreNumbers() throws {
        let text = "a\u{1B}b\u{9B}c\u{202E}d\u{200B}e\u{2028}f\u{E0041}g\u{7F}h é 🔑"
        let printed = JSONText.array([.string(text)]).encoded().testText
        #expect(printed.contains("\\u202e") && printed.contains("\\udb40\\udc41") && printed.contains("é 🔑"))
        #expect(
            printed.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x0A, 0x20..<0x7F, 0xE9, 0x1F511: true
                default: false
                }
            })
        #expect(try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String] == [text])
    }

    @Test func listsHaveALineForEachElement() {
        #expect(JSONText.array([]).encoded().testText == "[]\n")
        #expect(JSONText.array([.integer(1), .integer(2)]).encoded().testText == "[\n  1,\n  2\n]\n")
    }
}

@Suite struct MomentTests {
    @Test(
        arguments: [
            ("90m", 1_000_000 - 5400), ("24h", 1_000_000 - 86_400), ("7d", 1_000_000 - 604_800), ("0s", 1_000_000),
            ("1w", 1_000_000 - 604_800), ("1700000000", 1_700_000_000),
        ] as [(String, Int64)]) func reads(text: String, expected: Int64)
    {
        #expect(Moment.seconds(text, now: 1_000_000) == expected)
    }

    @Test func readsDates() throws {
        let seconds = try #require(Moment.seconds("2026-11-21", now: 0))
        #expect(Moment.text(seconds).hasPrefix("2026-11-21 00:00:00"))
    }

    @Test(arguments: [
        "", "x", "-1", "-5m", "5y", "2026-13-01", "2026-02-31", "2026-1", "26-01-01", "99999999999999999999d", "d",
        "9223372036854775807w", "2026-11-21T00:00",
    ]) func refuses(text: String) {
        #expect(Moment.seconds(text, now: 0) == nil)
    }
}

@Suite struct CommandFailureTests {
    /// The table of docs/command-line.md.
    @Test(
        arguments: [
            (WireError.Code.notInitialized, 7), (.locked, 3), (.authenticationRequired, 4), (.wrongPassphrase, 4),
            (.tooManyAttempts, 4), (.refused, 6), (.notFound, 5), (.notPermitted, 6), (.userCanceled, 8),
            (.providerUnavailable, 11), (.timedOut, 11), (.busy, 11), (.alreadyExists, 12), (.storageFailed, 10),
            (.unsupportedVersion, 14), (.expired, 1), (.invalidItem, 13), (.invalidParams, 13), (.internalError, 1),
            (.parseError, 1), (.invalidRequest, 1), (.methodNotFound, 1), (.providerExtension(1), 8),
            (.providerExtension(101), 5), (.providerExtension(0), 1), (.identityStore(2), 1),
            // A newer daemon's code is a malfunction and no crash.
            (WireError.Code(rawValue: 4242), 1), (WireError.Code(rawValue: Int.min), 1),
        ] as [(WireError.Code, Int32)]
    ) func mapsEveryCode(code: WireError.Code, status: Int32) {
        #expect(CommandFailure(WireError(code, "x")).status.rawValue == status)
    }

    @Test func isOneLineAndAHintWhateverTheDaemonSays() {
        let error = WireError(.refused, "No\nlatchkey: forged", reason: "because\u{1B}[2J", hint: "do\nthis")
        #expect(
            CommandFailure(error).lines
                == "latchkey: No\\u{A}latchkey: forged: because\\u{1B}[2J\nhint: do\\u{A}this\n"
        )
    }

    @Test func documentationListsEveryStatus() throws {
        let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/command-line.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let statuses = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 64, 141]
        for status in statuses { #expect(text.contains("\n| \(status) |"), "status \(status)") }
    }
}

/// What somebody meant who has mistyped a command.
@Suite struct CommandGuessTests {
    @Test(
        arguments: [
            ("Unexpected argument 'lst'.", "latchkey --help", "latchkey list"),
            ("Unexpected argument 'improt'", "latchkey --help", "latchkey import"),
            ("Unexpected argument 'enabel'.", "latchkey providers --help", "latchkey providers enable"),
            ("Unexpected argument 'xyzzy'.", "latchkey --help", nil),
            ("Unexpected argument 'x'.", "latchkey nowhere", nil),
            ("Unknown option '--lst'.", "latchkey --help", nil),
            ("Unexpected argument '\(String(repeating: "l", count: 99))'", "latchkey", nil),
        ] as [(String, String, String?)]) func guesses(sentence: String, help: String, guess: String?)
    {
        #expect(CommandGuess.guess(for: sentence, below: help) == guess)
    }

    @Test(.tags(.startsProcess)) func aMistypedCommandIsAnsweredByTheNearest() async {
        let run = await TestHome().run("lst")
        #expect(run.status == 64)
        #expect(
            run.error
                == "latchkey: Unexpected argument 'lst'. Did you mean `latchkey list`?\nhint: See `latchkey --help`.\n")
    }

    @Test(.tags(.startsProcess), arguments: ["ftp://foo", "ssh://git@a.example", "javascript://x"])
    func otherSchemesAreNoService(text: String)
        async
    {
        let run = await TestHome().run("add", text, "me", input: "pw")
        #expect(run.status == 13 && run.error.contains("passwords are saved for http and https"))
        #expect(throws: CommandFailure.self) { _ = try ItemService.read(["a.example", text]) }
        #expect(throws: Never.self) {
            _ = try ItemService.read(["a.example", "HTTPS://a.example:8443", "http://b.example"])
        }
    }
}
