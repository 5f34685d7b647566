// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

/// What an app may have whose associations are verified.
@Suite struct AssociatedHostTests {
    private let policy = MatchPolicy(.none)

    private func match(_ saved: String, _ hosts: [String], isStrict: Bool = false) throws -> Match {
        let associations = try hosts.map { try #require(AssociatedHost(written: $0)) }
        return policy.match(
            SavedService(ServiceIdentifier(written: saved), isStrict: isStrict), associated: associations)
    }

    @Test(arguments: [
        ("shiny.example.com", ["shiny.example.com"]),
        ("https://shiny.example.com/x", ["other.test", "shiny.example.com"]),
        ("http://shiny.example.com", ["shiny.example.com"]), ("a.example.com", ["*.example.com"]),
        ("a.b.example.com", ["*.example.com"]), ("a.github.io", ["a.github.io"]), ("localhost", ["localhost"]),
    ])
    func associatedHosts(saved: String, hosts: [String]) throws {
        let match = try match(saved, hosts)
        #expect(match.decision == .associated)
        #expect(match.consent.isEmpty)
        #expect(match.needsLabel)
    }

    @Test(
        "S21: an app has nothing of sites that do not name it",
        arguments: [
            ("shiny.example.com", []), ("shiny.example.com", ["shiny.example.net"]),
            ("example.com", ["evilexample.com"]),
            ("a.github.io", ["b.github.io"]), ("a.github.io", ["*.github.io"]), ("a.github.io", ["github.io"]),
            ("a.co.uk", ["*.co.uk"]), ("example.com", ["*.com"]), ("example.com", ["example.com.evil.test"]),
            ("example.com", ["www.example.com"]), ("a.example.com", ["example.com"]),
            ("example.com", ["*.example.com"]), ("http://www.example.com", ["example.com"]),
            ("a.localhost", ["localhost"]), ("127.0.0.1", ["127.0.0.2"]), ("com", ["*.com"]), ("example.com", ["com"]),
        ])
    func othersAreRefused(saved: String, hosts: [String]) throws {
        #expect(try match(saved, hosts).refusal == .notAssociated)
    }

    @Test("S12: strict items go to apps that their very host names") func strictItems() throws {
        #expect(try match("shiny.example.com", ["shiny.example.com"], isStrict: true).decision == .associated)
        #expect(try match("a.example.com", ["*.example.com"], isStrict: true).refusal == .strict)
        #expect(try match("a.example.com", ["*.example.com", "a.example.com"], isStrict: true).isOffered)
        #expect(try match("example.com", ["www.example.com"], isStrict: true).isOffered == false)
    }

    @Test("S14, S15: associations are over https on its own port") func schemesAndPorts() throws {
        #expect(try match("shiny.example.com:8443", ["shiny.example.com"]).refusal == .otherPort)
        #expect(try match("http://shiny.example.com:8080", ["shiny.example.com"]).isOffered == false)
    }

    @Test("S22: what was saved for an app is not a site's") func appsAreNoSites() {
        let service = ServiceIdentifier(kind: .app, value: "shiny.example.com")
        #expect(policy.match(SavedService(service), associated: []).refusal == .unreadableService)
    }

    @Test(arguments: [
        "", "*", "*.", "*.*.example.com", "**.example.com", "a.*.example.com", "https://example.com", "example.com/x",
        "example.com:443", "[::1]", "user@example.com", "example .com",
    ])
    func whatIsNoHostIsNothing(text: String) {
        #expect(AssociatedHost(written: text) == nil)
    }

    @Test func wordsFindWhatMatches() throws {
        let hosts = try ["*.example.com", "b.github.io"].map { try #require(AssociatedHost(written: $0)) }
        let terms = IndexTerms(.none)
        #expect(Set(terms.terms(for: hosts)) == ["site:example.com", "site:b.github.io"])
    }
}
