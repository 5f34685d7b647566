// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Dates as they stand in XML: `2026-01-31T23:59:59Z`.
enum DateText {
    /// Seconds since 1 January 2001, UTC; `nil` for what is not a date of the years 1 to 9999.
    static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
            bytes[16] == 0x3A, bytes[19] == 0x5A,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            year >= 1, (1...12).contains(month), (1...days(of: month, year)).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        let wholeDays = dayNumber(year, month, day) - dayNumber(2001, 1, 1)
        return Double(((wholeDays * 24 + hour) * 60 + minute) * 60 + second)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy { (0x30...0x39).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } : nil
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since the beginning of the year 1.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        return before * 365 + before / 4 - before / 100 + before / 400
            + (1..<month).reduce(0) { $0 + days(of: $1, year) } + day - 1
    }
}
