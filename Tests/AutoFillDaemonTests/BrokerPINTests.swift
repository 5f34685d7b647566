// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillAsking
import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import Synchronization
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// The PIN of a session, at a whole broker.
@Suite(.timeLimit(.minutes(2))) struct BrokerPINTests {
    private let right = SecretBytes(utf8: "271828")
    private let wrong = SecretBytes(utf8: "271829")

    private func withPIN(_ daemon: FakeInstallation? = nil) async throws -> FakeInstallation {
        let daemon = if let daemon { daemon } else { try await FakeInstallation() }
        try await daemon.begin()
        try await daemon.broker.setPIN(right)
        return daemon
    }

    private func refusal(_ daemon: FakeInstallation, _ typed: SecretBytes) async -> WireError? {
        do {
            try await daemon.broker.unlock(passphrase: typed)
            return nil
        } catch {
            return error as? WireError
        }
    }

    @Test func unlocksAfterALock() async throws {
        let daemon = try await withPIN()
        for typed in [right, daemon.passphrase, right] {
            await daemon.broker.lock(reason: "test")
            #expect(await daemon.broker.hasPIN)
            try await daemon.broker.unlock(passphrase: typed)
            #expect(await daemon.broker.isUnlocked)
        }
    }

    @Test func threeWrongTriesTakeItAway() async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        let start = "That is neither the PIN nor the passphrase. The PIN has "
        #expect(await refusal(daemon, wrong)?.message == start + "2 more tries.")
        #expect(await refusal(daemon, wrong)?.message == start + "one more try.")
        // A right one begins anew.
        try await daemon.broker.unlock(passphrase: right)
        await daemon.broker.lock(reason: "test")
        for left in ["2 more tries.", "one more try."] {
            #expect(await refusal(daemon, wrong)?.message == start + left)
        }
        #expect(await refusal(daemon, wrong)?.message == "That is not the passphrase, and the PIN is gone.")
        #expect(await !daemon.broker.hasPIN)
        daemon.pass(.seconds(600))
        #expect(await refusal(daemon, right)?.message == "Wrong passphrase.")
        daemon.pass(.seconds(600))
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
    }

    @Test func rightOneAfterThreeWrongOnesAtOnceIsTooLate() async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        let opened = await withTaskGroup(of: Bool.self) { group in
            for typed in [wrong, wrong, wrong, right] {
                group.addTask { await daemon.broker.opensPIN(typed) }
                // Each has begun before the next does.
                await Task.yield()
            }
            return await group.contains(true)
        }
        // The fourth may have come first; then it opened, and the others count.
        if !opened { #expect(await !daemon.broker.hasPIN) }
        for _ in 0..<3 { _ = await daemon.broker.opensPIN(wrong) }
        #expect(await !daemon.broker.opensPIN(right))
    }

    @Test func whatIsNoPINCountsAsNoTry() async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        for text in ["wrong", "27182", "271828 ", "27182８"] {
            daemon.pass(.seconds(600))
            #expect(await refusal(daemon, SecretBytes(utf8: text))?.message == "Wrong passphrase.")
        }
        try await daemon.broker.unlock(passphrase: right)
    }

    @Test("S36: it is not the passphrase, after an unlock by it neither")
    func isNotThePassphrase() async throws {
        let daemon = try await withPIN()
        let broker = daemon.broker
        await broker.lock(reason: "test")
        try await broker.unlock(passphrase: right)
        #expect(await broker.standingAuthentication(isFill: false) == .recentPIN)
        await #expect { try await broker.authenticate(passphrase: right) } throws: { code($0) == .wrongPassphrase }
        await #expect { try await broker.authenticate(passphrase: right, for: nil, on: 1) } throws: {
            code($0) == .wrongPassphrase
        }
        daemon.pass(.seconds(600))
        await #expect {
            try await daemon.keyrings.changePassphrase(from: right, to: wrong)
        } throws: {
            code($0) == .wrongPassphrase
        }
        #expect(await broker.hasPIN)
        let spent = await broker.spendFreshAuthentication()
        #expect(spent == nil)
        daemon.pass(.seconds(600))
        try await broker.authenticate(passphrase: daemon.passphrase)
        #expect(await broker.standingAuthentication(isFill: false) == .recent)
    }

    /// Asks for a password as `latchkey show` does, on the connection of this test.
    private func reveal(_ daemon: FakeInstallation) async throws {
        _ = try await daemon.capabilities.settings.items.reveal(.init(id: "r1"), program: "/usr/bin/latchkey")
    }

    private func give(_ daemon: FakeInstallation, _ typed: SecretBytes) async throws {
        try await daemon.broker.authenticate(
            passphrase: typed, takesPIN: true, for: nil, on: WireRequest.current.client)
    }

    @Test func answersWhatIsAskedBecauseTimeHasPassed() async throws {
        let daemon = try await withPIN()
        daemon.pass(.seconds(301))
        await #expect { try await reveal(daemon) } throws: {
            code($0) == .authenticationRequired && ($0 as? WireError)?.takesPIN == true
        }
        try await give(daemon, right)
        try await reveal(daemon)
        #expect(await daemon.broker.standingAuthentication(isFill: false) == .recentPIN)
        // Three wrong ones take it away here, too.
        for _ in 0..<3 { await #expect(throws: WireError.self) { try await give(daemon, wrong) } }
        #expect(await !daemon.broker.hasPIN)
        daemon.pass(.seconds(301))
        await #expect { try await reveal(daemon) } throws: {
            code($0) == .authenticationRequired && ($0 as? WireError)?.takesPIN == false
        }
    }

    @Test("S36: it answers one request where each is asked about, and none that insists on the passphrase")
    func answersOneRequest() async throws {
        let daemon = try await withPIN()
        _ = try await daemon.broker.setPreferences(.init(authentication: "always"))
        try await give(daemon, right)
        try await reveal(daemon)
        await #expect { try await reveal(daemon) } throws: { code($0) == .authenticationRequired }
        try await give(daemon, right)
        await #expect { try await daemon.broker.requireFresh("a protection") } throws: {
            code($0) == .authenticationRequired && ($0 as? WireError)?.takesPIN == false
        }
    }

    @Test("S36: one that was given counts no more once the PIN is taken away")
    func countsNoMoreWithoutThePIN() async throws {
        let daemon = try await withPIN()
        _ = try await daemon.broker.setPreferences(.init(authentication: "always"))
        try await give(daemon, right)
        await daemon.broker.forgetPIN()
        await #expect { try await reveal(daemon) } throws: { code($0) == .authenticationRequired }
    }

    @Test("S28: who knows the PIN alone guesses at the passphrase no faster", arguments: [true, false])
    func rightOneForgivesNoWrongPassphrase(isLocked: Bool) async throws {
        let daemon = try await withPIN()
        if isLocked { await daemon.broker.lock(reason: "test") }
        for guess in ["a guess", "another"] {
            #expect(await refusal(daemon, SecretBytes(utf8: guess))?.code == .wrongPassphrase)
        }
        // Mistyped, it is a wrong passphrase, too; the right one takes that back, and no more.
        #expect(await refusal(daemon, wrong)?.code == .wrongPassphrase)
        if isLocked { try await daemon.broker.unlock(passphrase: right) } else { try await give(daemon, right) }
        #expect(await refusal(daemon, SecretBytes(utf8: "a third"))?.code == .wrongPassphrase)
        #expect(await refusal(daemon, SecretBytes(utf8: "a fourth"))?.code == .tooManyAttempts)
    }

    @Test("S26: it proves nothing while locked, nor where it was locked while it was looked at")
    func provesNothingAfterALock() async throws {
        let daemon = try await withPIN()
        await daemon.broker.whileUnlocking { await daemon.broker.lock(reason: "the lid was closed") }
        await #expect { try await give(daemon, right) } throws: { code($0) == .locked }
        await #expect { try await give(daemon, right) } throws: { code($0) == .wrongPassphrase }
        #expect(await daemon.broker.spendFreshAuthentication() == nil)
    }

    @Test("S36: it answers routine questions alone", arguments: [true, false])
    func answersRoutineQuestions(isRoutine: Bool) async throws {
        let daemon = try await withPIN()
        let browser = FakeBrowser()
        let questions = await daemon.capabilities.shared.questions
        for kind in [.authenticate, .passwords, .foreign, .preferences] as [PromptDesk.Question.Kind] {
            var question = PromptDesk.Question(kind: kind, requester: "a browser")
            question.isRoutine = isRoutine
            let isTaken = isRoutine && question.takesQuickAnswers
            let asking = Task { [question] in
                try await questions.askUser(question, as: "a page", over: browser.client)
            }
            let asked = await browser.prompt()
            #expect(await questions.desk.show(asked, on: 1)?.takesPIN == (isTaken ? true : nil))
            let answer = Renderer.Answer.Params(prompt: asked, accept: true, passphrase: WireSecret(right))
            if isTaken {
                try await questions.desk.answer(answer, on: 1)
                #expect(try await asking.value.means == .pin)
            } else {
                daemon.pass(.seconds(600))
                await #expect { try await questions.desk.answer(answer, on: 1) } throws: {
                    code($0) == .wrongPassphrase
                }
                try await questions.desk.answer(
                    .init(prompt: asked, accept: true, passphrase: WireSecret(daemon.passphrase)), on: 1)
                #expect(try await asking.value.means == .passphrase)
            }
        }
    }

    @Test func endsWithTheOldPassphrase() async throws {
        let daemon = try await withPIN()
        try await daemon.keyrings.changePassphrase(from: daemon.passphrase, to: SecretBytes(utf8: "another passphrase"))
        #expect(await !daemon.broker.hasPIN)
    }

    @Test func endsWithARestore() async throws {
        let daemon = try await withPIN()
        let backups = await daemon.capabilities.settings.backups
        let path = daemon.folder.path + "/backup"
        _ = try await backups.writeBackup(to: path)
        _ = try await backups.restoreBackup(
            .init(path: path, passphrase: WireSecret(daemon.passphrase), replace: true))
        #expect(await !daemon.broker.hasPIN)
    }

    @Test("S26: an unlock by the PIN that was begun before a lock does not end after it")
    func lockWhileItIsLookedAtStays() async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        await daemon.broker.whileUnlocking { await daemon.broker.lock(reason: "the lid was closed") }
        #expect(await refusal(daemon, right)?.code == .locked)
        #expect(await !daemon.broker.isUnlocked)
    }

    @Test("S26: one that is being set is not there after a lock, nor after it was taken away")
    func endOfOneThatIsBeingSetStays() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let broker = daemon.broker
        await broker.whileSettingPIN { broker.forgetPIN() }
        await #expect { try await broker.setPIN(right) } throws: { code($0) == .locked }
        #expect(await !broker.hasPIN)
        await broker.whileSettingPIN { await broker.lock(reason: "the lid was closed") }
        await #expect { try await broker.setPIN(right) } throws: { code($0) == .locked }
        #expect(await !broker.hasPIN)
    }

    @Test func endsWithTheLoginsInWhichItWasSet() async throws {
        let logins = Logins(["c1", "c2"])
        let daemon = try await withPIN(FakeInstallation(logins: { logins.now }))
        await daemon.broker.lock(reason: "test")
        logins.now = ["c2", "c3"]
        await daemon.broker.sessionEvent(.sessionEnded)
        try await daemon.broker.unlock(passphrase: right)
        await daemon.broker.lock(reason: "test")
        // A later login is another one. That it is told of the end does not matter: each try looks.
        logins.now = ["c3"]
        #expect(await refusal(daemon, right)?.code == .wrongPassphrase)
        #expect(await !daemon.broker.hasPIN)
    }

    @Test(arguments: [["c3"], nil] as [Set<String>?])
    func isForgottenWhenALoginEnds(now: Set<String>?) async throws {
        let logins = Logins(["c1"])
        let daemon = try await withPIN(FakeInstallation(logins: { logins.now }))
        logins.now = now
        await daemon.broker.sessionEvent(.sessionEnded)
        #expect(await !daemon.broker.hasPIN)
    }

    @Test func asksForItWhereItIsSet() async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        let browser = FakeBrowser()
        let questions = await daemon.capabilities.shared.questions
        let unlocking = Task { try await questions.unlockByPrompt(over: browser.client) }
        let asked = await browser.prompt()
        #expect(await questions.desk.show(asked, on: 1)?.takesPIN == true)
        try await questions.desk.answer(
            .init(prompt: asked, accept: true, passphrase: WireSecret(right)), on: browser.client.number)
        try await unlocking.value
        #expect(await daemon.broker.isUnlocked)
    }

    @Test(arguments: ["forgotten", "three wrong tries"])
    func anOpenQuestionNoLongerAsksForOneThatIsGone(how: String) async throws {
        let daemon = try await withPIN()
        await daemon.broker.lock(reason: "test")
        let browser = FakeBrowser()
        let questions = await daemon.capabilities.shared.questions
        let unlocking = Task { try await questions.unlockByPrompt(over: browser.client) }
        let asked = await browser.prompt()
        #expect(await questions.desk.show(asked, on: 1)?.takesPIN == true)
        if how == "forgotten" {
            await daemon.broker.forgetPIN()
        } else {
            for _ in 0..<3 { _ = await daemon.broker.opensPIN(wrong) }
        }
        #expect(await browser.next(Browser.Update.name)["prompt"] == .string(asked))
        #expect(await questions.desk.show(asked, on: 1)?.takesPIN == nil)
        try await questions.desk.answer(
            .init(prompt: asked, accept: true, passphrase: WireSecret(daemon.passphrase)), on: browser.client.number)
        try await unlocking.value
        #expect(await daemon.broker.isUnlocked)
    }
}

/// What logind would state.
private final class Logins: Sendable {
    private let value: Mutex<Set<String>?>

    init(_ initial: Set<String>?) { value = Mutex(initial) }

    var now: Set<String>? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

extension Broker {
    fileprivate func setPIN(_ typed: SecretBytes) async throws {
        try await pin.set(typed, in: unlockedSession())
    }

    fileprivate func forgetPIN() {
        pin.forget()
    }

    fileprivate func opensPIN(_ typed: SecretBytes) async -> Bool {
        await pin.deviceKey(typed: typed, generation: keyringFile.keyring?.generation) != nil
    }

    fileprivate func whileUnlocking(_ act: @escaping @DaemonActor () async -> Void) {
        whenDerived = act
    }

    fileprivate func whileSettingPIN(_ act: @escaping @DaemonActor () async -> Void) {
        pin.whenDerived = act
    }
}
