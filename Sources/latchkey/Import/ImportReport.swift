// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What an import did, line by line of the file, without a single secret.
struct ImportReport: Equatable {
    let format: ImportFormat
    private(set) var imported = 0
    private(set) var skipped: [ImportPlan.Skip]
    /// Lines that were added although an item for the same service and user has another password.
    var differing: [Int] = []
    /// Lines of which something was not kept.
    private(set) var unkept: [ImportPlan.Skip] = []
    /// Lines of which nobody knows: the daemon ended while they were under way.
    var uncertain: [Int] = []
    /// What ended the import early.
    var failure: CommandFailure?

    init(format: ImportFormat, skipped: [ImportPlan.Skip]) {
        self.format = format
        self.skipped = skipped
    }

    mutating func take(_ candidate: ImportPlan.Candidate) {
        imported += 1
        for thing in candidate.unkept { unkept.append(.init(line: candidate.line, reason: thing)) }
    }

    mutating func skip(_ line: Int, _ reason: String) {
        skipped.append(.init(line: line, reason: reason))
        skipped.sort { $0.line < $1.line }
    }

    /// The account for people. `isDryRun` only changes the words.
    func lines(file: String, isDryRun: Bool) -> [String] {
        func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
        var lines = ["\(isDryRun ? "Would import" : "Imported") \(items(imported)) from \(file) (\(format.rawValue))."]
        if !skipped.isEmpty {
            lines.append("Skipped \(skipped.count):")
            lines += skipped.map { "  line \($0.line): \($0.reason)" }
        }
        if !unkept.isEmpty {
            lines.append("Not kept, because an import leaves it out:")
            lines += unkept.map { "  line \($0.line): \($0.reason)" }
        }
        if !differing.isEmpty {
            let list = differing.map(String.init).joined(separator: ", ")
            lines.append("Another password was saved for the same user and service; both are kept: line \(list).")
        }
        if !uncertain.isEmpty {
            let first = uncertain.min() ?? 0
            let last = uncertain.max() ?? 0
            lines.append(
                "Line \(first) to \(last) may or may not have been saved. Import again: what is there is recognised.")
        }
        return lines.map { TerminalText.escaped($0) }
    }

    func json(file: String, isDryRun: Bool) -> JSONText {
        func list(_ skips: [ImportPlan.Skip]) -> JSONText {
            .array(skips.map { .object([("line", .integer(Int64($0.line))), ("reason", .string($0.reason))]) })
        }
        func numbers(_ lines: [Int]) -> JSONText { .array(lines.map { .integer(Int64($0)) }) }
        return .object([
            ("file", .string(file)), ("format", .string(format.rawValue)), ("dryRun", .bool(isDryRun)),
            ("imported", .integer(Int64(imported))), ("skipped", list(skipped)), ("notKept", list(unkept)),
            ("otherPassword", numbers(differing)), ("uncertain", numbers(uncertain)),
        ])
    }
}
