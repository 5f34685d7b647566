// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

@Suite struct IndexTermsTests {
    private let terms = IndexTerms(.none)

    private func sites(_ service: String) -> [String] {
        terms.terms(for: ServiceIdentifier(written: service)).filter { $0.hasPrefix("site:") }
    }

    @Test(arguments: [
        ("shiny.example.com", ["site:example.com"]), ("https://a.b.example.co.uk/x", ["site:example.co.uk"]),
        ("a.github.io", ["site:a.github.io"]), ("github.io", ["site:github.io"]), ("localhost", ["site:localhost"]),
        ("127.0.0.1", ["site:127.0.0.1"]), ("[::1]:8080", ["site:[::1]"]), ("com", ["site:com"]),
        ("printer.local", ["site:printer.local"]), ("bücher.example", ["site:xn--bcher-kva.example"]),
    ])
    func sitesAreIndexedByRegistrableDomain(service: String, expected: [String]) throws {
        #expect(sites(service) == expected)
        let page = try #require(Origin(written: service))
        #expect(terms.terms(for: page) == expected)
    }

    @Test("S20: how a site looks and what is one letter away are words, too") func looksAreWords() {
        let words = terms.terms(for: ServiceIdentifier(written: "shiny.github.com"))
        #expect(
            Set(words) == [
                "site:github.com", "like:glthub", "edit:github", "edit:ithub", "edit:gthub", "edit:gihub", "edit:gitub",
                "edit:githb", "edit:githu",
            ])
        // Short names are one letter apart by chance, and what is not a site looks like nothing.
        #expect(Set(terms.terms(for: ServiceIdentifier(written: "apple.com"))) == ["site:apple.com", "like:apple"])
        for host in ["localhost", "127.0.0.1", "co.uk", "[::1]"] {
            #expect(terms.terms(for: ServiceIdentifier(written: host)) == ["site:" + host])
        }
    }

    @Test func appsHaveWordsThatNoSiteHas() {
        #expect(terms.terms(for: ServiceIdentifier(kind: .app, value: "example.com")) == ["app:example.com"])
    }

    @Test(arguments: ["", "a b", "user@example.com", "ftp://example.com", "*.example.com"])
    func whatIsNoWebOriginHasNoWords(service: String) {
        #expect(terms.terms(for: ServiceIdentifier(written: service)).isEmpty)
    }

    @Test func kindsFromTheFutureHaveNoWords() {
        #expect(terms.terms(for: ServiceIdentifier(kind: .init(rawValue: 99), value: "example.com")).isEmpty)
    }

    @Test("S10: hosts below one public suffix share no word that a page looks for")
    func hostsBelowAPublicSuffixShareNoWord() throws {
        for (one, other) in [("a.github.io", "b.github.io"), ("a.co.uk", "b.co.uk"), ("a.com", "b.com")] {
            let page = try #require(Origin(written: other))
            #expect(Set(terms.terms(for: ServiceIdentifier(written: one))).isDisjoint(with: terms.terms(for: page)))
        }
    }

    @Test("S19: a page looks for the sites that share accounts with it, and indexes do not change with the groups")
    func sharedSitesAreLookedFor() throws {
        let shared = IndexTerms(Vectors.quirks)
        let page = try #require(Origin(url: "https://www.shiny-store.example"))
        #expect(
            Set(shared.terms(for: page)) == ["site:shiny-store.example", "site:example.com", "site:sparkle.example"])
        #expect(shared.version == terms.version)
        #expect(
            shared.terms(for: ServiceIdentifier(written: "t.example"))
                == terms.terms(for: ServiceIdentifier(written: "t.example")))
    }
}
