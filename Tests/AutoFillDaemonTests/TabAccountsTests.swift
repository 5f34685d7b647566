// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import ShownText
import Testing

@testable import AutoFillAsking
@testable import AutoFillDaemon
@testable import DaemonTesting

extension CredentialIdentity {
    fileprivate static let other = CredentialIdentity(
        type: .password, service: ServiceIdentifier(written: "shiny.example.com"), user: "second",
        recordIdentifier: "r2")
}

@Suite struct TabAccountsTests {
    private var tabs = TabAccounts()
    private let shiny = TabAccounts.Account(.shiny, of: .builtIn)

    @Test mutating func lastAccountOfATabIsRemembered() {
        tabs.remember(.init(.other, of: .builtIn), at: "shiny.example.com", in: 3, of: 1, now: start)
        tabs.remember(shiny, at: "shiny.example.com", in: 3, of: 1, now: start)
        #expect(tabs.account(in: 3, of: 1, at: start) == shiny)
    }

    @Test mutating func otherTabsAndConnectionsHaveNone() {
        tabs.remember(shiny, at: "shiny.example.com", in: 3, of: 1, now: start)
        #expect(tabs.account(in: 4, of: 1, at: start) == nil)
        #expect(tabs.account(in: 3, of: 2, at: start) == nil)
    }

    @Test mutating func nothingIsKeptBeyondTheLifeOfTabAndConnection() {
        tabs.remember(shiny, at: "shiny.example.com", in: 3, of: 1, now: start)
        tabs.remember(shiny, at: "shiny.example.com", in: 4, of: 1, now: start)
        tabs.forget(tab: 3, of: 1)
        #expect(tabs.account(in: 3, of: 1, at: start) == nil)
        #expect(tabs.account(in: 4, of: 1, at: start) == shiny)
        tabs.forget(connection: 1)
        #expect(tabs.account(in: 4, of: 1, at: start) == nil)
    }

    @Test mutating func nothingIsKeptForLong() {
        tabs.remember(shiny, at: "shiny.example.com", in: 3, of: 1, now: start)
        #expect(tabs.account(in: 3, of: 1, at: start + TabAccounts.lifetime - .seconds(1)) == shiny)
        #expect(tabs.account(in: 3, of: 1, at: start + TabAccounts.lifetime) == nil)
    }

    @Test mutating func oldestTabIsForgottenFirst() {
        for tab in 0...TabAccounts.limit {
            tabs.remember(shiny, at: "shiny.example.com", in: tab, of: 1, now: start + .milliseconds(tab))
        }
        let now = start + .seconds(1)
        #expect(tabs.account(in: 0, of: 1, at: now) == nil)
        #expect(tabs.account(in: 1, of: 1, at: now) == shiny)
        #expect(tabs.account(in: TabAccounts.limit, of: 1, at: now) == shiny)
    }
}

/// The password on one page, the account's code on the next.
@Suite struct NearestAccountTests {
    private var tabs = TabAccounts()

    init() {
        let filled = CredentialIdentity(
            type: .password, service: ServiceIdentifier(written: "shop.example"), user: "rm", recordIdentifier: "r1")
        tabs.remember(.init(filled, of: .builtIn), at: "shop.example", in: 3, of: 1, now: start)
    }

    private func nearness(
        _ record: String?, _ user: String, at written: String = "login.shop.example", tab: Int = 3,
        connection: Int = 1, after seconds: Int = 5
    ) throws -> TabAccounts.Nearness {
        let code = CredentialIdentity(
            type: .oneTimeCode, service: ServiceIdentifier(written: "shop.example"), user: user,
            recordIdentifier: record)
        return tabs.nearness(
            of: code, .builtIn, at: try #require(Origin(written: written)), in: tab, of: connection,
            suffixes: .distribution, now: start + .seconds(seconds))
    }

    @Test func theAccountThatWasFilledIsNearest() throws {
        #expect(try nearness("r1", "rm") == .record)
        #expect(try nearness("r1", "rm", at: "shop.example") == .record)
        #expect(try nearness("r2", "rm") == .user)
        #expect(try nearness("r2", "other") == .none)
        #expect(TabAccounts.Nearness.record < .user && TabAccounts.Nearness.user < .none)
    }

    @Test func noOtherPlaceOrTimeHasIt() throws {
        #expect(try nearness("r1", "rm", tab: 4) == .none)
        #expect(try nearness("r1", "rm", connection: 2) == .none)
        #expect(try nearness("r1", "rm", at: "evil.test") == .none)
        #expect(try nearness("r1", "rm", after: 599) == .record)
        #expect(try nearness("r1", "rm", after: 600) == .none)
    }

    @Test mutating func closedTabAndConnectionForgetIt() throws {
        var others = self
        tabs.forget(tab: 3, of: 1)
        #expect(try nearness("r1", "rm") == .none)
        others.tabs.forget(connection: 1)
        #expect(try others.nearness("r1", "rm") == .none)
    }
}

/// The user name on one page, its password on the next.
@Suite struct ContinuedSignInTests {
    private let daemon: FakeInstallation
    private let browser = FakeBrowser { method, _ in
        guard method == Browser.Evidence.name else { return .object([:]) }
        return try JSONValue(
            encoding: Browser.Evidence.Answer(chain: [.init(origin: "https://shiny.example.com", document: "D1")]))
    }
    private let name = FieldStatement(ref: 0, type: "text", autocomplete: "username")
    private let password = FieldStatement(ref: 1, type: "password", autocomplete: "current-password")

    init() async throws {
        daemon = try await FakeInstallation()
    }

    private func rows(_ fields: [FieldStatement], tab: Int = 3) async throws -> [Row] {
        let frame = FrameEvidence(
            tab: tab, frame: 0, document: "D1", chain: [.init(origin: "https://shiny.example.com", document: "D1")])
        let answer = await daemon.capabilities.pages.sessions.focused(
            .init(frame: frame, page: PageStatement(fields: fields), focused: fields.first?.ref), on: browser.client)
        let session = try #require(answer.session)
        return try await daemon.capabilities.pages.suggestions.suggestions(session: session, on: browser.client)
            .suggestions
    }

    /// Fills the user name of the account that comes last, and returns it.
    private func fillName() async throws -> String {
        let last = try #require(await rows([name]).last)
        let answer = try await daemon.capabilities.pages.filling.choose(
            .init(handle: try #require(last.handle), surface: "popup", guard: .init(held: true)), on: browser.client)
        #expect(answer.fills.map(\.role) == ["username"])
        return last.user.text
    }

    @Test func accountOfThePageBeforeComesFirstWhereThePasswordIsAskedForAlone() async throws {
        try await daemon.begin([.shiny, .other])
        #expect(try await rows([password]).allSatisfy { $0.continues == nil })
        let user = try await fillName()
        let rows = try await rows([password])
        #expect(rows.count == 2)
        #expect(rows.first?.user.text == user)
        #expect(rows.map { $0.continues ?? false } == [true, false])
    }

    @Test func accountThatWasUsedLastComesFirstInOtherTabsAndAfterALockToo() async throws {
        try await daemon.begin([.shiny, .other])
        for _ in 0..<2 {
            let user = try await fillName()
            daemon.pass(.seconds(1))
            #expect(try await rows([name, password], tab: 4).first?.user.text == user)
            await daemon.broker.lock(reason: "test")
            #expect(await daemon.capabilities.pages.rows.lastUses.isEmpty)
            try await daemon.broker.unlock(passphrase: daemon.passphrase)
            await daemon.capabilities.pages.rows.lastUses.whenRead()
            #expect(try await rows([name, password], tab: 4).first?.user.text == user)
        }
    }

    @Test func itIsSaidNowhereElse() async throws {
        try await daemon.begin([.shiny, .other])
        _ = try await fillName()
        #expect(try await rows([name, password]).allSatisfy { $0.continues == nil })
        #expect(try await rows([password], tab: 4).allSatisfy { $0.continues == nil })
    }

    @Test func closedTabAndLockForgetIt() async throws {
        try await daemon.begin([.shiny, .other])
        _ = try await fillName()
        await daemon.capabilities.pages.sessions.left(.init(tab: 3, document: nil), on: browser.client)
        #expect(try await rows([password]).allSatisfy { $0.continues == nil })
        _ = try await fillName()
        await daemon.broker.lock(reason: "test")
        #expect(
            await daemon.capabilities.pages.sessions.tabAccounts.account(in: 3, of: 1, at: daemon.broker.time.now())
                == nil)
    }
}
