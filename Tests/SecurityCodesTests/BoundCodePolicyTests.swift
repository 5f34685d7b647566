// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import SecurityCodes
import Testing

/// Who may be offered a bound code. What is one site stands here in a table: the last two labels.
@Suite struct BoundCodePolicyTests {
    private let policy = BoundCodePolicy { first, second in
        func site(_ host: String) -> [Substring] { Array(host.split(separator: ".").suffix(2)) }
        return site(first) == site(second) && site(first).count == 2
    }

    private func verdict(_ top: String, _ embedded: String?, _ document: String, _ ancestors: [String] = [])
        -> BoundCodeVerdict?
    {
        func origin(_ text: String) -> DocumentOrigin { text == "null" ? .other : .host(text) }
        let field = CodeField(document: origin(document), ancestors: ancestors.map(origin))
        return policy.verdict(on: SecurityCode(text: "123456", boundTo: top, embedded: embedded), for: field)
    }

    @Test(
        "S32: A code for a top-level page is offered at its site and nowhere else.",
        arguments: [
            ("example.com", "example.com", BoundCodeVerdict.origin), ("EXAMPLE.com", "example.com", .origin),
            ("example.com", "login.example.com", .site(bound: "example.com", field: "login.example.com")),
            ("login.example.com", "example.com", .site(bound: "login.example.com", field: "example.com")),
            ("example.com", "example.org", .refused(.otherSite)),
            ("example.com", "notexample.com", .refused(.otherSite)),
            ("example.com", "example.com.evil.test", .refused(.otherSite)),
            ("example.com", "null", .refused(.otherOrigin)),
            ("example.com:8443", "example.com", .refused(.invalidHost)),
            ("https://example.com", "example.com", .refused(.invalidHost)),
            ("example.com/", "example.com", .refused(.invalidHost)), (".", "example.com", .refused(.invalidHost)),
            ("com", "example.com", .refused(.otherSite)), ("exämple.com", "example.com", .refused(.invalidHost)),
            ("example.com.", "example.com", .refused(.invalidHost)),
            ("-example.com", "example.com", .refused(.invalidHost)),
        ])
    func topLevel(bound: String, document: String, expected: BoundCodeVerdict) {
        #expect(verdict(bound, nil, document) == expected)
    }

    @Test("S32: A code for a framed page is offered there, below its top-level site, and nowhere else.")
    func framed() {
        let (shop, pay) = ("shop.test", "pay.example")
        #expect(verdict(shop, pay, pay, [shop]) == .origin)
        #expect(verdict(shop, pay, "a.pay.example", [shop]) == .site(bound: pay, field: "a.pay.example"))
        #expect(verdict(shop, pay, pay, ["www.shop.test"]) == .site(bound: pay, field: pay))
        #expect(verdict(shop, pay, pay, ["b.pay.example", shop, shop]) == .origin)
        // At the top level, though it is of either site.
        #expect(verdict(shop, pay, shop) == .refused(.forFramedDocument))
        #expect(verdict(shop, pay, pay) == .refused(.forFramedDocument))
        // Framed, though the code names no embedded host.
        #expect(verdict(shop, nil, shop, [shop]) == .refused(.forTopLevelDocument))
        #expect(verdict(shop, nil, pay, [shop]) == .refused(.forTopLevelDocument))
        // Others in the frame, in between, on top.
        #expect(verdict(shop, pay, "evil.test", [shop]) == .refused(.otherEmbeddedSite))
        #expect(verdict(shop, pay, shop, [shop]) == .refused(.otherEmbeddedSite))
        #expect(verdict(shop, pay, pay, ["evil.test", shop]) == .refused(.otherAncestor))
        #expect(verdict(shop, pay, pay, ["evil.test"]) == .refused(.otherSite))
        #expect(verdict(shop, pay, pay, [pay]) == .refused(.otherSite))
        #expect(verdict(shop, pay, pay, ["null", shop]) == .refused(.otherOrigin))
        #expect(verdict(shop, pay, pay, ["null"]) == .refused(.otherOrigin))
        #expect(verdict(shop, pay, "null", [shop]) == .refused(.otherOrigin))
        #expect(verdict(shop, "pay.example:1", pay, [shop]) == .refused(.invalidHost))
    }

    @Test("S32: An app is offered a code for a domain that is associated with it.")
    func apps() {
        let code = SecurityCode(text: "123456", boundTo: "example.com")
        #expect(policy.verdict(on: code, forAppWith: ["other.test", "example.com"]) == .origin)
        #expect(
            policy.verdict(on: code, forAppWith: ["www.example.com"])
                == .site(bound: "example.com", field: "www.example.com"))
        #expect(policy.verdict(on: code, forAppWith: ["other.test"]) == .refused(.otherSite))
        #expect(policy.verdict(on: code, forAppWith: []) == .refused(.otherSite))
        let framed = SecurityCode(text: "123456", boundTo: "example.com", embedded: "pay.example")
        #expect(policy.verdict(on: framed, forAppWith: ["example.com"]) == .refused(.forFramedDocument))
    }

    @Test func saysNothingAboutCodesThatAreNotBound() {
        let code = SecurityCode(text: "123456", embedded: "example.com")
        #expect(policy.verdict(on: code, for: CodeField(document: .host("example.com"))) == nil)
        #expect(code.embedded == nil)
    }

    @Test func everyRefusalHasItsReason() {
        #expect(Set(BoundCodeRefusal.allCases.map(\.description)).count == BoundCodeRefusal.allCases.count)
    }
}
