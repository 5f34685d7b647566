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

    /// The vectors of the list's own project, where they are; those in Unicode are left out, since hosts are ASCII here.
    static let vectors: [Vector] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.deletingLastPathComponent().appendingPathComponent("shared/data/psl-tests.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard !line.hasPrefix("//"), parts.count == 2, parts[0] != "null", line.utf8.allSatisfy({ $0 < 0x80 })
            else {
                return nil
            }
            return Vector(host: String(parts[0]), domain: parts[1] == "null" ? nil : String(parts[1]))
        }
    }()

    @Test(
        .enabled(if: !vectors.isEmpty, "skipped: the vectors of publicsuffix/list are not on this machine"),
        arguments: vectors)
    func agreesWithTheListsOwnVectors(vector: Vector) {
        guard let origin = Origin(scheme: .https, host: vector.host) else {
            // No host at all, such as one with a leading dot.
            #expect(vector.domain == nil)
            return
        }
        #expect(PublicSuffixes.registrableDomain(of: origin.host) == (vector.domain ?? origin.host))
    }

    @Test(arguments: [
        ("shiny.example.com", "example.com"), ("example.com", "example.com"), ("com", "com"),
        ("a.b.co.uk", "b.co.uk"), ("co.uk", "co.uk"), ("a.github.io", "a.github.io"), ("x.a.github.io", "a.github.io"),
        ("www.city.kobe.jp", "city.kobe.jp"), ("a.b.kobe.jp", "a.b.kobe.jp"),
        ("localhost", "localhost"), ("10.0.0.1", "10.0.0.1"), ("[::1]", "[::1]"), ("a.b.unlisted", "b.unlisted"),
    ])
    func registrableDomainIsTheLabelBelowTheSuffix(host: String, domain: String) {
        #expect(PublicSuffixes.registrableDomain(of: host) == domain)
    }
}
