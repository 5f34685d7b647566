// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import Testing

@Suite struct SecretLinesTests {
    @Test(arguments: [
        ("", "", true), ("a", "", true), ("", "a", false), ("a", "a", true), ("a\nb", "a", true), ("a\nb", "b", true),
        ("a\r\nb", "a", true), ("ab", "a", false), ("ab\na", "a", true), ("12345", "123", false),
        ("x123", "123", false),
        ("a\nb\nc", "b\nc", true), ("a\nb\ncd", "b\nc", false), ("aa", "a", false), ("baab\naab", "aab", true),
    ]) func holdsWholeLines(text: String, other: String, holds: Bool) {
        #expect(SecretBytes(utf8: text).holdsLines(of: SecretBytes(utf8: other)) == holds)
    }
}
