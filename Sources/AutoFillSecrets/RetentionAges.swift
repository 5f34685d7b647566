// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// How long things have waited to be deleted for good, counted so that no single reading of the clock decides it.
///
/// Each reading adds the time since the one before, a week at most, and takes it off where the clock went back. So a clock that is wrong
/// once costs a week at most, and gives it back when it is right again.
public struct RetentionAges: Sendable, Equatable {
    /// How long something is kept before it is deleted for good, in seconds: 30 days.
    public static let span: TimeInterval = 30 * 24 * 3600
    /// The most that one reading of the clock adds or takes off, in milliseconds: a week.
    private static let step: Int64 = 7 * day
    /// The least time between two readings that count, in milliseconds: a day. So what is opened often is written seldom.
    private static let day: Int64 = 24 * 3_600_000
    /// A later time than any clock shows, in milliseconds since 1970.
    private static let latest: Int64 = 1 << 50
    /// How many things may wait.
    private static let limit: Int64 = 1_000_000

    /// Something that waits.
    private struct Entry: Sendable, Equatable {
        /// When it began to wait by the clock of that time. Another time under the same name is another wait.
        let since: Int64
        var age: Int64
    }

    /// The last reading that counted, in milliseconds since 1970.
    private var reading: Int64?
    private var entries: [String: Entry] = [:]

    public init() {}

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `SecretsError` with `damaged`.
    public init(decoding payload: SecretBytes) throws {
        let times = -Self.latest...Self.latest
        var record = try RecordDecoder(payload)
        reading = try record.readNumber(in: times)
        for _ in 0..<(try record.readNumber(in: 0...Self.limit)) {
            let name = try record.readText()
            entries[name] = Entry(since: try record.readNumber(in: times), age: try record.readNumber(in: times))
        }
        try record.finish()
    }

    /// The record that is sealed.
    public var encoded: SecretBytes {
        var record = RecordEncoder()
        record.append(reading ?? 0)
        let kept = entries.sorted { $0.key < $1.key }.prefix(Int(Self.limit))
        record.append(Int64(kept.count))
        for (name, entry) in kept {
            record.append(name)
            record.append(entry.since)
            record.append(entry.age)
        }
        return record.finish()
    }

    /// Counts the time since the last reading.
    ///
    /// - Parameter waiting: All that waits now, with the time since when.
    /// - Returns: The names of what has waited for `span`; `nil` where this reading does not count and nothing is to be written.
    public mutating func count(_ waiting: [String: Date], at now: Date) -> Set<String>? {
        let now = Self.milliseconds(now)
        guard !waiting.isEmpty || !entries.isEmpty else { return nil }
        if let reading, abs(now - reading) < Self.day { return nil }
        var counted: [String: Entry] = [:]
        for (name, date) in waiting {
            let since = Self.milliseconds(date)
            if let reading, var entry = entries[name], entry.since == since {
                entry.age += min(max(now - reading, -Self.step), Self.step)
                counted[name] = entry
            } else {
                counted[name] = Entry(since: since, age: min(max(now - since, 0), Self.step))
            }
        }
        let over = counted.filter { Double($0.value.age) >= Self.span * 1000 }
        for name in over.keys { counted[name] = nil }
        (reading, entries) = (now, counted)
        return Set(over.keys)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        Int64(min(max(date.timeIntervalSince1970 * 1000, -Double(latest)), Double(latest)))
    }
}
