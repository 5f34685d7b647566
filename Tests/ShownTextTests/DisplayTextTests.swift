// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import ShownText
import Testing

@Suite struct DisplayTextTests {
    private static let rightToLeft = "\u{202E}"

    @Test(
        "S43: what would break, turn or hide a line is not shown",
        arguments: [
            ("anna\nSite: evil.example", "anna\u{FFFD}Site: evil.example"), ("anna\r\nevil", "anna\u{FFFD}evil"),
            ("\u{1B}[31manna", "\u{FFFD}[31manna"), ("a\u{0}b\u{7F}c\u{9B}d", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
            ("a\u{85}b\u{2028}c\u{2029}d", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d"), ("a\u{0}\u{1}\u{2}b", "a\u{FFFD}b"),
            ("\u{202E}moc.evil", "moc.evil"),
            ("a\u{202A}b\u{202C}c\u{2066}d\u{2069}e\u{200E}f\u{200F}g\u{61C}h", "abcdefgh"),
            ("a\u{200B}n\u{2060}n\u{FEFF}a\u{AD}", "anna"), ("a\u{34F}b\u{115F}c\u{1160}d\u{3164}e\u{FFA0}f", "abcdef"),
            ("anna\u{E0065}\u{E0076}", "anna"), ("a\u{FFF9}b\u{FFFA}hidden\u{FFFB}", "abhidden"),
            ("a\u{180E}b\u{FE00}c\u{200D}d\u{200C}e", "abcde"), ("a\u{E000}b\u{10FFFF}c", "a\u{FFFD}b\u{FFFD}c"),
            ("anna          (verified)", "anna (verified)"), ("\u{A0}\u{3000} anna \u{2800}\u{2003}", "anna"),
        ])
    func isCleaned(stated: String, shown: String) {
        #expect(DisplayText(stated).text == shown)
    }

    @Test(arguments: [
        "anna@shiny.example.com", "Grüße, O'Neill", "Ωμέγα", "田中さくら", "שלום", "سارة", "می‌خواهم", "क्ष", "👩‍👩‍👧",
        "❤️", "👍🏽", "e\u{301}", "ที่นี่", "Việt Nam", "a_b-c.d+e!#$%&'*/=?^`{|}~",
    ])
    func whatPeopleWriteStays(name: String) {
        #expect(DisplayText(name).text == name)
    }

    @Test(
        "S43: nothing to be seen is said",
        arguments: ["\u{200B}", "\u{202E}\u{2066}", "\u{3164}\u{3164}", "   ", "\u{2800}"])
    func unseen(name: String) {
        #expect(DisplayText(name).text == DisplayText.unseen)
        #expect(DisplayText("" as String).text == "(empty)")
        #expect(DisplayText("" as String, placeholder: "(no user name)").text == "(no user name)")
    }

    @Test("S43: it is bounded by characters and by bytes, and says that something is left out")
    func isBounded() {
        let long = DisplayText(String(repeating: "x", count: 100_000)).text
        #expect(long.count == 320 && long.hasSuffix("x…"))
        let wide = DisplayText(String(repeating: "👩‍👩‍👧", count: 400)).text
        #expect(wide.utf8.count <= 1_280 && wide.hasSuffix("👩‍👩‍👧…"))
        let path = DisplayText(String(repeating: "d/", count: 1_000) + "/usr/bin/firefox", keeping: .end).text
        #expect(path.hasPrefix("…") && path.hasSuffix("/usr/bin/firefox") && path.count <= 320)
        #expect(DisplayText(String(repeating: "x", count: 320)).text.count == 320)
    }

    @Test("S43: letters do not grow over the lines around them") func marksAreFew() {
        let tall = "a" + String(repeating: "\u{30D}", count: 500) + "b"
        #expect(DisplayText(tall).text.unicodeScalars.count == 6)
        // Nor over what stands before the text.
        #expect(DisplayText("\u{338}\u{338}anna" as String).text == "anna")
    }

    @Test("S43: a sentence cleans its parts, and lets none of them turn the rest")
    func sentencesAreComposed() {
        let user = "anna\n\(Self.rightToLeft)x"
        let sentence: DisplayText = "Fill \(user) on \(DisplayText("שלום" as String)), \(3) times?"
        #expect(sentence.text == "Fill anna\u{FFFD}x on \u{2068}שלום\u{2069}, 3 times?")
    }

    @Test(
        "cleaning a clean text changes nothing",
        arguments: [
            "anna", "a\nb", "  x  y ", "\u{202E}z", "e\u{301}\u{302}\u{303}\u{304}\u{305}", "👩‍👩‍👧 ❤️", "می‌خواهم",
            "a\u{E000}",
        ])
    func isIdempotent(text: String) {
        let once = DisplayText(text).text
        #expect(DisplayText(once).text == once)
    }

    @Test("S43: no scalar leaves a control, a turn or something unseen in a line")
    func everyScalar() {
        var seen = 0
        // The planes in which letters stand, and that of tags and selectors.
        for value in Array(UInt32(0)...0x1FFFF) + Array(0xE0000...0xE0FFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = DisplayText("a\(Character(scalar))b" as String).text
            for left in shown.unicodeScalars where left != "a" && left != "b" && left != "\u{FFFD}" && left != " " {
                switch ShownScalar(left) {
                case .plain: seen += 1
                default: Issue.record("U+\(String(value, radix: 16)) leaves U+\(String(left.value, radix: 16))")
                }
            }
        }
        #expect(seen > 50_000)
    }

    @Test(
        "S43: a terminal gets everything, and obeys none of it",
        arguments: [
            ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\nb", "a\\u{A}b"), ("\u{202E}x", "\\u{202E}x"),
            ("a\u{9B}1mb", "a\\u{9B}1mb"),
            ("a\u{200B}b", "a\\u{200B}b"), ("a\u{E0065}", "a\\u{E0065}"), ("a\u{7F}", "a\\u{7F}"), ("👩‍👩‍👧", "👩‍👩‍👧"),
        ])
    func isEscaped(text: String, escaped: String) {
        #expect(EscapedText.escaped(text) == escaped)
        #expect(EscapedText.escaped("a\tb\nc\u{1B}", keepsLines: true) == "a\tb\nc\\u{1B}")
    }

    @Test(arguments: ["a\nb", "a\r", "\u{0}", "a\u{1B}", "\u{7F}", "\u{85}", "a\u{2028}", "a\u{2029}b", "\t"])
    func controlsAreFound(text: String) {
        #expect(text.holdsControls)
        #expect(!"anna\u{202A}\u{200B} שלום".holdsControls)
    }

    /// Whether the bytes of a text stand in the value itself.
    private func isInline(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return withUnsafeBytes(of: text) { value in !bytes.isEmpty && value.starts(with: bytes) }
    }

    @Test(
        "S49: a short name that is shown is on the heap", arguments: ["a", "zq7Xw_5b", "fifteen bytes!!", "a\nb", "ü"])
    func shortNamesAreOnTheHeap(name: String) {
        #expect(isInline(String(Array(name))))
        let shown = DisplayText(name)
        #expect(!isInline(shown.text))
        #expect(!isInline(DisplayText("\(shown)").text))
        #expect(!isInline(("" + shown).text))
        #expect(!isInline(DisplayText.joined([shown, shown], by: ",").text))
        #expect(!isInline(TextCleaner.cleaned(name + name, TextCleaner.Limit(characters: 3, bytes: 8))))
        #expect(!isInline(TextCleaner.cleaned(name + name, TextCleaner.Limit(characters: 3, bytes: 8), keeping: .end)))
    }
}
