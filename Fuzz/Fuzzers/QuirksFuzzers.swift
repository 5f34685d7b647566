// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

@testable import AutoFillIPC
@testable import AutoFillQuirks

/// What comes from publishers.
extension Fuzzer {
    /// What reads as a file of quirks prints to something that reads the same. The first byte chooses the file.
    static let quirks = Fuzzer(
        "quirks",
        words: [
            #"{"shared":["#, #""from":["#, #""to":["#, #""fromDomainsAreObsoleted":true"#, #"{"password-rules":""#,
            #""exact-domain-match-only":"#, "https://", ".example", "xn--", "\\u0000", "127.0.0.1", #"{"secret":""#,
        ],
        seeds: {
            let texts: [(QuirksFile, String)] = [
                (
                    .sharedCredentials,
                    #"[{"shared":["a.example","b.example"]},{"from":["c.example"],"to":["d.example"]}]"#
                ),
                (.appDomains, #"{"ABCDE12345.com.example.app":["a.example"]}"#), (.embeddedServices, #"["a.example"]"#),
                (.passwordRules, #"{"a.example":{"exact-domain-match-only":true,"password-rules":"minlength: 8;"}}"#),
                (.changePassword, #"{"a.example":"https://a.example/x?y#z"}"#),
            ]
            return texts.map { file, text in
                [UInt8(QuirksFile.documents.firstIndex(of: file) ?? 0)] + Array(text.utf8)
            }
        },
        run: { bytes in
            guard let first = bytes.first else { return }
            let file = QuirksFile.documents[Int(first) % QuirksFile.documents.count]
            guard let document = try? QuirksDocument(bytes.dropFirst(), of: file) else { return }
            let text = document.value.textWithoutSecrets
            precondition(document.entries > 0, "a file that says nothing")
            guard let again = try? QuirksDocument(text, of: file) else {
                preconditionFailure("what was printed is refused")
            }
            precondition(again == document, "a file changed when it was printed")
        })

    /// Lines that are taken leave rules without white space and without a bare wildcard, each of which is taken again.
    static let suffixList = Fuzzer(
        "suffix-list",
        words: [
            "// VERSION: 2026-08-19_07-02-11_UTC", "// COMMIT: ", "// ===BEGIN ICANN DOMAINS===",
            "// ===END ICANN DOMAINS===", "// ===BEGIN PRIVATE DOMAINS===", "// ===END PRIVATE DOMAINS===", "*.", "!",
            "co.uk",
        ],
        seeds: {
            [
                Array(
                    """
                    // VERSION: 2026-08-19_07-02-11_UTC
                    // COMMIT: 0123456789abcdef0123456789abcdef01234567
                    // ===BEGIN ICANN DOMAINS===
                    com
                    *.ck
                    !www.ck
                    // ===END ICANN DOMAINS===
                    // ===BEGIN PRIVATE DOMAINS===
                    github.io  a comment
                    // ===END PRIVATE DOMAINS===
                    """.utf8)
            ]
        },
        run: { bytes in
            _ = try? SuffixList(bytes, now: 1_800_000_000)
            guard let text = String(validating: bytes, as: UTF8.self) else { return }
            var reading = SuffixList.Reading()
            for line in text.split(separator: "\n") where (try? reading.take(line)) == nil { break }
            if let version = reading.version, let date = SuffixList.date(version) {
                precondition(date > 1_000_000_000 && date < 8_000_000_000, "a date of no list")
            }
            var second = SuffixList.Reading()
            for marker in ["// ===BEGIN ICANN DOMAINS==="] { try? second.take(marker[...]) }
            for rule in reading.registryRules + reading.privateRules {
                precondition(rule != "*" && !rule.contains { $0.isWhitespace }, "a rule that is none")
                guard (try? second.take(rule[...])) != nil else {
                    preconditionFailure("a rule is refused the second time")
                }
            }
        })
}
