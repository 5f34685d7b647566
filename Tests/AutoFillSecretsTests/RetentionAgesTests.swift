// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillSecrets
import FoundationEssentials
import Testing

@Suite struct RetentionAgesTests {
    private static func day(_ number: Double) -> Date {
        Date(timeIntervalSince1970: 1_700_000_000 + number * 24 * 3600)
    }

    /// Whether something that has waited since a day is over at one of some readings.
    private static func isOver(since: Double, at days: [Double]) -> Bool {
        var ages = RetentionAges()
        return days.contains { ages.count(["a": day(since)], at: day($0)) == ["a"] }
    }

    @Test(arguments: [
        [7, 14, 21, 28, 30], [29, 36, 43, 50, 57], Array(stride(from: 1.0, through: 30, by: 1)),
        // The clock stays ten years ahead, and time passes there.
        [3_650, 3_657, 3_664, 3_671, 3_678],
    ])
    func isOverWhenReadingsAgreeThatThirtyDaysHavePassed(days: [Double]) {
        #expect(Self.isOver(since: 0, at: days))
        #expect(!Self.isOver(since: 0, at: days.dropLast()))
    }

    @Test(arguments: [
        // Once ten years ahead, and back.
        [1, 3_650, 1], [1, 3_650, 1, 3_650, 1, 3_650, 1, 3_650, 1, 3_650, 1, 3_650],
        // A year back, and right again, as often as one likes.
        [-365, 1], [1, -365, 1, -365, 1, -365, 1, -365, 1, -365, 1, -365, 1],
        // Many readings within a day.
        Array(stride(from: 0.0, through: 0.99, by: 0.01)),
        // The only one for years, and the second right behind it.
        [3_650], [3_650, 3_650.5],
    ])
    func noReadingDecidesAlone(days: [Double]) {
        #expect(!Self.isOver(since: 0, at: days))
    }

    /// It was removed while the clock was a year back, or ahead.
    @Test(arguments: [-365.0, 3_650])
    func aWrongDateIsNoAge(since: Double) {
        #expect(!Self.isOver(since: since, at: [since, 0, 1, 2]))
        #expect(Self.isOver(since: since, at: [since, 0, 7, 14, 21, 28, 35, 42]))
    }

    @Test func anotherWaitUnderTheSameNameBeginsAnew() {
        var ages = RetentionAges()
        for day in stride(from: 0.0, through: 28, by: 7) { _ = ages.count(["a": Self.day(0)], at: Self.day(day)) }
        #expect(ages.count(["a": Self.day(29)], at: Self.day(35)) == [])
    }

    @Test func nothingIsToBeWrittenWithinADayOrWhereNothingWaits() {
        var ages = RetentionAges()
        #expect(ages.count([:], at: Self.day(0)) == nil)
        #expect(ages.count(["a": Self.day(0)], at: Self.day(0)) == [])
        #expect(ages.count(["a": Self.day(0)], at: Self.day(0.9)) == nil)
        #expect(ages.count(["a": Self.day(0)], at: Self.day(-0.9)) == nil)
        #expect(ages.count(["a": Self.day(0)], at: Self.day(1)) == [])
    }

    @Test func printsAndReadsTheSame() throws {
        var ages = RetentionAges()
        _ = ages.count(["a": Self.day(0), "b": Self.day(-3)], at: Self.day(1))
        #expect(try RetentionAges(decoding: ages.encoded) == ages)
        _ = ages.count(["a": .distantPast, "b": .distantFuture], at: .distantFuture)
        #expect(try RetentionAges(decoding: ages.encoded) == ages)
        #expect(throws: SecretsError.self) { try RetentionAges(decoding: SecretBytes(count: 64)) }
    }
}
