// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct SaveBookTests {
    private var book = SaveBook()

    private func candidate(
        connection: Int = 1, tab: Int = 3, document: String = "D1", password: String = "secret", after: Duration = .zero
    ) throws -> SaveBook.Candidate {
        let origin = try OriginVerifier.verify([
            ClaimedDocument(origin: ClaimedOrigin("https://shiny.example.com"), documentIdentifier: document)
        ]).get()
        return .init(
            connection: connection, tab: tab, document: document, origin: origin, user: "anna",
            password: SecretBytes(utf8: password), kind: .current, oldPassword: nil, began: start + after)
    }

    @Test mutating func formIsTakenOnce() throws {
        book.keep(try candidate())
        #expect(book.take(1, 3, "D1", at: start)?.user == "anna")
        #expect(book.take(1, 3, "D1", at: start) == nil)
    }

    @Test("S31: nobody else settles a form: neither another connection, tab nor document")
    mutating func nobodyElseSettlesAForm() throws {
        book.keep(try candidate())
        #expect(book.take(2, 3, "D1", at: start) == nil)
        #expect(book.take(1, 4, "D1", at: start) == nil)
        #expect(book.take(1, 3, "D2", at: start) == nil)
        #expect(book.take(1, 3, "D1", at: start) != nil)
    }

    @Test mutating func laterFormOfADocumentTakesThePlaceOfTheEarlierOne() throws {
        book.keep(try candidate(password: "first"))
        book.keep(try candidate(password: "second"))
        #expect(book.take(1, 3, "D1", at: start)?.password == SecretBytes(utf8: "second"))
        #expect(book.isEmpty)
    }

    @Test("S31: what was typed is kept for a short time, and little of it")
    mutating func keepsLittleForAShortTime() throws {
        book.keep(try candidate())
        #expect(book.expire(at: start) == start + SaveBook.patience)
        #expect(book.expire(at: start + SaveBook.patience + .seconds(1)) == nil)
        #expect(book.isEmpty)
        for number in 0..<50 { book.keep(try candidate(document: "D\(number)")) }
        let left = (0..<50).compactMap { book.take(1, 3, "D\($0)", at: start) }
        #expect(left.count == SaveBook.candidateLimit)
        #expect(left.first?.document == "D\(50 - SaveBook.candidateLimit)")
    }

    @Test("S44: a page that sends off forms without end puts out nothing that was typed in another tab")
    mutating func crowdOfOneTabPutsOutItsOwn() throws {
        book.keep(try candidate(tab: 1, document: "typed"))
        for number in 0..<50 { book.keep(try candidate(tab: 2, document: "D\(number)")) }
        #expect(book.take(1, 1, "typed", at: start) != nil)
        #expect(book.take(1, 2, "D49", at: start) != nil)
    }

    @Test mutating func everythingEndsWithItsConnectionAndWithALock() throws {
        book.keep(try candidate())
        book.note(user: "anna", connection: 1, tab: 3, host: "shiny.example.com", at: start)
        book.forget(connection: 1)
        #expect(book.isEmpty)
        #expect(book.user(connection: 1, tab: 3, host: "shiny.example.com", at: start) == nil)
        book.keep(try candidate())
        book.forgetAll()
        #expect(book.isEmpty)
    }

    @Test mutating func userNameIsRememberedForItsTabAndHost() {
        book.note(user: "anna", connection: 1, tab: 3, host: "a.example", at: start)
        book.note(user: "", connection: 1, tab: 3, host: "a.example", at: start)
        #expect(book.user(connection: 1, tab: 3, host: "a.example", at: start) == "anna")
        #expect(book.user(connection: 1, tab: 4, host: "a.example", at: start) == nil)
        #expect(book.user(connection: 1, tab: 3, host: "b.example", at: start) == nil)
        #expect(book.user(connection: 1, tab: 3, host: "a.example", at: start + .seconds(7_200)) == nil)
    }

    @Test mutating func namesOfOneSignInAreAllRemembered() {
        func users() -> [String] { book.users(connection: 1, tab: 3, host: "a.example", at: start) }
        func note(_ user: String, _ field: String) {
            book.note(user: user, in: field, connection: 1, tab: 3, host: "a.example", at: start)
        }
        note("anna", "/first\nlogin")
        note("anna@example.com", "/second\nmail")
        #expect(users() == ["anna@example.com", "anna"])
        #expect(book.user(connection: 1, tab: 3, host: "a.example", at: start) == "anna@example.com")
        // What is typed into the same field takes the place of what was there: it is another account's.
        note("bob", "/first\nlogin")
        #expect(users() == ["bob", "anna@example.com"])
        #expect(book.users(connection: 1, tab: 3, host: "b.example", at: start).isEmpty)
        // A host without names of its own takes those of its site.
        book.note(user: "eve", connection: 1, tab: 5, host: "login.a.example", site: "a.example", at: start)
        func of(_ host: String) -> [String] {
            book.users(connection: 1, tab: 5, host: host, site: "a.example", at: start)
        }
        #expect(of("auth.a.example") == ["eve"])
        book.note(user: "mallory", in: "x", connection: 1, tab: 5, host: "b.a.example", site: "a.example", at: start)
        #expect(of("b.a.example") == ["mallory"])
        #expect(book.users(connection: 1, tab: 4, host: "a.example", at: start).isEmpty)
        #expect(book.users(connection: 1, tab: 3, host: "a.example", at: start + .seconds(7_200)).isEmpty)
        for number in 0..<20 { note("user \(number)", "/\(number)") }
        #expect(users().count == SaveBook.stepLimit)
    }

    @Test mutating func nameAfterAPasswordIsThatOfAnotherSignIn() {
        func users() -> [String] { book.users(connection: 1, tab: 3, host: "a.example", at: start) }
        func note(_ user: String, _ field: String) {
            book.note(user: user, in: field, connection: 1, tab: 3, host: "a.example", at: start)
        }
        note("anna", "/first\nlogin")
        book.useNames(connection: 1, tab: 3, site: "b.example")
        book.useNames(connection: 1, tab: 3, site: "a.example")
        // The same password is typed again where the first one was wrong.
        #expect(users() == ["anna"])
        note("bob@example.com", "/second\nmail")
        #expect(users() == ["bob@example.com"])
        // What Latchkey fills is the name of one account.
        note("carol", "")
        #expect(users() == ["carol"])
        note("carol", "/first\nlogin")
        #expect(users() == ["carol"])
    }

    @Test mutating func generatedPasswordIsKnownByItsFingerprint() throws {
        let made = SecretBytes(utf8: "made up")
        book.noteFilled(
            HeldSecret.fingerprint(made, book.key), at: try #require(Origin(written: "shiny.example.com")),
            session: "S",
            kind: "STRONG", keeper: .builtIn, at: start)
        #expect(book.filled(SecretBytes(utf8: "made up"))?.session == "S")
        #expect(book.filled(SecretBytes(utf8: "made up!")) == nil)
    }

    @Test("S27: sites of the never list are known while locked, and cannot be read out")
    mutating func neverListIsKnownWithoutNames() {
        book.setNever(["shiny.example.com"])
        book.forgetAll()
        #expect(book.isNever("shiny.example.com"))
        #expect(!book.isNever("other.example.com"))
        var text = ""
        dump(book, to: &text)
        #expect(!text.contains("shiny"))
    }
}
