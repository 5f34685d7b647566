// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

@Suite struct IndexTermsTests {
    @Test(arguments: [
        ("shiny.example.com", ["site:example.com"]), ("https://a.b.example.co.uk/x", ["site:example.co.uk"]),
        ("a.github.io", ["site:a.github.io"]), ("github.io", ["site:github.io"]), ("localhost", ["site:localhost"]),
        ("127.0.0.1", ["site:127.0.0.1"]), ("[::1]:8080", ["site:[::1]"]), ("com", ["site:com"]),
        ("printer.local", ["site:printer.local"]),
    ])
    func sitesAreIndexedByRegistrableDomain(service: String, terms: [String]) {
        #expect(IndexTerms.terms(for: ServiceIdentifier(written: service)) == terms)
    }

    @Test func appsHaveWordsThatNoSiteHas() {
        let service = ServiceIdentifier(kind: .app, value: "example.com")
        #expect(IndexTerms.terms(for: service) == ["app:example.com"])
    }

    @Test(arguments: ["", "a b", "user@example.com", "bücher.example", "ftp://example.com", "*.example.com"])
    func whatIsNoWebOriginHasNoWords(service: String) {
        #expect(IndexTerms.terms(for: ServiceIdentifier(written: service)).isEmpty)
    }

    @Test func kindsFromTheFutureHaveNoWords() {
        let service = ServiceIdentifier(kind: .init(rawValue: 99), value: "example.com")
        #expect(IndexTerms.terms(for: service).isEmpty)
    }

    @Test("S10: hosts below one public suffix share no word")
    func hostsBelowAPublicSuffixShareNoWord() {
        for (one, other) in [("a.github.io", "b.github.io"), ("a.co.uk", "b.co.uk"), ("a.com", "b.com")] {
            #expect(
                Set(IndexTerms.terms(for: ServiceIdentifier(written: one)))
                    .isDisjoint(with: IndexTerms.terms(for: ServiceIdentifier(written: other))))
        }
    }
}
