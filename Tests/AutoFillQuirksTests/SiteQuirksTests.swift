// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillMatching
import AutoFillQuirks
import Foundation
import Testing

@Suite struct SiteQuirksTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/latchkey-quirks-\(UUID().uuidString)"

    private func quirks(_ files: [String: String]) throws -> SiteQuirks {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return SiteQuirks(folders: QuirksFolders(named: folder))
    }

    private static let rules = """
        {"example.com": {"password-rules": "maxlength: 12;"},
         "exact.example.net": {"password-rules": "maxlength: 9;", "exact-domain-match-only": true},
         "deep.example.com": {"password-rules": "maxlength: 8;"}}
        """

    @Test func rulesHoldForTheDomainsBelow() throws {
        let quirks = try quirks(["password-rules.json": Self.rules])
        #expect(quirks.passwordRules(for: "example.com") == "maxlength: 12;")
        #expect(quirks.passwordRules(for: "www.example.com") == "maxlength: 12;")
        #expect(quirks.passwordRules(for: "a.deep.example.com") == "maxlength: 8;")
        #expect(quirks.problems.isEmpty)
    }

    @Test("S11: a name that only ends alike is another site's, and an exact rule is for its very host")
    func rulesKeepToTheirSite() throws {
        let quirks = try quirks(["password-rules.json": Self.rules])
        #expect(quirks.passwordRules(for: "evilexample.com") == nil)
        #expect(quirks.passwordRules(for: "com") == nil)
        #expect(quirks.passwordRules(for: "exact.example.net") == "maxlength: 9;")
        #expect(quirks.passwordRules(for: "www.exact.example.net") == nil)
        #expect(quirks.passwordRules(for: "127.0.0.1") == nil)
    }

    @Test func codesBehindPasswordsAreKnown() throws {
        let quirks = try quirks(["websites-that-append-2fa-to-password.json": "[\"bank.example\"]"])
        #expect(quirks.appendsCode("bank.example"))
        #expect(quirks.appendsCode("www.bank.example"))
        #expect(!quirks.appendsCode("example"))
    }

    @Test(arguments: ["", "[]", "{\"a b\": {}}", "{\"a.example\": {\"password-rules\": 1}}", "\u{0}"])
    func damagedFileIsAProblemAndNoRule(text: String) throws {
        let quirks = try quirks(["password-rules.json": text])
        #expect(quirks.problems.count == 1)
        #expect(quirks.passwordRules(for: "a.example") == nil)
    }
}
