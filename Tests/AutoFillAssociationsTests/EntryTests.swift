// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
import Testing

@testable import AutoFillAssociations

@Suite struct AppIdentifierTests {
    @Test(arguments: [
        "E5336VM85F.com.example.Shiny", "0123456789.a", "abcdefghij.com.example.with-hyphen", "E5336VM85F.ios.Shiny",
    ])
    func readsPrefixAndBundle(text: String) throws {
        let app = try #require(AppIdentifier(text))
        #expect(app.rawValue == text)
        #expect(app.prefix + "." + app.bundle.rawValue == text)
    }

    @Test(
        "S21: what is not an identifier names no app",
        arguments: [
            "", "com.example.Shiny", "E5336VM85F", "E5336VM85F.", "E5336VM85.com.example.Shiny",
            "E5336VM85FX.com.example.Shiny", "E5336VM85F..com", "E5336VM85F.com.example.", "E5336VM85F.com.example.*",
            "E5336VM8-F.com.example.Shiny", "E5336VM85F.com example", "E5336VM85F.com.exämple.Shiny",
            "E5336VM8５F.com.example.Shiny", "E5336VM85F.com/example", "E5336VM85F.com.example.Shiny\n",
            " E5336VM85F.com.example.Shiny", "E5336VM85F.com\u{0}", "\u{212A}5336VM85FX.com.example",
        ])
    func refusesWhatIsNone(text: String) {
        #expect(AppIdentifier(text) == nil)
    }

    @Test func refusesOneThatIsTooLong() {
        #expect(AppIdentifier("E5336VM85F." + String(repeating: "a", count: 255)) != nil)
        #expect(AppIdentifier("E5336VM85F." + String(repeating: "a", count: 256)) == nil)
    }

    @Test("S21: identifiers that differ in case differ") func comparesCase() throws {
        #expect(try AppIdentifier.shiny() != AppIdentifier("E5336VM85F.com.example.shiny"))
        #expect(try AppIdentifier.shiny() != AppIdentifier("e5336vm85f.com.example.Shiny"))
    }
}

@Suite struct AssociatedDomainTests {
    @Test(arguments: [
        ("webcredentials:shiny.example.com", "shiny.example.com", false),
        ("webcredentials:SHINY.example.com", "shiny.example.com", false),
        ("webcredentials:*.example.com", "example.com", true),
        ("webcredentials:xn--bcher-kva.example", "xn--bcher-kva.example", false),
        ("applinks:shiny.example.com", "shiny.example.com", false),
        ("somethingnew:shiny.example.com", "shiny.example.com", false),
    ])
    func readsEntries(entry: String, host: String, isWildcard: Bool) throws {
        let domain = try AssociatedDomain(entry: entry)
        #expect(domain.host == host)
        #expect(domain.isWildcard == isWildcard)
        #expect(domain.mode == [])
        #expect(try AssociatedDomain(entry: domain.description) == domain)
    }

    static let modes: [(String, AssociatedDomain.Mode)] = [
        ("webcredentials:a.example.com?mode=developer", AssociatedDomain.Mode.developer),
        ("webcredentials:a.example.com?mode=managed", .managed),
        ("webcredentials:a.example.com?mode=developer+managed", [.developer, .managed]),
        ("webcredentials:*.example.com?mode=managed+developer", [.developer, .managed]),
    ]

    @Test(arguments: modes)
    func readsModes(entry: String, mode: AssociatedDomain.Mode) throws {
        let domain = try AssociatedDomain(entry: entry)
        #expect(domain.mode == mode)
        #expect(try AssociatedDomain(entry: domain.description) == domain)
    }

    static let refused: [(String, AssociatedDomain.EntryRefusal)] = [
        ("", AssociatedDomain.EntryRefusal.noService), ("shiny.example.com", .noService),
        (":shiny.example.com", .noService), ("Webcredentials:shiny.example.com", .noService),
        ("web credentials:shiny.example.com", .noService), ("webcredentials:", .noHost),
        ("webcredentials:*.", .noHost), ("webcredentials:?mode=developer", .noHost),
        ("webcredentials:shiny.example.com/", .path), ("webcredentials:shiny.example.com/login", .path),
        ("webcredentials:https://shiny.example.com", .path), ("webcredentials:shiny.example.com\\x", .path),
        ("webcredentials:shiny.example.com?a=b", .query), ("webcredentials:shiny.example.com?", .query),
        ("webcredentials:shiny.example.com?mode=", .unknownMode),
        ("webcredentials:shiny.example.com?mode=production", .unknownMode),
        ("webcredentials:shiny.example.com?mode=Developer", .unknownMode),
        ("webcredentials:shiny.example.com?mode=developer&a=b", .unknownMode),
        ("webcredentials:shiny.example.com#x", .query), ("webcredentials:me@shiny.example.com", .userInformation),
        ("webcredentials:shiny.example.com:443", .port), ("webcredentials:shiny.example.com:", .port),
        ("webcredentials:[::1]", .address), ("webcredentials:127.0.0.1", .address),
        ("webcredentials:*.0.0.1", .address), ("webcredentials:2130706433", .address),
        ("webcredentials:*", .wildcardInsideLabel), ("webcredentials:*example.com", .wildcardInsideLabel),
        ("webcredentials:a.*.example.com", .wildcardInsideLabel), ("webcredentials:*.*.com", .wildcardInsideLabel),
        ("webcredentials:bücher.example", .notASCII), ("webcredentials:shiny。example.com", .notASCII),
        ("webcredentials:shiny.example.com.", .noHostName), ("webcredentials:.example.com", .noHostName),
        ("webcredentials:a..example.com", .noHostName), ("webcredentials:a b.example.com", .noHostName),
        ("webcredentials:shiny%2eexample.com", .noHostName), ("webcredentials:localhost", .notFullyQualified),
        ("webcredentials:com", .notFullyQualified), ("webcredentials:*.com", .notFullyQualified),
        ("webcredentials:shiny.example.com\n", .noHostName), ("webcredentials: shiny.example.com", .noHostName),
    ]

    @Test("S21: an entry names a host and nothing else", arguments: refused)
    func refusesEverythingElse(entry: String, refusal: AssociatedDomain.EntryRefusal) {
        #expect(throws: refusal) { try AssociatedDomain(entry: entry) }
    }

    @Test func refusesWhatIsTooLong() {
        let entry = "webcredentials:" + String(repeating: "a.", count: 300) + "com"
        #expect(throws: AssociatedDomain.EntryRefusal.tooLong) { try AssociatedDomain(entry: entry) }
    }

    @Test func readsWhatAPersonWrites() throws {
        #expect(try AssociatedDomain(written: "shiny.example.com").description == "webcredentials:shiny.example.com")
        #expect(try AssociatedDomain(written: "*.example.com").isWildcard)
        #expect(try AssociatedDomain(written: "webcredentials:a.example.com?mode=managed").mode == .managed)
        #expect(throws: AssociatedDomain.EntryRefusal.address) { try AssociatedDomain(written: "[::1]") }
    }

    @Test(
        "S11: a wildcard covers whole labels below its parent, and not the parent",
        arguments: [
            ("a.example.com", true), ("a.b.example.com", true), ("example.com", false), ("evilexample.com", false),
            ("example.com.evil.com", false), (".example.com", true), ("com", false), ("a.example.co", false),
        ])
    func wildcardCoversSubdomains(host: String, isCovered: Bool) throws {
        let domain = try AssociatedDomain(entry: "webcredentials:*.example.com")
        // A host with an empty label is none: no origin has it.
        guard Origin(scheme: .https, host: host) != nil else { return }
        #expect(domain.covers(host: host) == isCovered)
    }

    @Test(
        "S11: a host covers itself, neither its parent nor what is below it",
        arguments: [
            "example.com", "a.shiny.example.com", "www.shiny.example.com", "shinyexample.com", "xshiny.example.com",
        ])
    func hostCoversItself(host: String) throws {
        let domain = try AssociatedDomain(entry: "webcredentials:shiny.example.com")
        #expect(domain.covers(host: "shiny.example.com"))
        #expect(!domain.covers(host: host))
    }

    @Test("S11: a label in front without a dot is never covered") func randomLabelsAreNotCovered() throws {
        let domain = try AssociatedDomain(entry: "webcredentials:*.example.com")
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let letters = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &generator)))
            }
            #expect(!domain.covers(host: String(letters) + "example.com"))
            #expect(domain.covers(host: String(letters) + ".example.com"))
        }
    }
}
