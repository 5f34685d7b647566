// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillSecrets
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct SuggestionBookTests {
    private var book = SuggestionBook()

    private func session(
        connection: Int = 1, tab: Int = 3, document: String = "D1", began: ContinuousClock.Instant = start
    ) -> SuggestionBook.Session {
        let origin = OriginVerifier.verify([
            ClaimedDocument(origin: ClaimedOrigin("https://shiny.example.com"), documentIdentifier: document)
        ])
        return .init(
            connection: connection, tab: tab, frame: 0, document: document, origin: origin, fields: [], began: began)
    }

    @Test mutating func handleStandsForItsSuggestionOnce() throws {
        let name = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: name)
        let first = book.take(handle, of: 1, at: start)
        let (taken, choice) = try #require(first)
        #expect(taken.document == "D1")
        #expect(choice.identity == .shiny)
        #expect(book.take(handle, of: 1, at: start) == nil)
    }

    @Test mutating func handlesOfOneSuggestionAreSeparate() {
        let name = book.begin(session())
        let (first, second) = (book.offer(.shiny, of: .builtIn, in: name), book.offer(.shiny, of: .builtIn, in: name))
        #expect(first != second)
        #expect(book.take(first, of: 1, at: start) != nil)
        #expect(book.take(second, of: 1, at: start) != nil)
    }

    @Test("S25: another connection's handle and session stand for nothing, and stay whole")
    mutating func otherConnectionGetsNothing() {
        let name = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: name)
        #expect(book.session(name, of: 2, at: start) == nil)
        #expect(book.take(handle, of: 2, at: start) == nil)
        #expect(book.take(handle, of: 1, at: start) != nil)
    }

    @Test(arguments: ["", "x", "AAAAAAAAAAAAAAAAAAAAAA"])
    mutating func inventedNamesStandForNothing(name: String) {
        _ = book.offer(.shiny, of: .builtIn, in: book.begin(session()))
        #expect(book.session(name, of: 1, at: start) == nil)
        #expect(book.take(name, of: 1, at: start) == nil)
    }

    @Test mutating func sessionNameIsNoHandle() {
        let name = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: name)
        #expect(book.take(name, of: 1, at: start) == nil)
        #expect(book.session(handle, of: 1, at: start) == nil)
    }

    @Test(arguments: [(599, true), (600, true), (601, false), (100_000, false)])
    mutating func sessionsEndAfterTenMinutes(seconds: Int, isAlive: Bool) {
        let name = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: name)
        let later = start + .seconds(seconds)
        #expect((book.session(name, of: 1, at: later) != nil) == isAlive)
        #expect((book.take(handle, of: 1, at: later) != nil) == isAlive)
    }

    @Test mutating func nextSessionOfADocumentEndsTheEarlierOne() {
        let first = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: first)
        let second = book.begin(session())
        #expect(book.session(first, of: 1, at: start) == nil)
        #expect(book.take(handle, of: 1, at: start) == nil)
        #expect(book.session(second, of: 1, at: start) != nil)
    }

    @Test mutating func otherDocumentsTabsAndConnectionsKeepTheirSessions() {
        let names = [
            (1, book.begin(session())), (1, book.begin(session(document: "D2"))), (1, book.begin(session(tab: 4))),
            (2, book.begin(session(connection: 2))),
        ]
        for (connection, name) in names { #expect(book.session(name, of: connection, at: start) != nil) }
    }

    @Test mutating func endTakesHandlesAlong() {
        let name = book.begin(session())
        let handle = book.offer(.shiny, of: .builtIn, in: name)
        book.end { $0.tab == 3 }
        #expect(book.session(name, of: 1, at: start) == nil)
        #expect(book.take(handle, of: 1, at: start) == nil)
    }

    @Test("S27: a lock ends every session and handle")
    mutating func endAllEndsEverything() {
        let names = (0..<5).map { book.begin(session(document: "D\($0)")) }
        let handles = names.map { book.offer(.shiny, of: .builtIn, in: $0) }
        book.endAll()
        for name in names { #expect(book.session(name, of: 1, at: start) == nil) }
        for handle in handles { #expect(book.take(handle, of: 1, at: start) == nil) }
    }

    @Test mutating func oldestSessionOfAConnectionEndsBeyondTheLimit() {
        let other = book.begin(session(connection: 2))
        let names = (0...SuggestionBook.sessionLimit).map { number in
            book.begin(session(document: "D\(number)", began: start + .milliseconds(number)))
        }
        #expect(book.session(names[0], of: 1, at: start) == nil)
        for name in names[1...] { #expect(book.session(name, of: 1, at: start) != nil) }
        #expect(book.session(other, of: 2, at: start) != nil)
    }

    @Test mutating func oldestHandleOfASessionEndsBeyondTheLimit() {
        let name = book.begin(session())
        let handles = (0...SuggestionBook.handleLimit).map { _ in book.offer(.shiny, of: .builtIn, in: name) }
        #expect(book.take(handles[0], of: 1, at: start) == nil)
        #expect(book.take(handles[1], of: 1, at: start) != nil)
        #expect(book.take(handles[SuggestionBook.handleLimit], of: 1, at: start) != nil)
    }

    @Test func namesAreLongRandomAndSafeInURLs() {
        let names = (0..<1000).map { _ in RandomName.make() }
        #expect(Set(names).count == 1000)
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(names.allSatisfy { $0.count == 22 && $0.allSatisfy(letters.contains) })
        #expect(Set(names.joined()) == letters)
        // Behind an option of the command line such a name would be another one.
        #expect(names.allSatisfy { $0.first?.isLetter == true || $0.first?.isNumber == true })
    }
}
