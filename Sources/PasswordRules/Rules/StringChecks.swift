// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What strings over an alphabet have to satisfy.
struct StringChecks: Sendable {
    /// None is implied by another one, nor by the alphabet.
    let required: [ASCIISet]
    let maxConsecutive: Int?

    init(required: [ASCIISet], allowed: ASCIISet, maxConsecutive: Int?) {
        var kept: [ASCIISet] = []
        for set in required.map(allowed.intersection).sorted(by: { $0.count < $1.count })
        where !kept.contains(where: set.isSuperset) && set != allowed {
            kept.append(set)
        }
        self.required = kept
        self.maxConsecutive = maxConsecutive
    }

    func accept(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // A site trims what it is sent.
        if text.first == 0x20 || text.last == 0x20 { return false }
        if !required.isEmpty {
            var characters = ASCIISet()
            for byte in text { characters.insert(byte) }
            for set in required where !set.meets(characters) { return false }
        }
        guard let maxConsecutive else { return true }
        return Self.longestRun(text) <= maxConsecutive
    }

    /// How often one byte stands in a row, at most.
    static func longestRun(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var longest = 0
        var run = 0
        var last: UInt8 = 0
        for byte in text {
            run = byte == last ? run + 1 : 1
            last = byte
            longest = max(longest, run)
        }
        return longest
    }
}
