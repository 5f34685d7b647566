// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct SavedNameTests {
    @Test(arguments: [
        ("rmondello", "rmondello"), ("  rmondello@example.com\t", "rmondello@example.com"), ("", ""), ("   ", ""),
        ("Grüße, O'Neill", "Grüße, O'Neill"),
        (String(repeating: "x", count: 1024), String(repeating: "x", count: 1024)),
    ])
    func whatAnItemMayHaveIsTaken(written: String, name: String) throws {
        #expect(try SavedName.reading(written).get() == name)
    }

    @Test(arguments: ["a\u{0}b", "a\nb", "a\u{7F}", "a\u{1B}[31m", String(repeating: "é", count: 513)])
    func whatNoItemHasIsRefused(written: String) {
        #expect { try SavedName.reading(written).get() } throws: { code($0) == .invalidParams }
    }

    @Test func questionTakesACorrectionOnlyWhereItSaysSo() async throws {
        let desk = PromptDesk(pinentry: nil, logger: silent)
        for mayRename in [true, false] {
            let browser = FakeBrowser()
            var question = PromptDesk.Question(kind: .savePassword, requester: "Your browser", user: "rmondelo")
            question.mayRename = mayRename
            let asking = Task { [question] in try await desk.ask(question, over: browser.client) { _ in nil } }
            let prompt = await browser.prompt()
            #expect(await desk.show(prompt, on: 1)?.mayRename == (mayRename ? true : nil))
            if mayRename {
                await #expect(throws: WireError.self) {
                    try await desk.answer(.init(prompt: prompt, accept: true, user: "a\u{1}"), on: 1)
                }
                #expect(await desk.show(prompt, on: 1)?.message?.contains("control characters") == true)
            }
            try await desk.answer(.init(prompt: prompt, accept: true, user: " rmondello "), on: 1)
            #expect(try await asking.value.user == (mayRename ? "rmondello" : nil))
        }
    }
}
