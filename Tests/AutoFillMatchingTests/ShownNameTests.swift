// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillMatching

@Suite struct ShownNameTests {
    @Test(arguments: [
        ("Passwords", "passwords"), ("Passwords", "P\u{0430}sswords"), ("Passwords", "Pass-words "),
        ("Keys", "\u{1E32}eys"), ("Ill", "lll"), ("Zoo", "Z00"), ("\u{2605}", "\u{2605}"), ("", ""),
        ("\u{1F511} Keys", "Keys"),
    ])
    func looksTheSame(_ one: String, _ other: String) {
        #expect(ShownName(one) == ShownName(other))
        #expect(ShownName(other) == ShownName(one))
    }

    @Test(arguments: [
        ("Passwords", "Password"), ("Keys", "Key"), ("\u{2605}", "\u{25CF}"), ("", "a"), ("Shiny", "Shiny 2"),
    ])
    func looksDifferent(_ one: String, _ other: String) {
        #expect(ShownName(one) != ShownName(other))
    }

    @Test func aLongNameIsComparedByItsBeginning() {
        let long = String(repeating: "a", count: 5_000)
        #expect(ShownName(long) == ShownName(long) && ShownName(long) != ShownName("a"))
    }
}
