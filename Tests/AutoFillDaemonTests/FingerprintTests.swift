// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Synchronization
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// A fingerprint in place of the passphrase. `Tests/Processes/test_fingerprint.py` has a stand-in for fprintd.
@Suite(.timeLimit(.minutes(2))) struct FingerprintTests {
    private let reader = FakeReader()

    private func daemon(_ preference: Bool = true) async throws -> FakeInstallation {
        let daemon = try await FakeInstallation(fingerprints: reader)
        try await daemon.begin()
        _ = try await daemon.broker.setPreferences(.init(fingerprint: preference))
        return daemon
    }

    private func question(_ kind: PromptDesk.Question.Kind = .authenticate) -> PromptDesk.Question {
        var question = PromptDesk.Question(
            kind: kind, requester: "a browser", site: "https://shiny.example.com", user: "anna")
        question.isRoutine = true
        return question
    }

    /// Asks a question, and returns its name and its answer.
    private func ask(
        _ daemon: FakeInstallation, _ browser: FakeBrowser, _ kind: PromptDesk.Question.Kind = .authenticate,
        as requester: String = "a page"
    ) async -> (String, Task<PromptDesk.Agreement, any Error>) {
        let questions = await daemon.capabilities.shared.questions
        let question = question(kind)
        let answer = Task { try await questions.askUser(question, as: requester, over: browser.client) }
        return (await browser.prompt(), answer)
    }

    @Test("S36: a finger answers one question, and counts as no authentication for another")
    func aFingerAnswersOneQuestion() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        _ = try await daemon.broker.setPreferences(.init(authenticationMinutes: 1, fills: "after"))
        daemon.pass(.seconds(90))
        let (prompt, answer) = await ask(daemon, browser)
        #expect(await desk.show(prompt, on: 1)?.takesFingerprint == true)
        reader.give(.matched)
        #expect(try await desk.fingerprint(prompt, on: 1).outcome == "matched")
        #expect(try await answer.value.means == .fingerprint)
        // The passphrase is older than a minute, and the finger did not renew it.
        #expect(await daemon.broker.requirement(of: UserChoice(surface: .popup, isFill: true)) == .authentication)
    }

    @Test func threeOthersTakeThePassphraseAndThatBeginsAnew() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser)
        for expected in ["again", "again", "passphrase"] {
            reader.give(.notMatched)
            #expect(try await desk.fingerprint(prompt, on: 1).outcome == expected)
        }
        #expect(await desk.show(prompt, on: 1)?.takesFingerprint == nil)
        reader.give(.matched)
        await #expect { try await desk.fingerprint(prompt, on: 1) } throws: { code($0) == .refused }
        try await desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        #expect(try await answer.value.means == .passphrase)
        let (next, later) = await ask(daemon, browser)
        #expect(await desk.show(next, on: 1)?.takesFingerprint == true)
        try await desk.answer(.init(prompt: next, accept: false), on: 1)
        _ = await later.result
    }

    @Test("S28: a finger that comes while one question has the reader answers no other one")
    func onlyOneQuestionHasTheReader() async throws {
        let daemon = try await daemon()
        let (browser, other) = (FakeBrowser(), FakeBrowser(number: 2))
        let desk = await daemon.capabilities.shared.questions.desk
        let (first, answer) = await ask(daemon, browser)
        let (second, otherAnswer) = await ask(daemon, other, as: "another page")
        let reading = Task { try await desk.fingerprint(first, on: 1).outcome }
        await reader.waitUntilAsked()
        await #expect { try await desk.fingerprint(second, on: 2) } throws: { code($0) == .busy }
        reader.give(.matched)
        #expect(try await reading.value == "matched")
        #expect(try await answer.value.means == .fingerprint)
        #expect(await desk.show(second, on: 2) != nil)
        try await desk.answer(.init(prompt: second, accept: false), on: 2)
        _ = await otherAnswer.result
    }

    @Test("S28: the finger of a question that has ended answers nothing")
    func aFingerAfterTheEndAnswersNothing() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser)
        reader.ignoresCancelling = true
        let reading = Task { try await desk.fingerprint(prompt, on: 1) }
        await reader.waitUntilAsked()
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        reader.give(.matched)
        await #expect { try await reading.value } throws: { code($0) == .expired }
        await #expect { try await answer.value } throws: { code($0) == .userCanceled }
    }

    @Test("S28: fingers that were not recognised count, though their question was closed at once")
    func missesOfClosedQuestionsCount() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        reader.ignoresCancelling = true
        for number in 0..<3 {
            let (prompt, answer) = await ask(daemon, browser, as: "page \(number)")
            let reading = Task { try await desk.fingerprint(prompt, on: 1) }
            await reader.waitUntilAsked()
            try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
            reader.give(.notMatched)
            _ = await reading.result
            _ = await answer.result
        }
        let (prompt, answer) = await ask(daemon, browser, as: "another page")
        #expect(await desk.show(prompt, on: 1)?.takesFingerprint == nil)
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        _ = await answer.result
    }

    @Test("S28: a finger that comes as the window is left fills nothing")
    func aFingerOfAWindowThatIsLeftCountsNot() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        reader.ignoresCancelling = true
        let (prompt, answer) = await ask(daemon, browser)
        let reading = Task { try await desk.fingerprint(prompt, on: 1).outcome }
        await reader.waitUntilAsked()
        await desk.stopFingerprint(prompt, on: 1)
        reader.give(.matched)
        #expect(try await reading.value == "stopped")
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { try await answer.value } throws: { code($0) == .userCanceled }
    }

    @Test func theReaderStopsWithTheQuestionAndWithItsWindow() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser)
        let reading = Task { try await desk.fingerprint(prompt, on: 1).outcome }
        await reader.waitUntilAsked()
        await desk.stopFingerprint(prompt, on: 2)
        #expect(!reader.wasStopped, "another browser has no say")
        await desk.stopFingerprint(prompt, on: 1)
        #expect(try await reading.value == "stopped")
        let again = Task { try await desk.fingerprint(prompt, on: 1).outcome }
        await reader.waitUntilAsked()
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        _ = await again.result
        _ = await answer.result
        #expect(reader.wasStopped)
    }

    @Test func whereThereIsNoReaderThePassphraseIsLeft() async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser)
        reader.give(.unavailable)
        #expect(try await desk.fingerprint(prompt, on: 1).outcome == "unavailable")
        try await desk.answer(
            .init(prompt: prompt, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
        _ = try await answer.value
    }

    @Test(
        "S36: what weakens something, unlocks, or uses a password elsewhere takes no finger",
        arguments: [.unlock, .enable, .preferences, .foreign, .upgrade] as [PromptDesk.Question.Kind])
    func otherQuestionsTakeNone(kind: PromptDesk.Question.Kind) async throws {
        let daemon = try await daemon()
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser, kind)
        #expect(await desk.show(prompt, on: 1)?.takesFingerprint == nil)
        reader.give(.matched)
        await #expect { try await desk.fingerprint(prompt, on: 1) } throws: { code($0) == .refused }
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        _ = await answer.result
    }

    @Test func noneIsTakenUnlessTheUserWantsIt() async throws {
        let daemon = try await daemon(false)
        let browser = FakeBrowser()
        let desk = await daemon.capabilities.shared.questions.desk
        let (prompt, answer) = await ask(daemon, browser)
        await #expect { try await desk.fingerprint(prompt, on: 1) } throws: { code($0) == .refused }
        await #expect { try await desk.fingerprint(prompt, on: 2) } throws: { code($0) == .expired }
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        _ = await answer.result
    }
}

/// A reader to which the test gives fingers.
final class FakeReader: FingerprintReading {
    private struct State {
        var outcomes: [FingerprintOutcome] = []
        var waiting: CheckedContinuation<FingerprintOutcome, Never>?
        var asked: CheckedContinuation<Void, Never>?
        var wasStopped = false
        var ignoresCancelling = false
    }

    private let state = Mutex(State())

    var wasStopped: Bool { state.withLock { $0.wasStopped } }
    var ignoresCancelling: Bool {
        get { state.withLock { $0.ignoresCancelling } }
        set { state.withLock { $0.ignoresCancelling = newValue } }
    }

    func give(_ outcome: FingerprintOutcome) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.outcomes.append(outcome) }
            return state.waiting
        }
        waiting?.resume(returning: outcome)
    }

    func verify() async -> FingerprintOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (outcome, asked): (FingerprintOutcome?, CheckedContinuation<Void, Never>?) = state.withLock {
                    state in
                    state.wasStopped = false
                    defer { state.asked = nil }
                    guard state.outcomes.isEmpty else { return (state.outcomes.removeFirst(), state.asked) }
                    state.waiting = continuation
                    return (nil, state.asked)
                }
                asked?.resume()
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            guard !ignoresCancelling else { return }
            state.withLock { $0.wasStopped = true }
            give(.stopped)
        }
    }

    /// Returns when the reader waits for a finger.
    func waitUntilAsked() async {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                if state.waiting == nil { state.asked = continuation }
                return state.waiting != nil
            }
            if isWaiting { continuation.resume() }
        }
    }
}
