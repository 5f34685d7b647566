// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import DesktopFields
import Testing

@Suite struct TextChangeTests {
    private func text(_ change: TextChange, _ before: String) -> String? {
        change.applied(to: SecretBytes(utf8: before)).map { after in
            after.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ("", "a", 0, "a"), ("bc", "a", 0, "abc"), ("ac", "b", 1, "abc"), ("ab", "c", 2, "abc"), ("äö", "ü", 1, "äüö"),
        ("a😀b", "é😀", 2, "a😀é😀b"),
    ])
    func charactersArePutIn(before: String, new: String, start: Int, after: String) {
        #expect(text(TextChange(inserting: SecretBytes(utf8: new), at: start), before) == after)
    }

    @Test(arguments: [
        ("abc", 1, 0, "bc"), ("abc", 3, 0, ""), ("aüb", 1, 1, "ab"), ("a😀b", 1, 2, "a😀"), ("abc", nil, 1, "a"),
        ("", nil, 0, ""),
    ])
    func charactersAreTakenOut(before: String, count: Int?, start: Int, after: String) {
        #expect(text(TextChange(deleting: count, at: start), before) == after)
    }

    @Test(arguments: [("abc", 1, 3), ("abc", 4, 0), ("", 1, 0), ("ü", 2, 0)])
    func nothingIsTakenOutThatIsNotThere(before: String, count: Int, start: Int) {
        #expect(text(TextChange(deleting: count, at: start), before) == nil)
    }

    @Test func nothingIsPutInBehindTheEnd() {
        #expect(text(TextChange(inserting: SecretBytes(utf8: "x"), at: 4), "abc") == nil)
        #expect(text(TextChange(inserting: SecretBytes(utf8: "x"), at: .max), "abc") == nil)
    }

    @Test func textThatBecomesTooLongIsNotFollowed() {
        let long = String(repeating: "a", count: 500)
        #expect(
            text(TextChange(inserting: SecretBytes(utf8: String(repeating: "b", count: 12)), at: 0), long)?.count == 512
        )
        #expect(text(TextChange(inserting: SecretBytes(utf8: String(repeating: "b", count: 13)), at: 0), long) == nil)
    }
}
