// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct PromptDeskTests {
    private let desk = PromptDesk(pinentry: nil, logger: silent)
    private let question = PromptDesk.Question(
        kind: .authenticate, requester: "Your browser", site: "https://shiny.example.com", user: "rmondello",
        provider: "org.latchkey.passwords")

    @Sendable private func verify(_ passphrase: SecretBytes) throws -> UserAct.Authentication? {
        guard passphrase.text == "right" else { throw WireError(.wrongPassphrase, "Wrong passphrase.") }
        return .passphrase
    }

    private func ask(
        _ browser: FakeBrowser, _ kind: PromptDesk.Question.Kind = .authenticate, desk: PromptDesk? = nil
    ) -> Task<PromptDesk.Agreement, any Error> {
        var asked = question
        asked.kind = kind
        return Task { [asked, desk = desk ?? self.desk] in
            try await desk.ask(asked, over: browser.client) { try self.verify($0) }
        }
    }

    private func answer(_ prompt: String, accept: Bool = true, _ passphrase: String? = "right")
        -> Renderer.Answer.Params
    {
        .init(prompt: prompt, accept: accept, passphrase: passphrase.map { WireSecret(SecretBytes(utf8: $0)) })
    }

    @Test("S28: the window says who asks, for which site and account")
    func windowSaysWhoAsks() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser)
        let prompt = await browser.prompt()
        #expect(
            await desk.show(prompt, on: 1)
                == .init(
                    kind: "authenticate", requester: "Your browser", site: "https://shiny.example.com",
                    user: "rmondello",
                    provider: "org.latchkey.passwords"))
        try await desk.answer(answer(prompt), on: 1)
        _ = try await asking.value
        #expect(await browser.next(Browser.Dismiss.name)["prompt"] == .string(prompt))
        #expect(await desk.show(prompt, on: 1) == nil)
    }

    @Test func wrongPassphraseLeavesTheWindowOpenAndSaysSo() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser, .unlock)
        let prompt = await browser.prompt()
        await #expect { try await desk.answer(answer(prompt, "wrong"), on: 1) } throws: { code($0) == .wrongPassphrase }
        #expect(await desk.show(prompt, on: 1)?.message == "Wrong passphrase.")
        try await desk.answer(answer(prompt), on: 1)
        _ = try await asking.value
    }

    @Test func refusalIsTheUsersNo() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser)
        let prompt = await browser.prompt()
        try await desk.answer(answer(prompt, accept: false), on: 1)
        await #expect { try await asking.value } throws: { code($0) == .userCanceled }
    }

    @Test(
        "S3: agreeing without the passphrase is not enough where it is asked for",
        arguments: [
            PromptDesk.Question.Kind.unlock, .authenticate,
        ])
    func agreementWithoutThePassphraseIsNotEnough(kind: PromptDesk.Question.Kind) async throws {
        let browser = FakeBrowser()
        let asking = ask(browser, kind)
        let prompt = await browser.prompt()
        await #expect { try await desk.answer(answer(prompt, nil), on: 1) } throws: { code($0) == .invalidParams }
        #expect(await desk.show(prompt, on: 1) != nil)
        asking.cancel()
        await #expect(throws: (any Error).self) { try await asking.value }
    }

    @Test func confirmationNeedsNoPassphrase() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser, .confirm)
        try await desk.answer(answer(await browser.prompt(), nil), on: 1)
        _ = try await asking.value
    }

    @Test("S25: another connection neither sees nor answers the question")
    func otherConnectionHasNoPart() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser)
        let prompt = await browser.prompt()
        #expect(await desk.show(prompt, on: 2) == nil)
        await #expect { try await desk.answer(answer(prompt), on: 2) } throws: { code($0) == .expired }
        await desk.forget(2)
        try await desk.answer(answer(prompt), on: 1)
        _ = try await asking.value
    }

    @Test(arguments: ["", "x"])
    func inventedPromptsDoNotExist(name: String) async {
        #expect(await desk.show(name, on: 1) == nil)
        await #expect { try await desk.answer(answer(name), on: 1) } throws: { code($0) == .expired }
    }

    @Test func questionIsAnsweredOnce() async throws {
        let browser = FakeBrowser()
        let asking = ask(browser)
        let prompt = await browser.prompt()
        try await desk.answer(answer(prompt), on: 1)
        await #expect { try await desk.answer(answer(prompt), on: 1) } throws: { code($0) == .expired }
        _ = try await asking.value
    }

    @Test func browserThatIsGoneEndsTheQuestion() async {
        let browser = FakeBrowser()
        let asking = ask(browser)
        _ = await browser.prompt()
        await desk.forget(1)
        await #expect { try await asking.value } throws: { code($0) == .userCanceled }
    }

    @Test func browserThatShowsNothingEndsTheQuestion() async {
        let browser = FakeBrowser { _, _ in throw WireError(.internalError, "no window") }
        let asking = ask(browser)
        await #expect { try await asking.value } throws: { code($0) == .userCanceled }
    }

    @Test func questionThatNobodyAnswersEnds() async {
        let browser = FakeBrowser()
        let desk = PromptDesk(pinentry: nil, patience: .milliseconds(10), logger: silent)
        await #expect { try await ask(browser, desk: desk).value } throws: { code($0) == .timedOut }
        _ = await browser.next(Browser.Dismiss.name)
    }

    @Test func questionThatIsCancelledEnds() async {
        let browser = FakeBrowser()
        let asking = ask(browser)
        let prompt = await browser.prompt()
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(await desk.show(prompt, on: 1) == nil)
    }

    @Test("S28: where nobody can be asked, nothing is asked", arguments: [PeerRole.settings, .none("x")])
    func whereNobodyCanBeAskedNothingIsAsked(role: PeerRole) async {
        let browser = FakeBrowser(role: role)
        await #expect { try await ask(browser).value } throws: { code($0) == .authenticationRequired }
    }

    @Test func connectionThatHasEndedCannotBeAsked() async {
        let browser = FakeBrowser()
        browser.client.detach()
        await #expect { try await ask(browser).value } throws: { code($0) == .authenticationRequired }
    }

    @Test(
        "S18: a place is kept only where the question offers it and the user says so", arguments: [true, false],
        [true, false])
    func placeIsKeptOnlyWhereOffered(offered: Bool, said: Bool) async throws {
        let browser = FakeBrowser()
        var question = question
        question.kind = .foreign
        question.savedFor = "glossy.example.org"
        question.mayKeep = offered
        let asking = Task { [question] in try await desk.ask(question, over: browser.client) { try self.verify($0) } }
        let prompt = await browser.prompt()
        let shown = try #require(await desk.show(prompt, on: 1))
        #expect(shown.savedFor == "glossy.example.org" && shown.mayKeep == (offered ? true : nil))
        var params = answer(prompt)
        params.keep = said
        try await desk.answer(params, on: 1)
        #expect(try await asking.value.keeps == (offered && said))
    }

    // MARK: Notifications

    private static let notification = DesktopNotification(title: "Save password?", lines: ["x"], buttons: [])

    /// Answers each notification with what the test says, and notes those that were taken back.
    private final class FakeNotifications: NotificationShowing {
        let choices = AsyncStream<DesktopNotification.Choice?>.makeStream()
        let takenBack = AsyncStream<Void>.makeStream()

        func choice(for notification: DesktopNotification) async -> DesktopNotification.Choice? {
            for await choice in choices.stream { return choice }
            takenBack.continuation.yield()
            return nil
        }

        func haveButtons() async -> Bool { true }
        func takeBackAll() async {}
    }

    private func begin(
        _ kind: PromptDesk.Question.Kind, on browser: FakeBrowser, isExpected: Bool = false
    ) -> (FakeNotifications, PromptDesk, Task<PromptDesk.Agreement, any Error>) {
        let notifications = FakeNotifications()
        let desk = PromptDesk(pinentry: nil, notifications: notifications, logger: silent)
        var asked = question
        asked.kind = kind
        asked.isExpected = isExpected
        asked.notification = Self.notification
        let asking = Task { [asked] in try await desk.ask(asked, over: browser.client) { _ in nil } }
        return (notifications, desk, asking)
    }

    @Test func aButtonOfTheNotificationAnswersTheQuestion() async throws {
        let browser = FakeBrowser()
        for (choice, error) in [(DesktopNotification.Choice.agree, nil), (.refuse, WireError.Code.userCanceled)] {
            let (notifications, _, asking) = begin(.savePassword, on: browser)
            let prompt = await browser.prompt()
            notifications.choices.continuation.yield(choice)
            switch await asking.result {
            case .success(let agreement): #expect(error == nil && agreement == .init())
            case .failure(let thrown): #expect(code(thrown) == error)
            }
            #expect(await browser.next(Browser.Dismiss.name)["prompt"] == .string(prompt))
        }
        let (notifications, _, asking) = begin(.updatePassword, on: browser)
        _ = await browser.prompt()
        notifications.choices.continuation.yield(.never)
        await #expect(throws: PromptDesk.Never.self) { try await asking.value }
    }

    @Test func aPressOnTheNotificationItselfShowsTheQuestionAndAnswersNothing() async throws {
        let browser = FakeBrowser()
        let (notifications, desk, asking) = begin(.savePassword, on: browser)
        let prompt = await browser.prompt()
        notifications.choices.continuation.yield(.show)
        #expect(await browser.next(Browser.BringUp.name)["prompt"] == .string(prompt))
        try await desk.answer(.init(prompt: prompt, accept: true), on: 1)
        _ = try await asking.value
    }

    @Test func theNotificationIsTakenBackWithTheQuestion() async throws {
        let browser = FakeBrowser()
        let (notifications, desk, asking) = begin(.savePassword, on: browser)
        let prompt = await browser.prompt()
        try await desk.answer(.init(prompt: prompt, accept: true), on: 1)
        _ = try await asking.value
        for await _ in notifications.takenBack.stream { break }
    }

    @Test func aNotificationThatIsWavedAwayLeavesTheQuestion() async throws {
        let browser = FakeBrowser()
        let (notifications, desk, asking) = begin(.savePassword, on: browser)
        let prompt = await browser.prompt()
        notifications.choices.continuation.yield(nil)
        #expect(await desk.show(prompt, on: 1)?.isQuiet == true)
        try await desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { try await asking.value } throws: { code($0) == .userCanceled }
    }

    @Test(
        arguments: [
            (.savePassword, false, true), (.updatePassword, false, true), (.unlockToSave, false, true),
            (.savePassword, true, nil), (.confirm, false, nil), (.unlock, false, nil),
        ] as [(PromptDesk.Question.Kind, Bool, Bool?)])
    func onlyWhatNobodyHasAskedForIsQuiet(kind: PromptDesk.Question.Kind, isExpected: Bool, isQuiet: Bool?) async throws
    {
        let browser = FakeBrowser()
        let (_, desk, asking) = begin(kind, on: browser, isExpected: isExpected)
        let prompt = await browser.prompt()
        #expect(await desk.show(prompt, on: 1)?.isQuiet == isQuiet)
        asking.cancel()
        _ = await asking.result
    }
}
