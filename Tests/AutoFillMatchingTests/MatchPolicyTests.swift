// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

@Suite struct MatchPolicyTests {
    private func decide(_ saved: String, _ url: String) throws -> MatchDecision {
        let origin = try #require(Origin(url: url))
        return MatchPolicy.decide(saved: ServiceIdentifier(written: saved), for: origin)
    }

    @Test(arguments: [
        ("shiny.example.com", "https://shiny.example.com"), ("SHINY.example.com.", "https://shiny.example.com"),
        ("shiny.example.com:8443", "https://shiny.example.com:8443"),
        ("https://shiny.example.com/login", "https://shiny.example.com:443"),
        ("http://shiny.example.com", "http://shiny.example.com"),
        ("http://shiny.example.com:8080", "http://shiny.example.com:8080"),
        ("127.0.0.1:8443", "https://127.0.0.1:8443"), ("[0:0::1]", "https://[::1]"),
    ])
    func sameSchemeHostAndPortMatch(saved: String, url: String) throws {
        #expect(try decide(saved, url) == .exact)
    }

    @Test(
        "S11, S12: another host is refused, however it looks",
        arguments: [
            ("test.example.com", "https://eviltest.example.com"), ("example.com", "https://evilexample.com"),
            ("example.com", "https://shiny.example.com"), ("shiny.example.com", "https://example.com"),
            ("shiny.example.com", "https://shiny.example.com.evil.com"),
            ("shiny.example.com", "https://shiny.example.co"),
            ("shiny.example.com", "https://shiny-example.com"), ("shiny.example.com", "https://shinyexample.com"),
            ("shiny.example.com", "https://www.shiny.example.com"), ("www.example.com", "https://example.com"),
            ("paypal.com", "https://paypa1.com"), ("xn--pple-43d.com", "https://apple.com"),
            ("127.0.0.1", "https://127.0.0.11"), ("[::1]", "https://[::2]"), ("localhost", "https://a.localhost"),
        ])
    func anotherHostIsRefused(saved: String, url: String) throws {
        #expect(try decide(saved, url) == .refused(.otherHost))
    }

    @Test(
        "S10: hosts below one public suffix are strangers",
        arguments: [
            ("a.github.io", "https://b.github.io"), ("a.co.uk", "https://b.co.uk"),
            ("github.io", "https://a.github.io"),
        ])
    func hostsBelowAPublicSuffixAreStrangers(saved: String, url: String) throws {
        #expect(try decide(saved, url) == .refused(.otherHost))
    }

    @Test(
        "S14: what was saved for https is not offered on http, nor the other way",
        arguments: [
            ("shiny.example.com", "http://shiny.example.com"),
            ("https://shiny.example.com", "http://shiny.example.com"),
            ("http://shiny.example.com", "https://shiny.example.com"),
            ("shiny.example.com:80", "http://shiny.example.com"),
            ("http://shiny.example.com:443", "https://shiny.example.com"), ("localhost", "http://localhost"),
        ])
    func anotherSchemeIsRefused(saved: String, url: String) throws {
        #expect(try decide(saved, url) == .refused(.otherScheme))
    }

    @Test(
        "S15: another port is another service",
        arguments: [
            ("shiny.example.com", "https://shiny.example.com:8443"),
            ("shiny.example.com:8443", "https://shiny.example.com"),
            ("shiny.example.com:8443", "https://shiny.example.com:8444"),
            ("http://shiny.example.com", "http://shiny.example.com:8080"),
            ("shiny.example.com", "https://shiny.example.com:80"),
        ])
    func anotherPortIsRefused(saved: String, url: String) throws {
        #expect(try decide(saved, url) == .refused(.otherPort))
    }

    @Test(arguments: [
        "", "*", "*.example.com", ".example.com", "com.example.app", "user@shiny.example.com", "shiny example",
        "ftp://shiny.example.com", "android://x@com.example", "bücher.example", "about:blank", "null",
    ])
    func serviceThatIsNoWebOriginMatchesNothing(saved: String) throws {
        for url in ["https://shiny.example.com", "https://example.com"] {
            #expect(try decide(saved, url) != .exact)
        }
    }

    @Test(
        "S22: what was saved for an app, or for a kind of service from the future, matches no document",
        arguments: [
            ServiceIdentifier.Kind.app, .init(rawValue: 3), .init(rawValue: -1), .init(rawValue: .max),
        ])
    func otherKindsMatchNothing(kind: ServiceIdentifier.Kind) throws {
        let origin = try #require(Origin(url: "https://shiny.example.com"))
        let service = ServiceIdentifier(kind: kind, value: "shiny.example.com")
        #expect(MatchPolicy.decide(saved: service, for: origin) == .refused(.unreadableService))
    }

    @Test("S11: a label put in front without a dot never matches", arguments: 0..<200)
    func labelInFrontWithoutADotNeverMatches(round: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        let length = Int.random(in: 1...20, using: &generator)
        let label = String((0..<length).compactMap { _ in letters.randomElement(using: &generator) })
        #expect(try decide("shiny.example.com", "https://\(label)shiny.example.com") == .refused(.otherHost))
        #expect(try decide("\(label)shiny.example.com", "https://shiny.example.com") == .refused(.otherHost))
    }

    @Test(arguments: [
        ("shiny.example.com", "https://shiny.example.com"), ("http://a.github.io:8080", "http://a.github.io:8080"),
        ("127.0.0.1", "https://127.0.0.1"), ("localhost:8443", "https://localhost:8443"), ("[0:0::1]", "https://[::1]"),
        ("co.uk", "https://co.uk"),
    ])
    func whatMatchesIsFoundByTheIndex(saved: String, url: String) throws {
        let origin = try #require(Origin(url: url))
        #expect(try decide(saved, url) == .exact)
        let words = Set(IndexTerms.terms(for: ServiceIdentifier(written: saved)))
        #expect(!words.isDisjoint(with: IndexTerms.terms(for: origin)))
    }
}
