// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import Foundation
import ShownText
import Testing

@testable import AutoFillDaemon
@testable import AutoFillSecrets
@testable import DaemonTesting

@Suite struct ConsentBookTests {
    private func subject(
        _ kind: ConsentBook.Kind = .frame, top: String? = "https://top.example",
        origin: String = "https://shiny.example.com",
        provider: BundleIdentifier = .builtIn, _ change: (inout CredentialIdentity) -> Void = { _ in }
    ) -> ConsentBook.Subject {
        var identity = CredentialIdentity.shiny
        change(&identity)
        return .init(kind: kind, top: top, origin: origin, provider: provider, identity: identity)
    }

    @Test("S7: a consent is for exactly its parties")
    func consentIsForExactlyItsParties() throws {
        var book = ConsentBook()
        book.note(subject(), at: 1)
        #expect(book.holds(subject()))
        let others = [
            subject(.insecureLocal), subject(.unstated), subject(top: nil), subject(top: "https://other.example"),
            subject(top: "https://top.example:8443"), subject(origin: "https://www.shiny.example.com"),
            subject(provider: try #require(BundleIdentifier("com.example.other"))), subject { $0.user = "second" },
            subject { $0.recordIdentifier = "r2" }, subject { $0.recordIdentifier = nil },
            subject { $0.service = ServiceIdentifier(written: "other.example") },
            // What stands between the parts counts too.
            subject(top: "https://top.examplehttps://shiny.example.com", origin: ""),
        ]
        for other in others { #expect(!book.holds(other)) }
    }

    @Test("S71: the yes to a password is none to a code of the same record, and the reverse")
    func typesAreApart() {
        for (one, other) in [(CredentialType.password, .oneTimeCode), (.oneTimeCode, CredentialType.password)] {
            var book = ConsentBook()
            book.note(subject(.unstated) { $0.type = one }, at: 1)
            #expect(book.holds(subject(.unstated) { $0.type = one }))
            #expect(!book.holds(subject(.unstated) { $0.type = other }))
        }
    }

    @Test("S7: a consent says nothing of pages in the middle that were not there")
    func pagesInTheMiddleCount() {
        var book = ConsentBook()
        var deep = subject()
        deep.between = ["https://evil.test"]
        book.note(subject(), at: 1)
        #expect(!book.holds(deep))
        book.note(deep, at: 2)
        #expect(book.holds(deep))
        deep.between = ["https://evil.test", "https://evil.test"]
        #expect(!book.holds(deep))
    }

    @Test func consentIsKeptOnce() {
        var book = ConsentBook()
        book.note(subject(), at: 1)
        book.note(subject(), at: 2)
        #expect(book.consents.map(\.date) == [1])
    }

    @Test func oldestConsentsAreForgotten() {
        var book = ConsentBook()
        for number in 0...ConsentBook.limit { book.note(subject(top: "https://\(number).example"), at: Int64(number)) }
        #expect(book.consents.count == ConsentBook.limit)
        #expect(!book.holds(subject(top: "https://0.example")))
        #expect(book.holds(subject(top: "https://\(ConsentBook.limit).example")))
    }

    @Test("S18: what is taken back is not held any more")
    func whatIsTakenBackIsGone() throws {
        var book = ConsentBook()
        book.note(subject(), at: 1)
        book.note(subject(top: "https://other.example"), at: 2)
        let id = try #require(book.consents.first?.id)
        #expect(id.count == 16)
        #expect(book.forget { $0.id == id } == 1)
        #expect(book.forget { $0.id == id } == 0)
        #expect(!book.holds(subject()))
        #expect(book.holds(subject(top: "https://other.example")))
    }

    @Test func registryKeepsConsentsAndTakesThemBack() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let (path, key) = (folder.path + "/registry", DeviceKey.random().registryKey)
        var registry = try SealedRegistry(creatingAt: path, key: key)
        #expect(registry.consents.consents.isEmpty)
        registry.note(subject(), at: 7)
        try registry.setAudit(nil)
        var read = try SealedRegistry(contentsOf: path, key: key)
        #expect(read.consents.holds(subject()))
        #expect(try read.forgetConsents { $0.top == "https://other.example" } == 0)
        #expect(try read.forgetConsents { _ in true } == 1)
        #expect(try SealedRegistry(contentsOf: path, key: key).consents.consents.isEmpty)
    }

    @Test func providerThatIsRemovedTakesItsConsentsAlong() throws {
        let folder = try TemporaryFolder(inMemory: true)
        var registry = try SealedRegistry(creatingAt: folder.path + "/registry", key: DeviceKey.random().registryKey)
        let other = try #require(BundleIdentifier("com.example.other"))
        try registry.setProvider(other) { $0.isEnabled = true }
        registry.note(subject(), at: 1)
        registry.note(subject(provider: other), at: 2)
        try registry.removeProvider(other)
        #expect(registry.consents.consents.map(\.provider) == ["org.latchkey.passwords"])
    }

    @Test("S7: a consent that cannot be taken back durably is still there")
    func consentThatCannotBeTakenBackIsStillThere() throws {
        let folder = try TemporaryFolder()
        let (path, key) = (folder.path + "/registry", DeviceKey.random().registryKey)
        var registry = try SealedRegistry(creatingAt: path, key: key)
        registry.note(subject(), at: 1)
        try registry.setAudit(nil)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/in the way", withIntermediateDirectories: true)
        #expect(throws: (any Error).self) { try registry.forgetConsents { _ in true } }
        #expect(registry.consents.holds(subject()))
    }
}
