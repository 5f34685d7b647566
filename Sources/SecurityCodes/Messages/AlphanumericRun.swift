// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// ASCII letters and digits, with the signs that join them, from one place in a text.
struct AlphanumericRun {
    /// Where it ends.
    private(set) var end: Int
    /// How many letters and digits it has.
    private(set) var count = 0
    private(set) var hasDigit = false
    private(set) var hasLetter = false
    private(set) var hasCapital = false
    private(set) var hasSmall = false
    /// Between digits stands what dates, times and prices have there.
    private(set) var hasPunctuation = false
    /// How many groups hyphens make of it.
    private(set) var groups = 1
    /// How many letters and digits the first groups have.
    private(set) var sizes: [Int] = []
    /// A group is a word in small letters, as in `6-digit`.
    private(set) var hasLowercaseWord = false

    init(folded: UnsafeBufferPointer<UInt32>, plain: UnsafeBufferPointer<UInt32>, at start: Int) {
        end = start
        var group = start
        var groupHasDigit = false
        var groupHasCapital = false
        while end < folded.count {
            let scalar = folded[end]
            if Scalars.isDigit(scalar) {
                hasDigit = true
                groupHasDigit = true
            } else if Scalars.isLatin(scalar) {
                hasLetter = true
                if plain[end] < 0x60 {
                    groupHasCapital = true
                    hasCapital = true
                } else {
                    hasSmall = true
                }
            } else {
                guard end > start, end + 1 < folded.count else { break }
                let (last, next) = (folded[end - 1], folded[end + 1])
                guard Scalars.isAlphanumeric(last), Scalars.isAlphanumeric(next) else { break }
                switch scalar {
                case 0x2D:
                    close(group, end, groupHasDigit, groupHasCapital)
                    groups += 1
                    group = end + 1
                    groupHasDigit = false
                    groupHasCapital = false
                    end += 1
                    continue
                case 0x2E, 0x2C, 0x2F, 0x3A, 0x27:
                    guard Scalars.isDigit(last), Scalars.isDigit(next) else { break }
                    if scalar == 0x2C, end - start > 3, !hasPunctuation, !Self.isFraction(folded, end + 1) { break }
                    hasPunctuation = true
                    end += 1
                    continue
                default: break
                }
                break
            }
            count += 1
            end += 1
        }
        close(group, end, groupHasDigit, groupHasCapital)
    }

    /// Nothing but capitals, in at most three groups, as many as codes have.
    var isCapitals: Bool { !hasDigit && !hasSmall && groups <= 3 && (4...10).contains(count) }

    /// Whether two digits stand at a place and nothing that counts them: `4821,50` is a price, `4821,5分` a code and the
    /// minutes for which it is good.
    private static func isFraction(_ folded: UnsafeBufferPointer<UInt32>, _ start: Int) -> Bool {
        var end = start
        while end < folded.count, end - start < 4, Scalars.isDigit(folded[end]) { end += 1 }
        return end - start == 2 && (end == folded.count || !Scalars.isSpaceless(folded[end]))
    }

    private mutating func close(_ start: Int, _ end: Int, _ hasDigit: Bool, _ hasCapital: Bool) {
        if sizes.count < 8, hasDigit || groups > 1 { sizes.append(end - start) }
        if !hasDigit, !hasCapital, end - start > 1 { hasLowercaseWord = true }
    }
}

/// Digits in groups.
enum DigitGroups {
    /// How many of the first groups belong to one number.
    static func joined(_ sizes: [Int]) -> Int {
        if sizes.count == 1 { return 1 }
        let total = sizes.reduce(0, +)
        let areEqual = sizes.allSatisfy { $0 == sizes[0] }
        if areEqual, sizes[0] <= 4 { return sizes.count }
        // Telephone numbers and numbers of cards and parcels.
        if total >= 9, sizes.allSatisfy({ $0 <= 5 }) { return sizes.count }
        if sizes.count >= 3, sizes.allSatisfy({ $0 <= 4 }) { return sizes.count }
        if sizes.count == 2, sizes[0] == 3, sizes[1] == 4 { return 2 }
        return 1
    }

    static func kind(_ sizes: [Int], areHyphenated: Bool) -> NumberKind {
        let total = sizes.reduce(0, +)
        if sizes.count == 1 { return (3...10).contains(total) ? .digits : .size }
        let areEqual = sizes.allSatisfy { $0 == sizes[0] }
        // `12-03` is a date more often than a code.
        if areHyphenated, sizes == [2, 2] { return .oddGroups }
        if areEqual, (4...8).contains(total) { return .digits }
        if areEqual, total == 9, sizes.count == 3 { return .oddGroups }
        if total > 8 { return .telephone }
        return areHyphenated && sizes.count == 2 && sizes[0] > 1 ? .oddGroups : .telephone
    }
}
