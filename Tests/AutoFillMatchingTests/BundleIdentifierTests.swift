// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import Testing

@Suite struct BundleIdentifierTests {
    @Test(arguments: ["org.latchkey.passwords", "com.example.X-1", "a", String(repeating: "a", count: 255)])
    func reverseDNSNamesAreAccepted(text: String) {
        #expect(BundleIdentifier(text)?.rawValue == text)
    }

    @Test(arguments: [
        "", ".", "..", ".a", "a.", "a..b", "a/b", "/a", "../a", "a\\b", "a b", "a\n", "a\u{0}", "é.example", "a_b",
        "a:b",
        "a%2fb", "~", "*", String(repeating: "a", count: 256), "a\u{301}",
    ])
    func whatCouldBeMoreThanOneFileNameIsRefused(text: String) {
        #expect(BundleIdentifier(text) == nil)
    }

    @Test func builtInProviderHasAValidName() {
        #expect(BundleIdentifier(BundleIdentifier.builtIn.rawValue) == .builtIn)
    }
}
