// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import TerminalRendering

/// What an import did, line by line of the file, without a single secret.
struct ImportReport: Equatable {
    /// A column of which something was not kept.
    struct Unkept: Equatable {
        let column: ImportColumns.Column
        var lines: [Int] = []

        /// Whether a person wrote or chose what stands there.
        var isLoss: Bool { column.use != .bookkeeping }
    }

    let format: ImportFormat
    private(set) var imported = 0
    private(set) var skipped: [ImportPlan.Skip]
    /// Lines that were added although an item for the same service and user has another password.
    var differing: [Int] = []
    /// What was not kept, by column.
    private var columns: [Unkept]
    /// Lines of which it is not known whether they were saved: the import broke off while they were under way.
    var uncertain: [Int] = []
    /// Number of lines that the import broke off before.
    var notReached = 0
    /// What ended the import early.
    var failure: CommandFailure?

    init(_ plan: ImportPlan) {
        format = plan.format
        skipped = plan.skipped
        columns = plan.columns.columns.map { Unkept(column: $0) }
    }

    /// The columns of which something was not kept.
    var unkept: [Unkept] { columns.filter { !$0.lines.isEmpty } }

    /// Whether everything that a person wrote is in Latchkey now, so that the file may go.
    var isEverythingKept: Bool {
        failure == nil && uncertain.isEmpty && !skipped.contains(where: \.isLoss) && !unkept.contains(where: \.isLoss)
    }

    mutating func take(_ candidate: ImportPlan.Candidate) {
        imported += 1
        for place in candidate.unkept { columns[place].lines.append(candidate.line) }
    }

    mutating func skip(
        _ candidate: ImportPlan.Candidate, _ reason: String, isLoss: Bool, isPresent: Bool = false
    ) {
        skipped.append(.init(line: candidate.line, reason: reason, isLoss: isLoss, isPresent: isPresent))
        skipped.sort { $0.line < $1.line }
    }

    private static func items(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }

    /// What ended the import early, with how many items were saved and how many were not; `nil` if it came to its end.
    var breakOff: CommandFailure? {
        guard let failure else { return nil }
        let reason = failure.message.hasSuffix(".") ? failure.message : failure.message + "."
        let present = skipped.count { $0.isPresent }
        var counts = ["\(Self.items(imported)) saved"]
        if present > 0 { counts.append("\(present) saved before") }
        counts.append("\(notReached) not saved")
        if let first = uncertain.min(), let last = uncertain.max() {
            counts.append("\(uncertain.count) perhaps saved (lines \(first) to \(last))")
        }
        // "Try again in a moment" says the same.
        let first = failure.status == .unavailable ? nil : failure.hint
        let again = "mport the file again: what is saved already is skipped."
        return CommandFailure(
            failure.status, "\(reason) The import broke off: \(counts.joined(separator: ", ")).",
            hint: first.map { "\($0) Then i" + again } ?? "I" + again)
    }

    /// The account for people of an import that came to its end. `isDryRun` only changes the words.
    func lines(file: String, isDryRun: Bool) -> [String] {
        var lines = ["\(isDryRun ? "Would import" : "Imported") \(Self.items(imported)) from \(file) (\(format.name))."]
        if !skipped.isEmpty {
            lines.append("Skipped \(skipped.count):")
            lines += skipped.map { "  line \($0.line): \($0.reason)" }
        }
        let (lost, kept) = (unkept.filter(\.isLoss), unkept.filter { !$0.isLoss })
        if !lost.isEmpty {
            lines.append("Not kept, by column of the file:")
            lines += lost.map { "  \($0.column.name): \(Self.list($0.lines))" }
        }
        if !kept.isEmpty {
            let names = kept.map { "\($0.column.name) (\($0.lines.count))" }.joined(separator: ", ")
            lines.append("Times, identifiers and icons are left out: \(names).")
        }
        if !differing.isEmpty {
            let list = differing.map(String.init).joined(separator: ", ")
            lines.append("Another password was saved for the same user and service; both are kept: line \(list).")
        }
        return lines.map { TerminalText.escaped($0) }
    }

    /// How many lines, and the first of them.
    private static func list(_ lines: [Int]) -> String {
        let first = lines.prefix(5).map(String.init).joined(separator: ", ")
        let count = lines.count == 1 ? "1 row" : "\(lines.count) rows"
        return "\(count), line \(first)" + (lines.count > 5 ? " and others" : "")
    }

    func json(file: String, isDryRun: Bool) -> JSONText {
        func list(_ skips: [ImportPlan.Skip]) -> JSONText {
            .array(
                skips.map {
                    .object([
                        ("line", .integer(Int64($0.line))), ("reason", .string($0.reason)), ("loss", .bool($0.isLoss)),
                    ])
                })
        }
        func numbers(_ lines: [Int]) -> JSONText { .array(lines.map { .integer(Int64($0)) }) }
        return .object([
            ("file", .string(file)), ("format", .string(format.rawValue)), ("dryRun", .bool(isDryRun)),
            ("imported", .integer(Int64(imported))), ("skipped", list(skipped)),
            ("notKept", .array(unkept.map(Self.json))),
            ("otherPassword", numbers(differing)), ("uncertain", numbers(uncertain)),
            ("notReached", .integer(Int64(notReached))),
            ("complete", .bool(isEverythingKept)),
            ("columns", .array(columns.map { Self.json($0.column) })),
        ])
    }

    private static func json(_ column: ImportColumns.Column) -> JSONText {
        let use: String? =
            switch column.use {
            case .address, .addresses: "address"
            case .user, .otherUser: "user"
            case .password: "password"
            case .notes: "notes"
            case .authenticator: "authenticator"
            case .folder, .tag, .tags: "tags"
            case .favorite: "favorite"
            case nil, .title, .kind, .content, .bookkeeping: nil
            }
        return .object([("column", .string(column.name)), ("use", .optional(use))])
    }

    private static func json(_ unkept: Unkept) -> JSONText {
        .object([
            ("column", .string(unkept.column.name)), ("bookkeeping", .bool(!unkept.isLoss)),
            ("lines", .array(unkept.lines.map { .integer(Int64($0)) })),
        ])
    }
}
