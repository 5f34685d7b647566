// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A set of printable ASCII characters, U+0020 to U+007E, as the bits of two words.
struct ASCIISet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let upper = ASCIISet(0x41...0x5A)
    static let lower = ASCIISet(0x61...0x7A)
    static let digit = ASCIISet(0x30...0x39)
    static let printable = ASCIISet(0x20...0x7E)
    /// Everything printable that is neither a letter nor a digit: 33 characters, the space among them.
    static let special = printable.subtracting(upper).subtracting(lower).subtracting(digit)

    init() {}

    init(_ range: ClosedRange<UInt8>) {
        for character in range { insert(character) }
    }

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    var isEmpty: Bool { low | high == 0 }
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    /// Adds a character; one that is not printable ASCII is left out.
    mutating func insert(_ character: UInt8) {
        guard (0x20...0x7E).contains(character) else { return }
        if character < 64 { low |= 1 << UInt64(character) } else { high |= 1 << UInt64(character - 64) }
    }

    func contains(_ character: UInt8) -> Bool {
        character < 64 ? low >> UInt64(character) & 1 == 1 : character < 128 && high >> UInt64(character - 64) & 1 == 1
    }

    func union(_ other: ASCIISet) -> ASCIISet {
        ASCIISet(low: low | other.low, high: high | other.high)
    }

    func intersection(_ other: ASCIISet) -> ASCIISet {
        ASCIISet(low: low & other.low, high: high & other.high)
    }

    func subtracting(_ other: ASCIISet) -> ASCIISet {
        ASCIISet(low: low & ~other.low, high: high & ~other.high)
    }

    func isSuperset(of other: ASCIISet) -> Bool {
        other.subtracting(self).isEmpty
    }

    /// Whether there is a character that both have.
    func meets(_ other: ASCIISet) -> Bool {
        low & other.low | high & other.high != 0
    }

    /// In the order of their codes.
    var characters: [UInt8] {
        var characters: [UInt8] = []
        characters.reserveCapacity(count)
        visit { characters.append($0) }
        return characters
    }

    /// Calls for each character, in the order of their codes.
    func visit(_ body: (UInt8) -> Void) {
        for (bits, first) in [(low, UInt8(0)), (high, 64)] {
            var bits = bits
            while bits != 0 {
                body(first + UInt8(bits.trailingZeroBitCount))
                bits &= bits - 1
            }
        }
    }
}
