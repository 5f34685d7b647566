// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import AutoFillMatching

@Suite struct SharedCredentialsTests {
    private let suffixes = PublicSuffixes.distribution

    private func read(_ json: String) throws -> SharedCredentials { try SharedCredentials(json: Data(json.utf8)) }

    @Test(
        "S19: a file that is not of the format is refused whole, with the place",
        arguments: [
            ("", "it is not JSON"), ("[", "it is not JSON"), ("{}", "it is not an array of groups"),
            ("null", "it is not an array of groups"), ("[1]", "group 1 is not of the format"),
            (#"[{"shared": ["a.example", "b.example"]}, null]"#, "group 2 is not of the format"),
            (#"[{"shared": "a.example"}]"#, "group 1 is not of the format"),
            (#"[{"shared": ["a.example", 1]}]"#, "group 1 is not of the format"),
            (#"[{"shared": null}]"#, "group 1 is not of the format"),
            (#"[{}]"#, "group 1 has to have"), (#"[{"from": ["a.example"]}]"#, "group 1 has to have"),
            (#"[{"to": ["a.example"]}]"#, "group 1 has to have"),
            (#"[{"shared": ["a.example", "b.example"], "to": ["c.example"]}]"#, "group 1 has to have"),
            (#"[{"from": ["a.example"], "to": ["b.example"], "fromDomainsAreObsoleted": "yes"}]"#, "group 1 is not"),
            (#"[{"shared": []}]"#, "fewer than 2"), (#"[{"shared": ["a.example"]}]"#, "fewer than 2"),
            (#"[{"shared": ["a.example", "A.EXAMPLE."]}]"#, "fewer than 2"),
            (#"[{"from": [], "to": ["a.example"]}]"#, "fewer than 1"),
            (#"[{"shared": ["a.example", "com"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "localhost"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "127.0.0.1"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "[::1]"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", ""]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "*.b.example"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", ".b.example"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "https://b.example"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "b.example/x"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "b.example:443"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "u@b.example"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "b c.example"]}]"#, "not a domain"),
            (#"[{"shared": ["a.example", "b%2Eexample.com"]}]"#, "not a domain"),
        ])
    func refusesWhatIsNotOfTheFormat(json: String, reason: String) {
        #expect { try read(json) } throws: { "\($0)".contains(reason) }
    }

    @Test func deepNestingIsRefused() {
        let json = String(repeating: "[", count: 100_000)
        #expect(throws: SharedCredentials.Failure.self) { try read(json) }
    }

    @Test func groupsThatAreTooManyOrTooLargeAreRefused() {
        let domains = (0...1_000).map { "\"d\($0).example\"" }.joined(separator: ",")
        #expect { try read("[{\"shared\": [\(domains)]}]") } throws: { "\($0)".contains("more than 1000") }
    }

    @Test func emptyFileSharesNothing() throws {
        let shared = try read("[]")
        #expect(shared.count == 0)
        #expect(!shared.shares(savedFor: "a.example", with: "b.example", suffixes: suffixes))
        #expect(shared.domains(sharingWith: "a.example", suffixes: suffixes).isEmpty)
    }

    @Test func pageAsksForTheDomainsThatGive() throws {
        let shared = Vectors.quirks.shared
        func domains(_ page: String) -> Set<String> { Set(shared.domains(sharingWith: page, suffixes: suffixes)) }
        #expect(
            domains("www.shiny-store.example") == ["shiny.example.com", "shiny-store.example", "shop.sparkle.example"])
        #expect(domains("new-bank.example") == ["old-bank.example", "older-bank.example"])
        #expect(domains("old-bank.example").isEmpty)
        #expect(domains("airline.example") == ["airline.example", "xn--bcher-kva.example", "hotel.example"])
        #expect(domains("example.com").isEmpty && domains("a.github.io").isEmpty && domains("127.0.0.1").isEmpty)
    }

    @Test func wordsOfOnePageAreBounded() throws {
        let groups = (0..<10).map { group in
            "{\"shared\": [\"hub.example\", " + (0..<200).map { "\"d\($0).g\(group).example\"" }.joined(separator: ",")
                + "]}"
        }
        let shared = try read("[\(groups.joined(separator: ","))]")
        #expect(shared.domains(sharingWith: "hub.example", suffixes: suffixes).count == 256)
    }

    @Test func sitesThatAskForOthersCredentials() {
        let shared = Vectors.quirks.shared
        #expect(
            shared.asksForOtherServices("aggregator.example") && shared.asksForOtherServices("www.aggregator.example"))
        #expect(!shared.asksForOtherServices("example") && !shared.asksForOtherServices("xaggregator.example"))
    }

    @Test func appDomainsAreRead() {
        #expect(Vectors.quirks.shared.appDomains == ["E5336VM85F.com.example.Shiny": ["shiny.example.com"]])
    }

    @Test(arguments: [
        "[]", "{\"x\": []}", "{\"A.b\": [\"com\"]}", "{\"A.b\": [1]}", "{\"A b.c\": [\"a.example\"]}",
        "{\"\": [\"a.example\"]}",
    ])
    func badAppDomainsAreRefused(json: String) {
        #expect(throws: SharedCredentials.Failure.self) {
            try SharedCredentials(json: Data("[]".utf8), appDomains: Data(json.utf8))
        }
    }

    // MARK: The files of today

    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: Vectors.shared + "/quirks"),
            "skipped: Apple's files are not on this machine"))
    func appleFilesAreRead() throws {
        let quirks = QuirksFolders(named: Vectors.shared + "/quirks").load()
        #expect(quirks.problems == [])
        #expect(quirks.shared.count > 90)
        #expect(quirks.shared.appDomains.count > 10)
        #expect(quirks.shared.asksForOtherServices("plaid.com"))
        let policy = MatchPolicy(quirks)
        #expect(policy.outcome("twitter.com", on: ["https://x.com"]) == ("shared", ["shared"]))
        #expect(policy.outcome("x.com", on: ["https://twitter.com"]) == ("refused:otherHost", []))
        #expect(policy.outcome("klm.com", on: ["https://www.airfrance.com"]) == ("shared", ["shared"]))
        // Historical.
        #expect(policy.outcome("amazon.com", on: ["https://amazon.de"]) == ("refused:otherHost", []))
    }
}
