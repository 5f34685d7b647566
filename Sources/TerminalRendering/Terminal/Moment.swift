// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import Glibc

/// Formats times for users, and parses times that users write.
package enum Moment {
    /// Local time, to the minute, sortable.
    package static func text(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard localtime_r(&time, &parts) != nil else { return String(seconds) }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    /// Parses `90m`, `24h`, `7d`, a date (`2026-11-21`, local midnight), or seconds since 1970. Returns `nil` for other text.
    package static func seconds(_ text: String, now: Int64) -> Int64? {
        if let unit = text.last, let factor = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800][String(unit)],
            let count = Int64(text.dropLast()), count >= 0
        {
            let (span, overflow) = count.multipliedReportingOverflow(by: Int64(factor))
            return overflow ? nil : now - span
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0].count == 4, let year = Int32(parts[0]), let month = Int32(parts[1]),
            let day = Int32(parts[2]), (1...12).contains(month), (1...31).contains(day)
        {
            var moment = tm()
            moment.tm_year = year - 1900
            moment.tm_mon = month - 1
            moment.tm_mday = day
            moment.tm_isdst = -1
            let time = mktime(&moment)
            // mktime turns 31 February into 3 March, which is not the date that was written.
            return time >= 0 && moment.tm_mon == month - 1 ? Int64(time) : nil
        }
        guard let seconds = Int64(text), seconds >= 0 else { return nil }
        return seconds
    }

    package static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
