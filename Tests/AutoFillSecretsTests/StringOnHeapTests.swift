// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AutoFillSecrets

@Suite struct StringOnHeapTests {
    /// Whether the bytes of a text stand in the value itself.
    private func isInline(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return withUnsafeBytes(of: text) { value in bytes.count <= 15 && value.starts(with: bytes) && !bytes.isEmpty }
    }

    private static let texts = [
        "a", "rm", "anna", "rmondello", "fifteen bytes!!", "sixteen bytes!!!", "ü", "日本語", "e\u{301}", "👩‍👩‍👧", "\u{0}",
        "a\u{FFFD}b",
    ]

    @Test("S49: bytes of a short name are never in the value", arguments: texts)
    func shortTextsAreOnTheHeap(text: String) throws {
        let bytes = Array(text.utf8)
        let read = try #require(bytes.withUnsafeBytes { String(onHeap: $0) })
        #expect(Array(read.utf8) == bytes)
        #expect(!isInline(read))
        #expect(Array(text.onHeap.utf8) == bytes)
        #expect(!isInline(text.onHeap))
        // Copies refer to the same bytes.
        #expect([read, read].allSatisfy { !isInline($0) })
    }

    @Test func theTestRecognisesWhatIsInline() {
        #expect(isInline(String(["r", "m"] as [Character])))
        #expect(!isInline(String(repeating: "r", count: 16)))
    }

    @Test func nothingIsNothing() {
        #expect([UInt8]().withUnsafeBytes { String(onHeap: $0) } == "")
        #expect("".onHeap == "")
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0xE2, 0x82], [0x80]] as [[UInt8]])
    func refusesWhatIsNoText(bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { String(onHeap: $0) } == nil)
    }

    @Test("S49: texts of records are on the heap")
    func recordsHoldNoNames() throws {
        var encoder = RecordEncoder()
        encoder.append("rmondello")
        var decoder = try RecordDecoder(encoder.finish())
        #expect(!isInline(try decoder.readText()))
    }
}
