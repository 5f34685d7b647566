// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
package import Foundation

/// Verifies a log's file with the keys of its lines: which line is at which place, and what is wrong.
///
/// A line's tag fits only one key, so the line is recognized at any place. A line that fits no key was changed, or
/// written without the key.
package struct AuditVerification: Sendable {
    /// A place in the file and the line found there.
    private struct Place: Sendable {
        package let row: AuditRow?
        /// The line's index, or `nil` if it fits no key.
        package var index: Int?
    }

    /// Maximum number of misplaced lines that are searched for in the whole range. Beyond it they count as changed.
    private static let searchLimit = 100
    /// Number of lines after a gap that are searched first.
    private static let nearby = 64

    private let first: Int
    /// The index of the next line, from the known range or, if higher, from the file.
    package private(set) var next: Int
    /// Whether the file ends in the middle of a line.
    package let isCut: Bool
    private var places: [Place] = []
    /// The unchanged lines in order, each once.
    package private(set) var rows: [(index: Int, row: AuditRow)] = []

    /// - Parameters:
    ///   - first: The index of the first line that has to exist.
    ///   - next: One more than the index of the last line that has to exist.
    package init(_ file: Data, keys: AuditKeys, first: Int, next: Int) {
        self.first = first
        // As an array, because `Data` is searched byte by byte through its storage, which took a sixth of the time.
        var lines = Array(file).split(separator: 0x0A, omittingEmptySubsequences: false)
        isCut = lines.last.map { !$0.isEmpty } ?? false
        if lines.last?.isEmpty == true { lines.removeLast() }
        // Older lines may still be there if their removal was interrupted.
        var chains = Chains(keys, from: max(0, first - lines.count), upTo: max(first, next) + lines.count)
        var expected = first
        var searches = 0
        for (position, line) in lines.enumerated() {
            var place = Place(row: AuditRow(line))
            if let row = place.row, !(isCut && position == lines.count - 1) {
                place.index = chains.index(of: row, near: expected..<expected + Self.nearby)
                if place.index == nil, searches < Self.searchLimit {
                    searches += 1
                    place.index = chains.index(of: row)
                }
            }
            if let index = place.index { expected = index + 1 }
            places.append(place)
        }
        let found = places.compactMap(\.index)
        self.next = max(first, next, (found.max() ?? -1) + 1)
        var seen: Set<Int> = []
        for place in places {
            guard let index = place.index, let row = place.row, seen.insert(index).inserted else { continue }
            rows.append((index, row))
        }
        rows.sort { $0.index < $1.index }
    }

    /// Whether the only fault is an incomplete line after the last required one. That is a crash, which lost no
    /// acknowledged line.
    package func endsInACrash(knownNext: Int) -> Bool {
        isCut && places.dropLast().last.map { $0.index.map { $0 + 1 >= knownNext } ?? false } ?? (knownNext == first)
    }

    /// The faults found, each with the lines concerned.
    package var findings: [AuditFinding] {
        repeated + disordered + gaps
    }

    private var repeated: [AuditFinding] {
        var seen: Set<Int> = []
        return places.compactMap { place in
            guard let index = place.index, !seen.insert(index).inserted else { return nil }
            return AuditFinding("repeated", index, index, "stands there more than once")
        }
    }

    private var disordered: [AuditFinding] {
        var seen: Set<Int> = []
        let found = places.compactMap(\.index).filter { seen.insert($0).inserted }
        let moved = zip(found, found.sorted()).filter { $0 != $1 }.map(\.1)
        guard let low = moved.min(), let high = moved.max() else { return [] }
        guard moved.count == 2 else {
            return [AuditFinding("reordered", low, high, "stand in another order than they were written in")]
        }
        return [
            AuditFinding(
                kind: "exchanged", first: low + 1, last: high + 1,
                message: "Lines \(low + 1) and \(high + 1) have changed places.")
        ]
    }

    /// The missing lines, and the lines found in their place.
    private var gaps: [AuditFinding] {
        // The number of unrecognized lines, by the index of the line before them.
        var strangers: [Int: Int] = [:]
        var behind = first - 1
        for (position, place) in places.enumerated() {
            if let index = place.index {
                behind = index
            } else if !(isCut && position == places.count - 1) {
                strangers[behind, default: 0] += 1
            }
        }
        var findings: [AuditFinding] = []
        let present = rows.map(\.index).filter { $0 >= first }
        for (before, after) in zip([first - 1] + present, present + [next]) {
            let (low, high) = (before + 1, after - 1)
            let count = high - low + 1
            let others = strangers.removeValue(forKey: before) ?? 0
            let isCutHere = isCut && after == next
            switch (count, others) {
            case (0, 0): if isCutHere { findings.append(Self.cut(behind: before)) }
            case (0, _): findings.append(Self.added(others, behind: before))
            case (_, 0):
                if isCutHere { findings.append(Self.cut(behind: before)) }
                if count > (isCutHere ? 1 : 0) { findings.append(missing(low + (isCutHere ? 1 : 0), high)) }
            case (count, count): findings.append(AuditFinding("rewritten", low, high, Self.changed(count)))
            case (_, ..<count):
                findings.append(AuditFinding("rewritten", low, high, "\(others) of them changed, the others deleted"))
            default:
                findings.append(AuditFinding("rewritten", low, high, Self.changed(count)))
                findings.append(Self.added(others - count, behind: high))
            }
        }
        for (behind, count) in strangers.sorted(by: { $0.key < $1.key }) {
            findings.append(Self.added(count, behind: behind))
        }
        return findings
    }

    private func missing(_ low: Int, _ high: Int) -> AuditFinding {
        let isOne = low == high
        let place =
            if low == first, high == next - 1 {
                isOne ? ", the only one," : ", all there were,"
            } else if low == first {
                isOne ? ", the first one," : ", the first ones,"
            } else if high == next - 1 {
                isOne ? ", the last one," : ", the last ones,"
            } else {
                ""
            }
        return AuditFinding("deleted", low, high, "\(isOne ? "is" : "are") missing", place: place)
    }

    private static func changed(_ count: Int) -> String { count == 1 ? "was changed" : "were changed" }

    private static func cut(behind index: Int) -> AuditFinding {
        AuditFinding("cut", index + 1, index + 1, "ends in the middle")
    }

    private static func added(_ count: Int, behind index: Int) -> AuditFinding {
        let place = index < 0 ? "before line 1" : "behind line \(index + 1)"
        return AuditFinding(
            kind: "added", first: max(1, index + 1), last: max(1, index + 1),
            message:
                "\(count) line\(count == 1 ? "" : "s") \(place) \(count == 1 ? "was" : "were") added by another program."
        )
    }
}

extension AuditFinding {
    /// Makes a finding about lines, whose indexes count from 0; its text counts from 1.
    fileprivate init(_ kind: String, _ first: Int, _ last: Int, _ what: String, place: String = "") {
        let lines = first == last ? "Line \(first + 1)" : "Lines \(first + 1) to \(last + 1)"
        self.init(kind: kind, first: first + 1, last: last + 1, message: "\(lines)\(place) \(what).")
    }
}

/// The keys of a range of lines, derived on demand.
private struct Chains {
    private let start: Int
    private let limit: Int
    private var made: [AuditChain] = []
    private var latest: AuditChain

    package init(_ keys: AuditKeys, from start: Int, upTo limit: Int) {
        self.start = start
        self.limit = limit
        latest = AuditChain(keys)
        latest.advance(to: start)
    }

    /// The index of a line, searched for in a range that may go beyond the limit.
    ///
    /// The files may understate the number of lines, and a line that was not found at its place would have its index used twice.
    package mutating func index(of row: AuditRow, near indexes: Range<Int>) -> Int? {
        for index in max(start, indexes.lowerBound)..<max(start, indexes.upperBound)
        where chain(index).tag(row.sealed) == row.tag {
            return index
        }
        return nil
    }

    package mutating func index(of row: AuditRow) -> Int? {
        index(of: row, near: start..<max(start, limit))
    }

    private mutating func chain(_ index: Int) -> AuditChain {
        while made.count <= index - start {
            made.append(latest)
            latest.advance()
        }
        return made[index - start]
    }
}
