// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AutoFillQuirks

@Suite struct SuffixListTests {
    private func read(_ text: String) throws(QuirksFault) -> SuffixList {
        try SuffixList(Array(text.utf8), now: SampleList.now)
    }

    private func reason(_ change: (inout SampleList) -> Void) -> String {
        var sample = SampleList()
        change(&sample)
        return reason(sample.text)
    }

    private func reason(_ text: String) -> String {
        do {
            _ = try read(text)
            return ""
        } catch {
            return error.reason
        }
    }

    @Test func readsAWholeListAndPrintsItAgain() throws {
        let list = try read(SampleList().text)
        #expect(list.registryRules.count == 5_000)
        #expect(list.privateRules.count == 1_000)
        #expect(list.registryRules.contains("!www.ck"))
        #expect(list.version == "2026-08-19_07-02-11_UTC")
        #expect(list.date == 1_787_122_931)
        #expect(try read(list.text) == list)
        #expect(!list.text.contains("Comments"))
    }

    @Test(arguments: [
        ("1970-01-01_00-00-00_UTC", nil), ("2007-01-01_00-00-00_UTC", 1_167_609_600),
        ("2024-02-29_23-59-59_UTC", 1_709_251_199), ("2026-13-01_00-00-00_UTC", nil), ("2026-08-19", nil),
        ("2026-08-19_07-02-11_CET", nil), ("2026_08-19_07-02-11_UTC", nil), ("２026-08-19_07-02-11_UTC", nil),
        ("-026-08-19_07-02-11_UTC", nil), ("", nil),
    ]) func readsDates(_ version: String, _ expected: Int64?) {
        #expect(SuffixList.date(version) == expected)
    }

    @Test func refusesListsThatAreNotWhole() {
        #expect(reason { $0.tail = [] }.contains("cut off"))
        #expect(reason { $0.registryCount = 4_999 }.contains("4999 and 1000 rules"))
        #expect(reason { $0.ownCount = 900 }.contains("rules; a whole list"))
        #expect(reason { $0.registry.removeAll { $0 == "com" } } == "the rule com is missing")
        #expect(reason { $0.own.removeAll { $0 == "github.io" } } == "the rule github.io is missing")
        #expect(reason("") == "its sections are not whole: it was cut off")
    }

    @Test func refusesListsWithoutADateOrFromTheFuture() {
        #expect(reason { $0.version = "yesterday" } == "it has no line VERSION with a date")
        #expect(reason { $0.version = "2027-08-19_07-02-11_UTC" }.contains("in the future"))
        #expect(
            reason(SampleList().text.replacingOccurrences(of: "// COMMIT", with: "// COMMITTED"))
                == "it has no line COMMIT")
        #expect(
            reason(SampleList().text.replacingOccurrences(of: "// COMMIT: 0", with: "// COMMIT: G")).contains(
                "not a COMMIT"))
        #expect(reason { $0.header = ["// VERSION: 2026-08-19_07-02-11_UTC"] }.contains("twice"))
    }

    @Test(arguments: [
        "*", "*.com", "*.org", "a.*.b", "**", "*x.com", "!com", "a..b", ".com", "com.", "-a.example", "a-.example",
        "COM",
        "a_b.example", "a/b", "!*.ck", "\u{202E}moc", "a\u{0}b", "日本\u{3000}x語.。", String(repeating: "a", count: 64),
        Array(repeating: "a", count: 13).joined(separator: "."),
    ]) func refusesRulesThatAreNone(_ rule: String) {
        #expect(reason { $0.registry.append(rule) }.contains("is not a rule"))
    }

    @Test func takesRulesOfOtherScripts() throws {
        var sample = SampleList()
        sample.registry += ["公司.cn", "भारतम्", "ලංකා", "இந்தியா", "个人.hk", "ایران.ir", "みんな", "コム", "xn--p1ai"]
        #expect(try read(sample.text).registryRules.suffix(5_000).contains("भारतम्"))
    }

    @Test func refusesRulesOutsideTheSections() {
        #expect(reason { $0.header = ["com"] }.contains("outside the sections"))
        #expect(reason { $0.tail.append("late.example") }.contains("outside the sections"))
        #expect(reason { $0.tail.append("// ===BEGIN ICANN DOMAINS===") }.contains("does not belong here"))
        #expect(reason { $0.registry.append("// ===BEGIN ICANN DOMAINS===") }.contains("does not belong here"))
        #expect(reason { $0.registry.append("!www.example") }.contains("is one of no rule"))
        #expect(reason { $0.registry.append("  com") }.contains("begins with white space"))
        #expect(reason { $0.registry.append("a" + String(repeating: " ", count: 1_000)) }.contains("too long"))
    }

    @Test func refusesWhatIsNoTextOrTooLarge() {
        #expect(throws: QuirksFault.self) { try SuffixList([0xFF, 0xFE], now: 0) }
        #expect(throws: QuirksFault.self) {
            try SuffixList([UInt8](repeating: 0x0A, count: QuirksFile.suffixes.maximumSize + 1), now: 0)
        }
    }

    /// The distribution's list has no date; with one it is read whole, and every rule comes out again.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/publicsuffix/public_suffix_list.dat")))
    func readsTheListOfTheDistribution() throws {
        let text = try String(contentsOfFile: "/usr/share/publicsuffix/public_suffix_list.dat", encoding: .utf8)
        let head = "// VERSION: 2023-02-09_23-26-00_UTC\n// COMMIT: \(String(repeating: "0", count: 40))\n"
        let dated = text.contains("// VERSION: ") ? text : head + text
        let list = try read(dated)
        let rules = text.split(separator: "\n").filter { !$0.hasPrefix("//") }
        #expect(list.count == rules.count)
        #expect(try read(list.text) == list)
    }
}
