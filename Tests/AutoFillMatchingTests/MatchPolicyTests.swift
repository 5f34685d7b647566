// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@testable import AutoFillMatching

/// The decision, by the tables of `Tests/Vectors/matching` and by properties.
@Suite struct MatchPolicyTests {
    private let policy = MatchPolicy(.none)

    private func expect(
        _ pair: Vectors.Pair, _ policy: MatchPolicy, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let outcome = policy.outcome(pair.saved, isStrict: pair.isStrict, on: pair.documents)
        #expect(outcome.decision == pair.decision, sourceLocation: sourceLocation)
        #expect(outcome.asked == pair.asked, sourceLocation: sourceLocation)
    }

    @Test func tablesAreThereAndMostlyRefuse() {
        #expect(Vectors.pairs.count > 500)
        #expect(Vectors.pairs.filter { $0.decision.hasPrefix("refused") }.count > 350)
        #expect(Vectors.shares.count > 50)
    }

    @Test(
        "S6: a frame is matched by its own origin, and asked for in a page of another site",
        arguments: Vectors.pairs("S6"))
    func frames(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S8: an opaque origin, at the form or around it, is a refusal", arguments: Vectors.pairs("S8"))
    func opaque(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S9: what inherits an origin, or has none, is a refusal", arguments: Vectors.pairs("S9"))
    func inherited(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S10: hosts below one public suffix are strangers", arguments: Vectors.pairs("S10"))
    func suffixes(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S11: hosts are compared by label", arguments: Vectors.pairs("S11"))
    func labels(pair: Vectors.Pair) { expect(pair, policy) }

    @Test(
        "S12: the exact host first, others of its site below, none of them where the item is strict",
        arguments: Vectors.pairs("S12"))
    func sites(pair: Vectors.Pair) { expect(pair, policy) }

    @Test(
        "S14: nothing of https goes to http, and no frame is filled in an insecure page",
        arguments: Vectors.pairs("S14"))
    func schemes(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S15: another port is another service", arguments: Vectors.pairs("S15"))
    func ports(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S20: a host is what a browser would load, in whatever spelling", arguments: Vectors.pairs("S20"))
    func spellings(pair: Vectors.Pair) { expect(pair, policy) }

    @Test("S19: what a site shares is another site's, is asked for and named", arguments: Vectors.shares)
    func shared(pair: Vectors.Pair) { expect(pair, MatchPolicy(Vectors.quirks)) }

    @Test(
        "S18: without groups nothing is learned and nothing is shared",
        arguments: Vectors.shares.filter { $0.decision == "shared" })
    func nothingIsSharedWithoutGroups(pair: Vectors.Pair) {
        #expect(policy.outcome(pair.saved, on: pair.documents).decision == "refused:otherHost")
    }

    @Test("S19: the question names the site that it was saved for") func sharedConsentNamesTheSite() throws {
        let page = try #require(Origin(url: "https://www.shiny-store.example"))
        let match = MatchPolicy(Vectors.quirks).match(
            SavedService(ServiceIdentifier(written: "shiny.example.com")), supposing: page)
        #expect(match.consent == [.sharedService(savedFor: "shiny.example.com")])
        #expect(match.savedFor == "shiny.example.com")
        #expect(match.needsLabel)
    }

    @Test("S7: agreement to a frame is for this pair of origins") func frameConsentNamesBothOrigins() throws {
        let chain = ["https://shiny.example.com", "https://ads.test", "https://top.test:8443"].map {
            ClaimedDocument(origin: ClaimedOrigin($0), documentIdentifier: $0)
        }
        let verified = try OriginVerifier.verify(chain).get()
        let match = policy.match(SavedService(ServiceIdentifier(written: "shiny.example.com")), for: verified.chain)
        let top = try #require(Origin(url: "https://top.test:8443"))
        #expect(match.consent == [.frame(top: top, frame: verified.origin)])
        #expect(match.decision == .exact)
    }

    @Test(
        "S22: what was saved for an app, or for a kind of service from the future, matches no document",
        arguments: [ServiceIdentifier.Kind.app, .init(rawValue: 3), .init(rawValue: -1), .init(rawValue: .max)])
    func otherKindsMatchNothing(kind: ServiceIdentifier.Kind) throws {
        let origin = try #require(Origin(url: "https://shiny.example.com"))
        let match = policy.match(
            SavedService(ServiceIdentifier(kind: kind, value: "shiny.example.com")), supposing: origin)
        #expect(match.refusal == .unreadableService)
    }

    @Test func everyDecisionHasReasonsAndARefusalNoConsent() throws {
        for pair in Vectors.pairs + Vectors.shares {
            guard let page = pair.documents.last.flatMap({ Origin(url: $0) }) else { continue }
            let match = MatchPolicy(Vectors.quirks).match(
                SavedService(ServiceIdentifier(written: pair.saved)), supposing: page)
            #expect(!match.reason.isEmpty)
            #expect(match.isOffered || match.consent.isEmpty)
            #expect(match.isOffered || match.reason == match.refusal?.rawValue)
        }
    }

    // MARK: Properties

    @Test("S11: a label put in front without a dot never matches", arguments: 0..<200)
    func labelInFrontWithoutADotNeverMatches(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let label = generator.label(1...20)
        for host in ["example.com", "example.co.uk", "a.github.io", "www.ck"] {
            #expect(policy.outcome(host, on: ["https://\(label)\(host)"]).decision.hasPrefix("refused"))
            #expect(policy.outcome("\(label)\(host)", on: ["https://\(host)"]).decision.hasPrefix("refused"))
        }
    }

    @Test("S10: a label below a public suffix never matches its sibling", arguments: 0..<200)
    func siblingsBelowASuffixNeverMatch(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let (one, other) = (generator.label(1...12), generator.label(1...12))
        guard one != other else { return }
        for suffix in ["github.io", "co.uk", "com", "kyoto.jp", "s3.amazonaws.com", "unlisted"] {
            #expect(
                policy.outcome("\(one).\(suffix)", on: ["https://\(other).\(suffix)"]).decision == "refused:otherHost")
            #expect(
                policy.outcome("\(one).\(suffix)", on: ["https://x.\(other).\(suffix)"]).decision == "refused:otherHost"
            )
        }
    }

    @Test("S11: what stands behind a host makes it another", arguments: 0..<200)
    func labelBehindNeverMatches(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let host = "shiny.example.com"
        #expect(policy.outcome(host, on: ["https://\(host)\(generator.label(1...8))"]).decision == "refused:otherHost")
        #expect(
            policy.outcome(host, on: ["https://\(host).\(generator.label(2...8)).test"]).decision == "refused:otherHost"
        )
    }

    @Test("S12: matching by site goes both ways, and strictness only takes away", arguments: 0..<200)
    func siteIsSymmetric(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let site =
            "\(generator.label(1...9)).\(["com", "co.uk", "github.io"].randomElement(using: &generator) ?? "com")"
        guard PublicSuffixes.distribution.registrableDomain(of: site) == site else { return }
        let (one, other) = (generator.host(below: site), generator.host(below: site))
        let there = policy.outcome(one, on: ["https://\(other)"]).decision
        #expect(there == policy.outcome(other, on: ["https://\(one)"]).decision)
        #expect(there == (one == other ? "exact" : "sameSite"))
        let strict = policy.outcome(one, isStrict: true, on: ["https://\(other)"]).decision
        #expect(strict == (one == other ? "exact" : "refused:strict"))
    }

    @Test(
        "what matches is found by the index",
        arguments: (Vectors.pairs + Vectors.shares).filter { !$0.decision.hasPrefix("refused") })
    func whatMatchesIsFoundByTheIndex(pair: Vectors.Pair) throws {
        let terms = IndexTerms(Vectors.quirks)
        let page = try #require(pair.documents.last.flatMap { Origin(url: $0) })
        let words = Set(terms.terms(for: ServiceIdentifier(written: pair.saved)))
        #expect(!words.isDisjoint(with: terms.terms(for: page)))
    }
}
