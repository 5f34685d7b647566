// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillMatching

@Suite struct OriginVerifierTests {
    private let own = "https://shiny.example.com"

    private func verify(_ origins: [String]) -> Result<VerifiedOrigin, OriginVerifier.Refusal> {
        OriginVerifier.verify(
            origins.enumerated().map {
                ClaimedDocument(origin: ClaimedOrigin($0.element), documentIdentifier: "D\($0.offset)")
            })
    }

    @Test(arguments: [1, 2, 32])
    func chainOfOneOriginIsVerified(count: Int) throws {
        let verified = try verify(Array(repeating: own, count: count)).get()
        #expect(verified.origin == Origin(url: own))
        #expect(verified.documentIdentifier == "D0")
    }

    @Test func spellingsOfOneOriginAreOneOrigin() throws {
        _ = try verify([own, "https://SHINY.example.com:443", "https://shiny.example.com."]).get()
    }

    @Test func emptyChainIsRefused() {
        #expect(verify([]) == .failure(.noDocument))
    }

    @Test func documentWithoutANameIsRefused() {
        let document = ClaimedDocument(origin: ClaimedOrigin(own), documentIdentifier: "")
        #expect(OriginVerifier.verify([document]) == .failure(.noDocument))
    }

    @Test func chainThatIsTooLongIsRefused() {
        #expect(verify(Array(repeating: own, count: 33)) == .failure(.chainTooLong))
    }

    @Test(
        "S8, S9: opaque and inherited origins are refused",
        arguments: [
            "null", "", "about:blank", "about:srcdoc", "data:text/html,x", "blob:https://shiny.example.com/x",
            "file://",
            "javascript:void(0)", "chrome-extension://malldjagemimmcmdgodgcdpnfmccpage", "https://",
            "https://user@shiny.example.com", "https:shiny.example.com", "https:\\\\shiny.example.com",
            " https://shiny.example.com", "https://bücher.example", "https://shiny%2Eexample.com",
        ])
    func opaqueOriginIsRefused(origin: String) {
        #expect(verify([origin]) == .failure(.opaqueOrigin))
        #expect(verify([own, origin]) == .failure(.opaqueAncestor))
        #expect(verify([own, origin, own]) == .failure(.opaqueAncestor))
        #expect(verify([origin, own]) == .failure(.opaqueOrigin))
    }

    @Test(
        "S6: an ancestor of another origin is part of the chain, which is matched by the form's own document",
        arguments: [
            "https://evil.com", "https://shiny.example.com:8443", "https://example.com",
            "https://shiny.example.com.evil.com", "http://localhost",
        ])
    func ancestorOfAnotherOriginIsKept(other: String) throws {
        let verified = try verify([own, own, other]).get()
        #expect(verified.origin == Origin(url: own))
        #expect(verified.chain.ancestors == [own, other].compactMap { Origin(url: $0) })
        #expect(verified.chain.top == Origin(url: other))
        // Another page around the same frame is another verified origin.
        #expect(try verified != verify([own, own, own]).get())
        #expect(try verify([own]).get().chain.top == Origin(url: own))
    }

    @Test(
        "S14: an ancestor that was not delivered securely is refused",
        arguments: ["http://evil.com", "http://shiny.example.com", "http://10.0.0.1", "http://printer.local"])
    func insecureAncestorIsRefused(other: String) {
        #expect(verify([own, other]) == .failure(.insecureAncestor))
        #expect(verify([own, other, own]) == .failure(.insecureAncestor))
        #expect(verify([other, other]) == .failure(.insecureAncestor))
        #expect((try? verify([other]).get()) != nil)
    }
}
