// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillIPC
import AutoFillMatching
import AutoFillRelease
import AutoFillSecrets
import SecurityCodes
import Testing

@testable import AutoFillDaemon
@testable import DaemonTesting

@Suite struct CodeOffersTests {
    private let offers = CodeOffers(.distribution)

    private func standing(
        _ boundTo: String?, _ embedded: String? = nil, at chain: String...
    ) throws -> CodeOffers.Standing {
        offers.standing(
            of: SecurityCode(text: "1", boundTo: boundTo, embedded: embedded), in: try #require(verified(chain)).chain)
    }

    @Test("S32: a bound code is for the pages of its site and for no others")
    func boundCodesStayOnTheirSite() throws {
        #expect(try standing("shop.example", at: "https://shop.example") == .bound)
        #expect(
            try standing("shop.example", at: "https://login.shop.example")
                == .site(bound: "shop.example", field: "login.shop.example"))
        for place in [
            "https://evil.example", "https://evilshop.example", "https://shop.example.evil.test",
            "https://xn--shp-0na.example", "https://1.2.3.4",
        ] {
            #expect(try standing("shop.example", at: place) == .refused(.otherSite))
        }
        for place in ["http://shop.example", "https://shop.example:8443", "http://localhost"] {
            #expect(try standing("shop.example", at: place) == .refused(.otherOrigin))
        }
    }

    @Test("S10, S32: hosts of one public suffix are no site")
    func publicSuffixesAreNoSite() throws {
        #expect(try standing("a.github.io", at: "https://b.github.io") == .refused(.otherSite))
        #expect(try standing("github.io", at: "https://b.github.io") == .refused(.otherSite))
    }

    @Test("S32: a framed page gets a code that names it, and only inside the page that the code names too")
    func framedPages() throws {
        let (shop, pay) = ("https://shop.example", "https://pay.test")
        #expect(try standing("shop.example", "pay.test", at: pay, shop) == .bound)
        #expect(try standing("shop.example", at: pay, shop) == .refused(.forTopLevelDocument))
        #expect(try standing("shop.example", "pay.test", at: shop) == .refused(.forFramedDocument))
        #expect(try standing("shop.example", "pay.test", at: pay, "https://evil.test") == .refused(.otherSite))
        #expect(try standing("shop.example", "pay.test", at: "https://evil.test", shop) == .refused(.otherEmbeddedSite))
        #expect(
            try standing("shop.example", "pay.test", at: pay, "https://evil.test", shop) == .refused(.otherAncestor))
        // The code of the page around it is not for the frame, and not for the page of the frame's own site.
        #expect(try standing("shop.example", at: "https://evil.test", shop) == .refused(.forTopLevelDocument))
    }

    @Test("S32: an app gets the codes of the hosts that name it, and of no others of their sites")
    func appsByTheirVerifiedHosts() {
        func standing(_ boundTo: String?, _ hosts: [String]) -> CodeOffers.Standing {
            offers.standing(
                of: SecurityCode(text: "1", boundTo: boundTo),
                forAppWith: hosts.compactMap(AssociatedHost.init(written:)))
        }
        #expect(standing("shop.example", ["other.test", "shop.example"]) == .bound)
        #expect(standing("Login.Shop.example", ["*.shop.example"]) == .bound)
        #expect(standing("shop.example", ["app.shop.example"]) == .refused(.otherSite))
        #expect(standing("evilshop.example", ["*.shop.example"]) == .refused(.otherSite))
        #expect(standing("shop.example", ["*.shop.example"]) == .refused(.otherSite))
        #expect(standing("shop.example", ["evil.test"]) == .refused(.otherSite))
        #expect(standing("shop.example", []) == .refused(.otherSite))
        #expect(standing(nil, []) == .unbound)
    }

    @Test("S32: an unbound code is offered everywhere, and never first where a bound one was refused")
    func unboundCodesComeLast() throws {
        let here = try #require(verified("https://shop.example")).chain
        let codes = [
            received("1111", at: 9), received("2222", at: 8, boundTo: "bank.test"),
            received("3333", at: 7, boundTo: "www.shop.example"), received("4444", at: 6, boundTo: "shop.example"),
            received("5555", at: 5), received("6666", at: 4, boundTo: "bank.test"),
        ]
        let (offered, withheld) = offers.offers(of: codes, in: here)
        #expect(offered.map(\.code.id.prefix4) == ["4444", "3333", "1111", "5555"])
        #expect(withheld == ["bank.test"])
        #expect(try standing(nil, at: "http://shop.example", "https://a.test") == .unbound)
    }

    @Test func everyStandingHasASentence() throws {
        for standing in [
            CodeOffers.Standing.bound, .unbound, .site(bound: "a.test", field: "b.a.test"), .refused(.otherSite),
        ] {
            #expect(standing.sentence.hasSuffix("."))
            #expect(standing.basis == nil || !standing.refusedBecause.isEmpty)
        }
        #expect(CodeOffers.Standing.refused(.otherSite).refusedBecause == "the code is bound to another site")
    }

    // MARK: Boxes

    private func spread(_ code: String, into count: Int) -> [String] {
        let fields = (0..<count).map { FieldRoleAnswer(ref: $0 + 10, role: "one-time-code") }
        let secret = WireSecret(SecretBytes(utf8: code))
        let spread = CodeSpread(fields)
        let fills = spread.fills(secret)
        #expect((spread.misfit(of: HeldSecret(secret)) == nil) == !fills.isEmpty)
        #expect(fills.allSatisfy { $0.role == "one-time-code" })
        #expect(fills.map(\.ref) == (0..<fills.count).map { $0 + 10 })
        return fills.map(\.value.bytes.text)
    }

    @Test func aCodeGoesIntoOneFieldOrACharacterIntoEachBox() {
        #expect(spread("123456", into: 1) == ["123456"])
        #expect(spread("123456", into: 6) == ["1", "2", "3", "4", "5", "6"])
        #expect(spread("AB-12", into: 5) == ["A", "B", "-", "1", "2"])
        #expect(spread("123456", into: 4) == [])
        #expect(spread("1234", into: 6) == [])
        #expect(spread("1234", into: 0) == [])
    }
}

extension String {
    fileprivate var prefix4: String { String(prefix(4)) }
}
