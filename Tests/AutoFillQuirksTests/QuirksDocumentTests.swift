// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillMatching
import Foundation
import Testing

@testable import AutoFillQuirks

@Suite struct QuirksDocumentTests {
    private func text(_ file: QuirksFile, _ text: String) throws(QuirksFault) -> String {
        String(decoding: try QuirksDocument(Array(text.utf8), of: file).value.textWithoutSecrets, as: UTF8.self)
    }

    private func reason(_ file: QuirksFile, _ text: String) -> String {
        do {
            return "read as " + (try self.text(file, text))
        } catch {
            return error.reason
        }
    }

    @Test func printsWhatWasUnderstood() throws {
        let groups = try QuirksDocument(
            Array(
                #"[ {"shared": ["A.example", "b.example"]}, {"to":["c.example"],"from":["d.example"],"fromDomainsAreObsoleted":true} ]"#
                    .utf8),
            of: .sharedCredentials)
        #expect(groups.entries == 2)
        #expect(
            String(decoding: groups.value.textWithoutSecrets, as: UTF8.self)
                == #"[{"shared":["a.example","b.example"]},{"from":["d.example"],"fromDomainsAreObsoleted":true,"to":["c.example"]}]"#
        )
        #expect(
            try text(.appDomains, #"{"ABCDE12345.com.example.app": ["example.com"]}"#)
                == #"{"ABCDE12345.com.example.app":["example.com"]}"#)
        #expect(try text(.appendedCodes, #"["a.example"]"#) == #"["a.example"]"#)
        #expect(
            try text(
                .passwordRules, #"{"A.example": {"password-rules": "minlength: 8;", "exact-domain-match-only": false}}"#
            )
                == #"{"a.example":{"exact-domain-match-only":false,"password-rules":"minlength: 8;"}}"#)
        #expect(
            try text(.changePassword, #"{"a.example": "https://b.example/x?y=1#z"}"#)
                == #"{"a.example":"https://b.example/x?y=1#z"}"#)
    }

    @Test(arguments: [
        ("", "not JSON"), ("<html>", "not JSON"), ("[", "not JSON"),
        (#"[{"shared":["a.example","b.example"]}] x"#, "not JSON"),
        (#"[{"shared":["a.example","b.example"],"shared":[]}]"#, "a member stands twice"),
        ("{}", "it is not a list"), ("[]", "it is empty"), ("[1]", "group 1 is not an object"),
        ("[{}]", "neither shared alone"),
        (#"[{"shared":"a.example"}]"#, "not a list of domains"), (#"[{"shared":["a.example"]}]"#, "fewer than 2"),
        (#"[{"shared":[1,2]}]"#, "not text"),
        (#"[{"shared":["a.example","A.example"]}]"#, "a.example stands there twice"),
        (#"[{"shared":["a.example","b.example"],"note":""}]"#, "neither shared alone"),
        (#"[{"from":["a.example"]}]"#, "neither shared alone"), (#"[{"from":[],"to":["a.example"]}]"#, "fewer than 1"),
        (#"[{"from":["b.example"],"to":["a.example"],"fromDomainsAreObsoleted":1}]"#, "neither true nor false"),
        (#"[{"secret":"x"}]"#, "neither shared alone"),
    ]) func refusesGroupsOfAnotherShape(_ text: String, _ expected: String) {
        #expect(reason(.sharedCredentials, text).contains(expected))
        #expect(reason(.historicalCredentials, text).contains(expected))
    }

    @Test(arguments: [
        "", "com", "localhost", "a.example.", ".example", "a..example", "https://a.example", "a.example/x",
        "a.example:443",
        "user@a.example", "*.example", "127.0.0.1", "0x7f.1", "1.2.3", "[::1]", "a b.example", "a_b.example",
        "-a.example",
        "a-.example", "münchen.example", "a.example\u{0}", "a.例え", "a.\u{212A}om", "a%2eexample",
    ]) func refusesWhatIsNoDomain(_ name: String) throws {
        let list = String(decoding: try JSONValue(encoding: [name]).textWithoutSecrets, as: UTF8.self)
        #expect(reason(.embeddedServices, list).contains("is not a domain"))
        #expect(reason(.sharedCredentials, #"[{"shared":["b.example"],"to":\#(list)}]"#).contains("neither"))
        #expect(reason(.sharedCredentials, #"[{"from":["b.example"],"to":\#(list)}]"#).contains("is not a domain"))
        #expect(reason(.appDomains, #"{"A.b":\#(list)}"#).contains("is not a domain"))
    }

    @Test(arguments: [
        (QuirksFile.appDomains, "[]", "not an object"), (.appDomains, "{}", "empty"),
        (.appDomains, #"{"app":["a.example"]}"#, "not an identifier"),
        (.appDomains, #"{"a b.c":["a.example"]}"#, "not an identifier"),
        (.appDomains, #"{"A.b":[]}"#, "fewer than 1"), (.appendedCodes, #"{"a":1}"#, "not a list"),
        (.passwordRules, #"{"a.example":"minlength: 8"}"#, "not an object"),
        (.passwordRules, #"{"a.example":{}}"#, "has no password-rules"),
        (.passwordRules, #"{"a.example":{"password-rules":""}}"#, "has no password-rules"),
        (.passwordRules, #"{"a.example":{"password-rules":"a\nb"}}"#, "has no password-rules"),
        (.passwordRules, #"{"a.example":{"password-rules":"x","y":1}}"#, "unknown member"),
        (.passwordRules, #"{"a.example":{"password-rules":"x"},"A.example":{"password-rules":"y"}}"#, "twice"),
        (.changePassword, #"{"a.example":"http://a.example/"}"#, "has no https address"),
        (.changePassword, #"{"a.example":"javascript:alert(1)"}"#, "has no https address"),
        (.changePassword, #"{"a.example":"https://u@a.example/"}"#, "has no https address"),
        (.changePassword, #"{"a.example":"https://a.example/ x"}"#, "has no https address"),
        (.changePassword, #"{"a.example":["https://a.example/"]}"#, "has no https address"),
        (.suffixes, "{}", "not JSON"),
    ]) func refusesOtherFilesOfAnotherShape(_ file: QuirksFile, _ text: String, _ expected: String) {
        #expect(reason(file, text).contains(expected))
    }

    @Test func quotesNoMoreThanIsFitForATerminal() {
        let fault = reason(.appendedCodes, "[\"\\u001b[31m\(String(repeating: "x", count: 500)).example\"]")
        #expect(fault.utf8.count < 250)
        #expect(!fault.utf8.contains(0x1B))
    }

    @Test func refusesWhatIsTooLargeOrTooDeep() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(reason(.appendedCodes, deep).contains("nested too deep"))
        #expect(reason(.appendedCodes, String(repeating: " ", count: (1 << 20) + 1)).contains("larger than"))
        let many = (0...1_000).map { "\"h\($0).example\"" }.joined(separator: ",")
        #expect(reason(.sharedCredentials, #"[{"shared":[\#(many)]}]"#).contains("more than 1000"))
    }

    private static let shared = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/data/quirks").path

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: shared), "../shared is not there"),
        arguments: QuirksFile.documents)
    func readsWhatIsPublished(_ file: QuirksFile) throws {
        let bytes = try #require(FileManager.default.contents(atPath: Self.shared + "/" + file.rawValue))
        let document = try QuirksDocument(Array(bytes), of: file)
        let printed = document.value.textWithoutSecrets
        #expect(try QuirksDocument(printed, of: file) == document)
        #expect(try JSONValue(readingText: Array(bytes)).textWithoutSecrets == printed)
    }
}
