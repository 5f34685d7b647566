// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

@Suite struct LookalikesTests {
    private let lookalikes = Lookalikes(Vectors.quirks)
    private let terms = IndexTerms(Vectors.quirks)

    private func saved(_ text: String) -> SavedService { SavedService(ServiceIdentifier(written: text)) }

    @Test("S20: an imitation is told from a stranger", arguments: Vectors.imitations)
    func imitations(row: Vectors.Imitation) throws {
        let page = try #require(Origin(url: row.page))
        let verdict = lookalikes.verdict(saved: saved(row.saved), page: page)
        #expect((verdict?.kind.rawValue ?? "none") == row.kind)
    }

    @Test(
        "S20: an imitation is found by the words of an index",
        arguments: Vectors.imitations.filter { $0.kind != "none" })
    func imitationsShareAWord(row: Vectors.Imitation) throws {
        let page = try #require(Origin(url: row.page))
        let words = Set(terms.terms(for: ServiceIdentifier(written: row.saved)))
        #expect(!words.isDisjoint(with: lookalikes.terms(for: page)))
        // It matches nothing, so that the question comes up.
        #expect(!MatchPolicy(Vectors.quirks).match(saved(row.saved), supposing: page).isOffered)
    }

    @Test func tableIsThere() {
        #expect(Vectors.imitations.count > 80)
    }

    @Test("S20: the sentence names what it is not") func sentence() throws {
        let page = try #require(Origin(url: "https://shiny.exarnple.com"))
        let found = try #require(
            lookalikes.warning(for: page, among: [saved("dull.test"), saved("shiny.example.com")]))
        #expect(found.sentence == "This is not shiny.example.com.")
        #expect(found.page == "shiny.exarnple.com")
    }

    @Test("S20: nobody is warned of a site that they saved something for") func ownSitesAreKnown() throws {
        let page = try #require(Origin(url: "https://exarnple.com"))
        #expect(lookalikes.warning(for: page, among: [saved("example.com")]) != nil)
        for own in ["exarnple.com", "www.exarnple.com", "http://exarnple.com", "exarnple.com:8443"] {
            #expect(lookalikes.warning(for: page, among: [saved("example.com"), saved(own)]) == nil)
        }
        // And such services are among what the page's words find.
        #expect(lookalikes.terms(for: page).contains("site:exarnple.com"))
    }

    @Test("S20: one edit is found, two are not, whatever they are", arguments: 0..<300)
    func editsAreFound(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let label = generator.label(6...20)
        var edited = Array(label)
        let place = Int.random(in: 1..<edited.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: edited.insert("x", at: place)
        case 1: edited.remove(at: place)
        case 2: edited[place] = edited[place] == "x" ? "y" : "x"
        default: edited.swapAt(place, place - 1)
        }
        guard String(edited) != label, edited.first != "-", let page = Origin(url: "https://\(String(edited)).test")
        else { return }
        let words = Set(terms.terms(for: ServiceIdentifier(written: "\(label).example")))
        #expect(!words.isDisjoint(with: lookalikes.terms(for: page)))
        #expect(lookalikes.verdict(saved: saved("\(label).example"), page: page) != nil)
        let far = try #require(Origin(url: "https://\(String(edited))zz.test"))
        #expect(lookalikes.verdict(saved: saved("\(label).example"), page: far) == nil || label.contains("z"))
    }

    @Test func hostileNamesCostLittle() throws {
        let many = Array(repeating: "a", count: 120).joined(separator: ".")
        let page = try #require(Origin(url: "https://\(many)"))
        #expect(lookalikes.terms(for: page).count < 64)
        let long = String(repeating: "ab", count: 31)
        let other = try #require(Origin(url: "https://\(long).test"))
        #expect(lookalikes.terms(for: other).count < 128)
    }

    @Test(
        "S20: a name is shown in its own letters only where it cannot be mistaken",
        arguments: [
            ("xn--bcher-kva.example", "bücher.example"), ("xn--fa-hia.example", "faß.example"),
            ("xn--85x722f.xn--55qx5d.cn", "食狮.公司.cn"), ("example.com", "example.com"),
            ("xn--80ak6aa92e.com", "xn--80ak6aa92e.com"), ("xn--pple-43d.com", "xn--pple-43d.com"),
            ("xn--e1afmkfd.xn--p1ai", "пример.рф"), ("xn--mnchen-3ya.de", "münchen.de"), ("[::1]", "[::1]"),
            ("xn--ggle-55da.com", "xn--ggle-55da.com"), ("a-b.example", "a-b.example"),
        ])
    func displayForm(host: String, shown: String) throws {
        #expect(Origin(scheme: .https, host: host)?.displayHost == shown)
    }
}
