// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// Questions belong to the session in which they are asked.
@Suite(.timeLimit(.minutes(2))) struct QuestionsAtLockTests {
    private let daemon: FakeInstallation
    private let browser = FakeBrowser()
    private let questions: UserQuestions

    init() async throws {
        daemon = try await FakeInstallation()
        questions = await daemon.capabilities.shared.questions
        try await daemon.begin()
    }

    @Test(
        "S68: a lock ends every question, which names a site and a user",
        arguments: [
            PromptDesk.Question.Kind.unlock, .authenticate, .confirm, .enable, .upgrade, .passwords, .preferences,
            .save, .foreign, .generated, .savePassword, .updatePassword, .unlockToSave,
        ])
    func endsWithTheLock(kind: PromptDesk.Question.Kind) async throws {
        let question = PromptDesk.Question(
            kind: kind, requester: "Your browser", site: "shiny.example.com", user: "anna")
        let asked = Task { try await questions.ask(question, as: "a test", over: browser.client) { _ in nil } }
        let prompt = await browser.prompt()
        #expect(await questions.desk.show(prompt, on: 1)?.user?.text == "anna")
        await daemon.broker.lock(reason: "a test")
        // By the end of the lock, not some time after it.
        #expect(await questions.desk.show(prompt, on: 1) == nil)
        await #expect {
            try await questions.desk.answer(
                .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        } throws: { code($0) == .expired }
        await #expect { try await asked.value } throws: { code($0) == .locked }
        #expect(await browser.next(Browser.Dismiss.name)["prompt"] == .string(prompt))
    }

    @Test("S28: a question that a lock has ended is not a no, and may be asked again at once")
    func isNotARefusal() async throws {
        func ask() -> Task<PromptDesk.Agreement, any Error> {
            Task {
                try await questions.ask(.init(kind: .confirm, requester: "x"), as: "a test", over: browser.client) {
                    _ in nil
                }
            }
        }
        let first = ask()
        _ = await browser.prompt()
        await daemon.broker.lock(reason: "a test")
        await #expect { try await first.value } throws: { code($0) == .locked }
        let second = ask()
        // A lock while it is locked ends what is asked then as well.
        let prompt = await browser.prompt()
        try await questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        _ = try await second.value
    }
}
