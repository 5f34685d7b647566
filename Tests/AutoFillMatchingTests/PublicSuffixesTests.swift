// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillMatching

@Suite struct PublicSuffixesTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let host: String
        let domain: String?

        var testDescription: String { host }
    }

    /// The vectors of the list's own project, where they are; those in Unicode go through `Origin`, as hosts do.
    static let vectors: [Vector] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.deletingLastPathComponent().appendingPathComponent("shared/data/psl-tests.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard !line.hasPrefix("//"), parts.count == 2, parts[0] != "null" else { return nil }
            return Vector(host: String(parts[0]), domain: parts[1] == "null" ? nil : String(parts[1]))
        }
    }()

    @Test(
        "S10: the list's own vectors",
        .enabled(if: !vectors.isEmpty, "skipped: the vectors of publicsuffix/list are not on this machine"),
        arguments: vectors)
    func agreesWithTheListsOwnVectors(vector: Vector) {
        guard let origin = Origin(scheme: .https, host: vector.host) else {
            // No host at all, such as one with a leading dot.
            #expect(vector.domain == nil)
            return
        }
        let expected = vector.domain.flatMap { Origin(scheme: .https, host: $0)?.host }
        #expect(PublicSuffixes.distribution.registrableDomain(of: origin.host) == expected)
    }

    /// Read as text instead of compiled, by the same library.
    @Test(
        "S10: the list's own vectors, with the list as text",
        .enabled(if: !vectors.isEmpty, "skipped: the vectors of publicsuffix/list are not on this machine"))
    func listAsTextAgreesWithTheVectors() throws {
        let suffixes = try #require(PublicSuffixes(path: "/usr/share/publicsuffix/public_suffix_list.dat"))
        #expect(suffixes.isWhole)
        for vector in Self.vectors {
            guard let origin = Origin(scheme: .https, host: vector.host) else { continue }
            let expected = vector.domain.flatMap { Origin(scheme: .https, host: $0)?.host }
            #expect(suffixes.registrableDomain(of: origin.host) == expected, "\(vector.host)")
        }
    }

    @Test(arguments: [
        ("shiny.example.com", "example.com"), ("example.com", "example.com"), ("com", nil),
        ("a.b.co.uk", "b.co.uk"), ("co.uk", nil), ("a.github.io", "a.github.io"), ("x.a.github.io", "a.github.io"),
        ("www.city.kobe.jp", "city.kobe.jp"), ("a.b.kobe.jp", "a.b.kobe.jp"), ("b.kobe.jp", nil), ("www.ck", "www.ck"),
        ("localhost", nil), ("a.localhost", nil), ("x.a.localhost", nil), ("10.0.0.1", nil), ("[::1]", nil),
        ("a.b.unlisted", "b.unlisted"), ("", nil), ("1.example", "1.example"), ("a.1.2.3.example", "3.example"),
    ])
    func registrableDomainIsTheLabelBelowTheSuffix(host: String, domain: String?) {
        #expect(PublicSuffixes.distribution.registrableDomain(of: host) == domain)
    }

    @Test(arguments: 0..<200)
    func sameSiteIsHavingOneRegistrableDomain(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let suffixes = PublicSuffixes.distribution
        let ends = ["example.com", "co.uk", "a.co.uk", "github.io", "b.github.io", "unlisted", "localhost", "kobe.jp"]
        func host() -> String { generator.host(below: ends.randomElement(using: &generator) ?? "com") }
        let (one, other) = (host(), host())
        let domain = suffixes.registrableDomain(of: one)
        #expect(suffixes.areSameSite(one, other) == (domain != nil && domain == suffixes.registrableDomain(of: other)))
        if let domain { #expect(one == domain || one.hasSuffix("." + domain)) }
    }

    @Test func rulesOfASmallList() throws {
        let text = "com\n*.wild.com\n!not.wild.com\n公司.cn\n"
        let suffixes = try #require(PublicSuffixes(contents: Array(text.utf8), source: "test", modified: 7))
        #expect(suffixes.registrableDomain(of: "b.a.wild.com") == "b.a.wild.com")
        #expect(suffixes.registrableDomain(of: "a.wild.com") == nil)
        #expect(suffixes.registrableDomain(of: "x.not.wild.com") == "not.wild.com")
        #expect(suffixes.registrableDomain(of: "a.xn--55qx5d.cn") == "a.xn--55qx5d.cn")
        #expect(suffixes.date == 7 && !suffixes.isWhole)
    }

    @Test(arguments: ["", "\n\n", "// nothing but words\n", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"])
    func listWithoutRulesIsNone(text: String) {
        #expect(PublicSuffixes(contents: Array(text.utf8), source: "test", modified: 0)?.isWhole != true)
    }

    @Test(arguments: [
        ("// VERSION: 2024-02-29_23-59-59_UTC\n", 1_709_251_199), ("// VERSION: 1970-01-01_00-00-00_UTC\n", 0),
        ("// VERSION: 2099-01-01_00-00-00_UTC\n", 2_000_000_000),
        ("// VERSION: 2024-13-01_00-00-00_UTC\n", 2_000_000_000),
        ("// VERSION: yesterday\n", 2_000_000_000), ("", 2_000_000_000),
    ])
    func dateIsTheStatedOneButNotAfterTheFiles(header: String, date: Int64) throws {
        let contents = Array((header + "com\nexample.net\n").utf8)
        #expect(try #require(PublicSuffixes(contents: contents, source: "test", modified: 2_000_000_000)).date == date)
    }
}
