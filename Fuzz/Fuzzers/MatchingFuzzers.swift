// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Foundation

@testable import AutoFillMatching

/// Who may see what, and the files that it depends on.
extension Fuzzer {
    private static let policy = MatchPolicy(.none)
    private static let terms = IndexTerms(.none)
    private static let lookalikes = Lookalikes(.none)

    private static let urls = [
        "https://shiny.example.com:8443/login?next=//x#y", "http://[2001:db8::1]:80", "https://127.0.0.1",
        "shiny.example.com:80", "a.github.io", "https://xn--bcher-kva.example.", "https://b\u{FC}cher.example",
        "https://0x7f.1",
        "https:\\\\user@shiny%2Eexample.com", "https://\u{98DF}\u{72EE}.\u{516C}\u{53F8}.cn",
    ]
    private static let pieces = [
        "https://", "http://", "xn--", "0x", "[::", "]", ":443", "@", "\\", "//", ".", "%", "%2e", "127.", "localhost",
        "\u{3002}", "\u{200D}", "\u{DF}", "\u{430}", "github.io", ".co.uk", "2130706433",
    ]

    /// What reads as an origin is plain, reads back the same, matches itself, and is found.
    static let origin = Fuzzer(
        "origin", words: pieces, seeds: { urls.map { Array($0.utf8) } },
        run: { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            for origin in [Origin(url: text), Origin(written: text)].compactMap({ $0 }) {
                precondition(Origin(url: origin.description) == origin, "an origin changed when it was printed")
                precondition(Origin(written: origin.written) == origin, "an origin changed when it was written")
                precondition(Origin(stated: origin.description) == origin, "an origin that no browser could state")
                precondition(origin.host.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a host that is not plain")
                precondition(origin.host == origin.host.lowercased(), "a host in capitals")
                precondition(!origin.host.contains { "@/\\?#%".contains($0) }, "a host with a delimiter")
                let shown = origin.displayHost
                precondition(
                    shown == origin.host || Origin(scheme: .https, host: shown)?.host == origin.host,
                    "a host that is shown as another")
                if let domain = PublicSuffixes.distribution.registrableDomain(of: origin.host) {
                    precondition(
                        origin.host == domain || origin.host.hasSuffix("." + domain), "a domain of somebody else's")
                }
                let service = ServiceIdentifier(written: origin.written)
                precondition(
                    policy.match(SavedService(service), supposing: origin).decision == .exact,
                    "an origin that does not match itself")
                precondition(
                    !Set(terms.terms(for: service)).isDisjoint(with: terms.terms(for: origin)),
                    "an origin that is not found")
                _ = lookalikes.terms(for: origin)
            }
            precondition(Origin(stated: text) == nil || Origin(url: text) != nil, "stated and yet no origin")
        })

    /// Of two origins that match, the hosts are of one site, by label; what imitates the other matches nothing.
    static let pair = Fuzzer(
        "pair", words: pieces + ["\n"],
        seeds: { urls.map { Array("\($0)\nhttps://shiny.example.com".utf8) } },
        run: { bytes in
            let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1).map(String.init)
            guard parts.count == 2, let page = Origin(url: parts[1]) else { return }
            let saved = SavedService(ServiceIdentifier(written: parts[0]))
            let match = policy.match(saved, supposing: page)
            precondition(match.isOffered == (match.refusal == nil), "both offered and refused")
            guard let own = saved.origin else {
                precondition(!match.isOffered, "what cannot be read was offered")
                return
            }
            precondition(!match.isOffered || own.scheme == .http || page.scheme == .https, "https on http")
            if match.isOffered, own.host != page.host {
                let domain = PublicSuffixes.distribution.registrableDomain(of: own.host)
                precondition(
                    domain != nil && domain == PublicSuffixes.distribution.registrableDomain(of: page.host), "strangers"
                )
                let strict = policy.match(SavedService(saved.service, isStrict: true), supposing: page)
                precondition(!strict.isOffered, "a strict item for another host")
            }
            if let found = lookalikes.verdict(saved: saved, page: page) {
                precondition(!match.isOffered, "an imitation that matches")
                precondition(
                    !Set(terms.terms(for: saved.service)).isDisjoint(with: lookalikes.terms(for: page)),
                    "an imitation that is not found: \(found.kind)")
            }
        })

    /// Groups hold domains only, and a look-up is bounded.
    static let groups = Fuzzer(
        "groups",
        words: [
            #""shared""#, #""from""#, #""to""#, #""fromDomainsAreObsoleted""#, "true", "null", "[[", "\\u00", "a.b",
        ],
        seeds: {
            [
                #"[{"shared":["a.example","b.example"]},{"from":["c.example"],"to":["d.example","www.e.example"]}]"#,
                #"[{"from":["a.example"],"to":["b.example"],"fromDomainsAreObsoleted":true},{"shared":["a.b.c","d.e"],"x":{}}]"#,
                #"{"AAAAAAAAAA.com.example.app":["a.example"]}"#, #"["a.example","b.example"]"#, "[]",
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let json = Data(bytes)
            _ = try? SharedCredentialsReading.appDomains(json)
            _ = try? SharedCredentialsReading.embeddedServices(json)
            guard let shared = try? SharedCredentials(json: json) else { return }
            for group in shared.groups {
                for domain in group.givers + group.takers {
                    precondition(Origin(scheme: .https, host: domain)?.host == domain, "a domain that is not plain")
                    precondition(domain.contains("."), "a domain of one label")
                    let asked = shared.domains(sharingWith: domain, suffixes: .distribution)
                    precondition(asked.count <= 256, "a look-up without bounds")
                    let gives = asked.allSatisfy { shared.shares(savedFor: $0, with: domain, suffixes: .distribution) }
                    precondition(gives, "asked for what does not match")
                }
            }
        })

    /// Whatever the list says, a registrable domain is a part of its host.
    static let suffixes = Fuzzer(
        "suffixes",
        words: [
            "// VERSION: ", "===BEGIN ICANN DOMAINS===", "===END PRIVATE DOMAINS===", "*.", "!", "\n",
            ".DAFSA@PSL_0   \n",
        ],
        seeds: {
            [
                Array("// VERSION: 2026-08-19_07-31-02_UTC\ncom\n*.ck\n!www.ck\nco.uk\n".utf8),
                Array("com\n\u{516C}\u{53F8}.cn\ngithub.io\n".utf8),
            ]
        },
        run: { bytes in
            guard let list = PublicSuffixes(contents: Array(bytes), source: "fuzz", modified: 1) else { return }
            precondition(list.date <= 1, "a list of the future")
            for host in [
                "shiny.example.com", "a.b.ck", "www.ck", "a.xn--55qx5d.cn", "x.a.github.io", "localhost", "1.2.3.4",
            ] {
                guard let domain = list.registrableDomain(of: host) else { continue }
                precondition(host == domain || host.hasSuffix("." + domain), "a domain of somebody else's")
            }
        })
}
