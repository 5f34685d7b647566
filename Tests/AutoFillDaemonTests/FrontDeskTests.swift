// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Dispatch
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

/// What a page is answered by, and what that waits for.
@Suite(.timeLimit(.minutes(2))) struct FrontDeskTests {
    private let page = PageStatement(fields: [
        .init(ref: 0, type: "text", autocomplete: "username"),
        .init(ref: 1, type: "password", autocomplete: "current-password"),
    ])

    private func params(document: String = "D1", fields: PageStatement? = nil) -> Page.Focused.Params {
        let chain = [ChainLink(origin: "https://shiny.example.com", document: document)]
        return .init(
            frame: FrameEvidence(tab: 3, frame: 0, document: document, chain: chain), page: fields ?? page, focused: 0)
    }

    private func desk(_ facts: FrontDesk.Facts) -> FrontDesk {
        let desk = FrontDesk()
        desk.facts = facts
        return desk
    }

    private let all = FrontDesk.Facts(autoFill: true, offersAnything: true, isInitialized: true)

    @Test("S53: a page is answered while the broker is held up by a look-up, and by what comes before and after it")
    func answerWaitsForNoLookup() async throws {
        let daemon = try await FakeInstallation()
        try await daemon.begin()
        let browser = FakeBrowser()
        let (begun, isReleased) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // The broker is in the middle of something, on a thread of its own.
        let held = Task { await daemon.broker.hold(begun, until: isReleased) }
        try await blocking { begun.wait() }
        let asked = try JSONValue(encoding: params())
        for _ in 0..<100 {
            let answer = try await Routes.browser.answer(
                Page.Focused.name, asked, daemon: daemon.capabilities, client: browser.client)
            #expect(answer["bar"] == true && answer["session"]?.string?.count == 22)
        }
        isReleased.signal()
        await held.value
        // What was begun meanwhile is there when it is asked for.
        let session = try #require(
            await daemon.capabilities.pages.sessions.focused(params(), on: browser.client).session)
        let rows = try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
            .suggestions
        #expect(rows.map(\.user) == ["rmondello"])
    }

    @Test("S53: the answer has one shape and one size, whatever is saved and locked or not")
    func answerIsTheSame() async throws {
        var answers: Set<Int> = []
        for users in [1, 20, 100] {
            let daemon = try await FakeInstallation()
            let identities = (0..<users).map { number in
                CredentialIdentity(
                    type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "user \(number)",
                    recordIdentifier: "r\(number)")
            }
            try await daemon.begin(identities)
            for isLocked in [false, true] {
                if isLocked { await daemon.broker.lock(reason: "a test") }
                let answer = try await Routes.browser.answer(
                    Page.Focused.name, JSONValue(encoding: params()), daemon: daemon.capabilities,
                    client: FakeBrowser().client)
                answers.insert(try Message.response(id: .integer(1), .success(answer)).encoded().count)
            }
        }
        #expect(answers.count == 1)
    }

    @Test func factsAreFollowed() async throws {
        let daemon = try await FakeInstallation()
        #expect(await daemon.broker.front.facts == .init(autoFill: true, offersAnything: false, isInitialized: false))
        try await daemon.begin()
        #expect(await daemon.broker.front.facts == all)
        _ = try await daemon.broker.setPreferences(.init(autoFill: false))
        #expect(await !daemon.broker.front.facts.autoFill)
        _ = try await daemon.capabilities.shared.stores.handleStore(
            Provider.RemoveAllIdentities.name, JSONValue.object([:]), of: .builtIn)
        #expect(await !daemon.broker.front.facts.offersAnything)
    }

    @Test func withoutAnyOfThemThereIsNoBarAndNoSession() {
        for facts in [
            FrontDesk.Facts(offersAnything: true, isInitialized: true),
            .init(autoFill: true, isInitialized: true), .init(autoFill: true, offersAnything: true),
        ] {
            let desk = desk(facts)
            let answer = desk.answer(params(), connection: 1, at: start)
            #expect(!answer.bar && answer.session == nil && answer.fields.isEmpty && desk.takeArrived().isEmpty)
        }
    }

    @Test func newPasswordsAndCodesNeedNothingThatIsSaved() {
        let desk = desk(.init(autoFill: true, isInitialized: true))
        for word in ["new-password", "one-time-code"] {
            let type = word == "new-password" ? "password" : "text"
            let page = PageStatement(fields: [.init(ref: 0, type: type, autocomplete: word)])
            #expect(desk.answer(params(fields: page), connection: 1, at: start).bar)
        }
    }

    @Test func newestSessionOfADocumentIsTheOnlyOne() throws {
        let desk = desk(all)
        var book = SuggestionBook(front: desk)
        let names = try (0..<3).map { _ in
            try #require(desk.answer(params(), connection: 1, at: start).session)
        }
        let other = try #require(desk.answer(params(document: "D2"), connection: 1, at: start).session)
        #expect(names.map { book.session($0, of: 1, at: start) != nil } == [false, false, true])
        #expect(book.session(other, of: 1, at: start) != nil && book.session(other, of: 2, at: start) == nil)
        // What ends sessions ends those that have just begun, too.
        let last = try #require(desk.answer(params(), connection: 1, at: start).session)
        book.endAll()
        #expect(book.session(last, of: 1, at: start) == nil)
    }

    @Test func sessionsThatNobodyTakesAreFew() {
        let desk = desk(all)
        for number in 0..<2_000 { _ = desk.answer(params(document: "D\(number)"), connection: 1, at: start) }
        let arrived = desk.takeArrived()
        #expect(arrived.count == FrontDesk.limit && arrived.last?.session.document == "D1999")
        #expect(desk.takeArrived().isEmpty)
    }
}

extension Broker {
    /// Stays on this actor, as a look-up does, until it is let go.
    fileprivate func hold(_ begun: DispatchSemaphore, until isReleased: DispatchSemaphore) {
        begun.signal()
        isReleased.wait()
    }
}
