// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillSecrets
import Foundation
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

/// A suggestion's life, with a fake provider and a browser that is the test.
@Suite(.timeLimit(.minutes(2))) struct BrokerTests {
    private let daemon: FakeInstallation

    init() async throws {
        daemon = try await FakeInstallation()
    }

    /// A browser that states this chain whenever it is asked.
    private func browser(_ chain: [ChainLink] = [.init(origin: "https://shiny.example.com", document: "D1")])
        -> FakeBrowser
    {
        FakeBrowser { method, _ in
            guard method == Browser.Evidence.name else { return .object([:]) }
            return try JSONValue(encoding: Browser.Evidence.Answer(chain: chain))
        }
    }

    /// Focuses the sign-in form of a page and returns the answer.
    private func focus(
        _ browser: FakeBrowser, _ origins: [String] = ["https://shiny.example.com"], document: String = "D1"
    ) async -> Page.Focused.Answer {
        let chain = origins.enumerated().map { ChainLink(origin: $0.element, document: "D\($0.offset + 1)") }
        let page = PageStatement(fields: [
            .init(ref: 0, type: "text", autocomplete: "username"),
            .init(ref: 1, type: "password", autocomplete: "current-password"),
        ])
        let frame = FrameEvidence(tab: 3, frame: 0, document: document, chain: chain)
        return await daemon.capabilities.pages.sessions.focused(
            .init(frame: frame, page: page, focused: 0), on: browser.client)
    }

    /// The handle of the one suggestion for the shiny page.
    private func handle(_ browser: FakeBrowser) async throws -> String {
        let session = try #require(await focus(browser).session)
        let answer = try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
        #expect(answer.suggestions.map(\.user) == ["rmondello"])
        return try #require(answer.suggestions.first?.handle)
    }

    private func choose(
        _ handle: String, in browser: FakeBrowser, from surface: String = "popup", guard held: Bool = true
    ) async throws -> Renderer.Choose.Answer {
        try await daemon.capabilities.pages.filling.choose(
            .init(handle: handle, surface: surface, guard: .init(held: held)), on: browser.client)
    }

    private func agree(_ browser: FakeBrowser, passphrase: String? = nil) async throws {
        let prompt = await browser.prompt()
        try await daemon.capabilities.shared.questions.desk.answer(
            .init(prompt: prompt, accept: true, passphrase: passphrase.map { WireSecret(SecretBytes(utf8: $0)) }), on: 1
        )
    }

    private func events() async throws -> [String] {
        try await daemon.capabilities.shared.auditTrail.auditLines(.init()).lines.map(\.event)
    }

    /// What was typed as the user name stays.
    @Test func accountWithoutAUserNameFillsThePasswordAlone() async throws {
        try await daemon.begin([
            CredentialIdentity(
                type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "",
                recordIdentifier: "r1")
        ])
        let browser = browser()
        let session = try #require(await focus(browser).session)
        let rows = try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
        let handle = try #require(rows.suggestions.first?.handle)
        #expect(try await choose(handle, in: browser).fills.map(\.role) == ["current-password"])
    }

    @Test func chosenSuggestionFillsBothFields() async throws {
        try await daemon.begin()
        let browser = browser()
        let answer = try await choose(handle(browser), in: browser)
        #expect(answer.document == "D1")
        #expect(answer.fills.map(\.role) == ["username", "current-password"])
        #expect(answer.fills.map(\.value.bytes.text) == ["rmondello", "canary"])
        #expect(try await events() == ["released"])
    }

    @Test func handleIsChosenOnce() async throws {
        try await daemon.begin()
        let browser = browser()
        let handle = try await handle(browser)
        _ = try await choose(handle, in: browser)
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .expired }
    }

    @Test("S25: a handle of another browser's is worth nothing")
    func handleOfAnotherBrowserIsWorthNothing() async throws {
        try await daemon.begin()
        let (first, second) = (browser(), FakeBrowser(number: 2))
        let handle = try await handle(first)
        await #expect { try await choose(handle, in: second) } throws: { code($0) == .expired }
    }

    @Test("S71: a tap on the very page it was saved for needs no question, the first time as any other")
    func tapAtItsOwnPlaceNeedsNoQuestion() async throws {
        try await daemon.begin()
        let browser = browser()
        #expect(try await choose(self.handle(browser), in: browser, from: "bar").fills.count == 2)
        #expect(try await choose(self.handle(browser), in: browser, from: "bar").fills.count == 2)
    }

    @Test("S1, S2: a tap on a bar whose guard did not hold is confirmed every time")
    func tapWithoutAGuardIsConfirmed() async throws {
        try await daemon.begin()
        let browser = browser()
        _ = try await choose(handle(browser), in: browser)
        let handle = try await handle(browser)
        async let chosen = choose(handle, in: browser, from: "bar", guard: false)
        try await agree(browser)
        #expect(try await chosen.fills.count == 2)
    }

    @Test func surfacesThatABrowserHasNotAreRefused() async throws {
        try await daemon.begin()
        let browser = browser()
        for surface in ["terminal", "", "page"] {
            let handle = try await handle(browser)
            await #expect { try await choose(handle, in: browser, from: surface) } throws: {
                code($0) == .invalidParams
            }
        }
    }

    @Test(
        "S5: what the browser states when it is asked again decides",
        arguments: [
            [], [ChainLink(origin: "https://evil.com", document: "D1")],
            [ChainLink(origin: "https://shiny.example.com", document: "D2")],
            [ChainLink(origin: "http://shiny.example.com", document: "D1")],
            [ChainLink(origin: "null", document: "D1")],
            [
                ChainLink(origin: "https://shiny.example.com", document: "D1"),
                ChainLink(origin: "https://evil.com", document: "D2"),
            ],
        ])
    func otherEvidenceFillsNothing(chain: [ChainLink]) async throws {
        try await daemon.begin()
        let browser = browser(chain)
        let handle = try await handle(browser)
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .refused }
        #expect(try await events() == ["refused"])
    }

    @Test func browserThatStatesNothingFillsNothing() async throws {
        try await daemon.begin()
        let browser = FakeBrowser { _, _ in throw WireError(.expired, "gone") }
        let handle = try await handle(browser)
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .refused }
        #expect(try await events() == ["refused"])
    }

    @Test(
        "S6, S8, S9, S14, S15: other chains are offered nothing, and nobody's word changes that",
        arguments: [
            ["http://shiny.example.com"], ["http://evil.com"], ["null"], ["about:blank"], ["file:///tmp/login.html"],
            ["https://evil.com", "null"], ["https://shiny.example.com", "http://evil.com"],
            ["https://shiny.example.com", "https://evil.com", "http://shiny.example.com"],
            ["https://shiny.example.com", "null"], ["https://shiny.example.com@evil.com"],
        ])
    func otherChainsAreOfferedNothing(origins: [String]) async throws {
        try await daemon.begin()
        let browser = browser()
        let session = try #require(await focus(browser, origins).session)
        #expect(
            try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
                .suggestions
                == [])
        let rows = try await daemon.capabilities.pages.suggestions.list(.init(session: session), on: browser.client)
            .rows
        #expect(rows.count == 1)
        #expect(rows.allSatisfy { $0.handle == nil && $0.fills == false && $0.refusal?.text.isEmpty == false })
        #expect(rows.allSatisfy { $0.anyway == nil })
    }

    @Test(
        "S6, S11, S15: a page of another site or port is offered nothing of itself",
        arguments: [
            ["https://evil.com"], ["https://shiny.example.com:8443"], ["https://shiny-example.com"],
            ["https://shiny.example.com.evil.com"], ["https://evil.com", "https://shiny.example.com"],
        ])
    func otherSitesAreOfferedNothing(origins: [String]) async throws {
        try await daemon.begin()
        let browser = browser()
        let session = try #require(await focus(browser, origins).session)
        #expect(
            try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
                .suggestions
                == [])
        let rows = try await daemon.capabilities.pages.suggestions.list(.init(session: session), on: browser.client)
            .rows
        #expect(rows.count == 1)
        #expect(rows.allSatisfy { $0.anyway == true && $0.fills == false && $0.refusal?.text.isEmpty == false })
        // Its handle is worth nothing without the user's word, nor on another surface than the window of all passwords.
        for (surface, anyway) in [("popup", nil), ("window", nil), ("bar", true), ("popup", true)] as [(String, Bool?)]
        {
            let handle = try #require(
                try await daemon.capabilities.pages.suggestions.list(.init(session: session), on: browser.client).rows
                    .first?.handle)
            await #expect {
                try await daemon.capabilities.pages.filling.choose(
                    .init(handle: handle, surface: surface, guard: .init(held: true), anyway: anyway),
                    on: browser.client)
            } throws: {
                code($0) == .refused
            }
        }
        #expect(try await events() == ["refused", "refused", "refused", "refused"])
    }

    @Test("S5: a document that is not the first of its own chain is offered nothing")
    func documentOutsideItsChainIsOfferedNothing() async throws {
        try await daemon.begin()
        let browser = browser()
        let session = try #require(await focus(browser, document: "D9").session)
        #expect(
            try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
                .suggestions
                == [])
    }

    @Test("S1: a page learns the same whatever is saved for it, and while locked")
    func pageLearnsTheSame() async throws {
        try await daemon.begin()
        let browser = browser()
        var seen: [Page.Focused.Answer] = []
        for origin in ["https://shiny.example.com", "https://other.example", "null"] {
            seen.append(await focus(browser, [origin]))
        }
        await daemon.broker.lock(reason: "test")
        seen.append(await focus(browser))
        for answer in seen {
            #expect(answer.bar)
            #expect(answer.fields == seen[0].fields)
            #expect(answer.session?.count == 22)
        }
        #expect(Set(seen.map(\.session)).count == seen.count)
    }

    @Test("S27: while locked nothing is suggested, listed or chosen")
    func lockedOffersNothing() async throws {
        try await daemon.begin()
        let browser = browser()
        let handle = try await handle(browser)
        await daemon.broker.lock(reason: "test")
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .expired }
        let session = try #require(await focus(browser).session)
        let answer = try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
        #expect(answer == .init(state: "locked", suggestions: []))
        await #expect {
            try await daemon.capabilities.pages.suggestions.list(.init(session: session), on: browser.client)
        } throws: {
            code($0) == .locked
        }
        await #expect {
            try await daemon.capabilities.pages.suggestions.suggestions(url: "shiny.example.com")
        } throws: {
            code($0) == .locked
        }
    }

    @Test("S30: a lock while the user is asked ends the release, though the secret is here already")
    func lockWhileTheUserIsAskedEndsTheRelease() async throws {
        try await daemon.begin()
        let browser = browser()
        let handle = try await handle(browser)
        let chosen = Task { try await choose(handle, in: browser, from: "bar", guard: false) }
        let prompt = await browser.prompt()
        await daemon.broker.lock(reason: "test")
        try await daemon.broker.unlock(passphrase: daemon.passphrase)
        try? await daemon.capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: true), on: 1)
        await #expect(throws: WireError.self) { try await chosen.value }
        #expect(try await !events().contains("released"))
    }

    @Test("S28: after a refusal the next question has to wait")
    func refusedQuestionHasToWait() async throws {
        try await daemon.begin()
        let browser = browser()
        let (first, second) = (try await handle(browser), try await handle(browser))
        _ = first
        let chosen = Task { try await choose(second, in: browser, from: "bar", guard: false) }
        let prompt = await browser.prompt()
        try await daemon.capabilities.shared.questions.desk.answer(.init(prompt: prompt, accept: false), on: 1)
        await #expect { try await chosen.value } throws: { code($0) == .userCanceled }
        let third = try await handle(browser)
        await #expect { try await choose(third, in: browser, from: "bar", guard: false) } throws: { error in
            code(error) == .tooManyAttempts && (error as? WireError)?.retryAfter != nil
        }
    }

    @Test func documentThatIsGoneTakesItsSessionAlong() async throws {
        try await daemon.begin()
        let browser = browser()
        let handle = try await handle(browser)
        await daemon.capabilities.pages.sessions.left(.init(tab: 3, document: "D1"), on: browser.client)
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .expired }
    }

    @Test func connectionThatIsGoneTakesItsSessionsAlong() async throws {
        try await daemon.begin()
        let browser = browser()
        let handle = try await handle(browser)
        await daemon.broker.disconnected(browser.client)
        await #expect { try await choose(handle, in: browser) } throws: { code($0) == .expired }
    }

    @Test func cursorsOutOfBoundsAreNoTrap() async throws {
        try await daemon.begin()
        let browser = browser()
        let session = try #require(await focus(browser).session)
        for cursor in [Int.min, -1, 1, 1 << 40, .max] {
            _ = try await daemon.capabilities.pages.suggestions.list(
                .init(session: session, cursor: cursor), on: browser.client)
            _ = try await daemon.capabilities.shared.auditTrail.auditLines(.init(since: Int64(cursor), cursor: cursor))
        }
    }
}
