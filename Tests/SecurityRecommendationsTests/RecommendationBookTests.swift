// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@testable import SecurityRecommendations

@Suite struct RecommendationBookTests {
    private static let strong = "rWibMFACxAUGZmxhVncy"

    private struct Saved {
        let id: String
        let service: String
        var user = "rmondello"
        let password: String
        var version: Int64 = 1

        var account: JudgedAccount { .init(id: id, services: [service], user: user, version: version) }
    }

    private func book(_ saved: [Saved], leaks: [String: Int] = [:]) throws -> RecommendationBook {
        var book = try #require(RecommendationBook())
        book.replace(saved.map(\.account))
        judge(&book, saved, leaks: leaks)
        return book
    }

    private func judge(_ book: inout RecommendationBook, _ saved: [Saved], leaks: [String: Int] = [:]) {
        for one in saved {
            book.take(
                Judgement(
                    of: SecretBytes(utf8: one.password), in: one.account, key: book.key, leaks: leaks[one.password]),
                of: one.id)
        }
    }

    @Test func saysNothingOfAStrongPassword() throws {
        #expect(try book([Saved(id: "1", service: "example.com", password: Self.strong)]).recommendations().isEmpty)
    }

    @Test(arguments: [
        ("password", Finding.Kind.default), ("rmondello", .default), ("monkey1", .short), ("Winter2019!", .weak),
        ("example2019", .weak), ("nEf-6aC-rEd-vUx", .old), ("", .short),
    ])
    func finds(password: String, kind: Finding.Kind) throws {
        let found = try book([Saved(id: "1", service: "example.com", password: password)]).recommendations()
        #expect(found.first?.findings.contains { $0.kind == kind } == true)
    }

    @Test func ranksWhatLeakedFirst() throws {
        let found = try book(
            [
                Saved(id: "old", service: "a.com", password: "nEf-6aC-rEd-vUx"),
                Saved(id: "weak", service: "b.com", password: "Winter2019!"),
                Saved(id: "leaked", service: "c.com", password: Self.strong),
                Saved(id: "default", service: "d.com", password: "changeme"),
            ], leaks: [Self.strong: 2]
        ).recommendations()
        #expect(found.map(\.account.id) == ["leaked", "default", "weak", "old"])
        #expect(found[0].findings[0].reason.contains("2 times"))
    }

    @Test func findsReuseAcrossSites() throws {
        let saved = ["a.com", "b.com", "c.co.uk"].map { Saved(id: $0, service: $0, password: Self.strong) }
        let found = try book(saved).recommendations()
        #expect(found.count == 3)
        #expect(found[0].findings == [Finding(.reused, number: 2, accounts: ["b.com", "c.co.uk"])])
    }

    @Test func sparesOneAccountSystem() throws {
        let saved = [
            Saved(id: "1", service: "login.example.com", password: Self.strong),
            Saved(id: "2", service: "https://www.example.com:8443/x", password: Self.strong),
            Saved(id: "3", service: "example.org", password: Self.strong),
        ]
        let book = try book(saved)
        #expect(book.recommendations().count == 3)
        #expect(book.recommendations(sites: AccountSites(groups: [["example.com", "example.org"]])).isEmpty)
    }

    @Test func keepsNeighboursUnderAPublicSuffixApart() throws {
        let saved = ["one.co.uk", "two.co.uk"].map { Saved(id: $0, service: $0, password: Self.strong) }
        #expect(try book(saved).recommendations().count == 2)
    }

    /// An address has no site: the last numbers of two machines are no domain that both are under.
    @Test(arguments: [
        ["192.168.0.10", "10.8.0.10"], ["http://192.168.1.1/", "10.0.1.1:8080"], ["[::1]", "[fe80::1]:443"],
    ])
    func keepsMachinesWithoutNamesApart(services: [String]) throws {
        let saved = services.map { Saved(id: $0, service: $0, password: Self.strong) }
        #expect(try book(saved).recommendations().count == 2)
    }

    @Test func sparesASiteThatIsInTwoGroups() throws {
        let sites = AccountSites(groups: [["a.com", "b.com"], ["b.com", "c.com"]])
        for (pair, isReuse) in [
            (["a.com", "b.com"], false), (["b.com", "c.com"], false), (["a.com", "c.com"], true),
        ] {
            let saved = pair.map { Saved(id: $0, service: $0, password: Self.strong) }
            #expect(try book(saved).recommendations(sites: sites).isEmpty != isReuse)
        }
    }

    @Test func forgetsWhatIsToBeJudgedAgain() throws {
        let saved = ["a.com", "b.com"].map { Saved(id: $0, service: $0, password: "password") }
        var book = try book(saved)
        book.forgetJudgements(of: ["a.com", "nobody"])
        #expect(book.unjudged.map(\.id) == ["a.com"])
        #expect(book.recommendations().map(\.account.id) == ["b.com"])
        #expect(book.recommendations()[0].findings.allSatisfy { $0.kind != .reused })
    }

    @Test func judgesAgainOnlyWhatChanged() throws {
        var saved = [
            Saved(id: "1", service: "a.com", password: "password"),
            Saved(id: "2", service: "b.com", password: "password"),
        ]
        var book = try book(saved)
        #expect(book.unjudged.isEmpty)
        saved[0].version = 2
        book.replace(saved.map(\.account))
        #expect(book.unjudged.map(\.id) == ["1"])
        // What was judged of the old one is not taken for the new one.
        judge(&book, [Saved(id: "1", service: "a.com", password: "password")])
        #expect(book.unjudged.map(\.id) == ["1"])
        judge(&book, [saved[0]])
        #expect(book.unjudged.isEmpty)
        book.remove("1")
        #expect(book.recommendations().count == 1)
        #expect(book.recommendations()[0].findings.allSatisfy { $0.kind != .reused })
    }

    @Test func hidesUntilThereIsSomethingNew() throws {
        let saved = [Saved(id: "1", service: "a.com", password: "Winter2019!")]
        var book = try book(saved)
        let hidden: [String: Set<Finding.Kind>] = ["1": [.weak]]
        #expect(book.recommendations(hidden: hidden)[0].isHidden)
        book.take(leaks: 4, of: "1")
        #expect(!book.recommendations(hidden: hidden)[0].isHidden)
    }

    @Test func asksForRangesWithoutSayingWhose() throws {
        var book = try #require(RecommendationBook())
        let account = JudgedAccount(id: "1", services: ["a.com"], user: "u", version: 1)
        book.update(account)
        book.take(
            Judgement(of: SecretBytes(utf8: "password"), in: account, key: book.key, leaks: nil, needsRange: true),
            of: "1")
        #expect(book.ranges == ["5BAA6"])
        #expect(book.accounts(inRange: "5BAA6") == ["1"])
        book.take(leaks: 0, of: "1")
        #expect(book.ranges.isEmpty)
    }

    @Test func saysNothingOfPasswordsInItsWords() throws {
        let found = try book([Saved(id: "1", service: "a.com", password: "changeme")]).recommendations()
        for finding in found[0].findings { #expect(!(finding.reason + finding.advice).contains("changeme")) }
    }

    @Test func tellsOneAccountAsItTellsAll() throws {
        let saved = ["a.com", "b.com"].map { Saved(id: $0, service: $0, password: "Winter2019!") }
        let book = try book(saved)
        #expect(book.recommendation(for: "a.com") == book.recommendations().first { $0.account.id == "a.com" })
        #expect(book.recommendation(for: "none") == nil)
    }
}
