// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// What an import did, line by line of the file, without a single secret.
struct ImportReport: Equatable {
    /// A column that was not kept: times, identifiers, icons.
    struct Unkept: Equatable {
        let column: ImportColumns.Column
        var lines: [Int] = []
    }

    let format: ImportFormat
    private(set) var imported = 0
    /// How many of them are for no website.
    private(set) var withoutSite = 0
    private(set) var skipped: [ImportPlan.Skip]
    /// Lines that were added although an item for the same service and user has another password.
    private(set) var differing: [Int] = []
    /// Lines that are among those once they are added.
    var others: Set<Int> = []
    /// Lines whose account was saved with another password: the one that the user did not choose is in its history now.
    private(set) var settled: [Int] = []
    /// Those of them whose own password is the one in the history.
    private(set) var past: [Int] = []
    /// Number of saved accounts that got what they lacked beside their password.
    var completed = 0
    /// Whether anything is saved now that was not before.
    var changedAnything: Bool { imported + settled.count + completed > 0 }
    /// Which password those accounts have.
    private(set) var kept = PasswordChoice.both
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
        failure == nil && uncertain.isEmpty && !skipped.contains(where: \.isLoss)
    }

    mutating func take(_ candidate: ImportPlan.Candidate) {
        imported += 1
        if others.contains(candidate.line) { differing.append(candidate.line) }
        if candidate.item.services.isEmpty { withoutSite += 1 }
        for place in candidate.unkept { columns[place].lines.append(candidate.line) }
    }

    mutating func settle(_ candidate: ImportPlan.Candidate, _ choice: PasswordChoice, isUsed: Bool) {
        kept = choice
        settled.append(candidate.line)
        if !isUsed { past.append(candidate.line) }
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
        // A question that could not be asked comes before anything is saved.
        if failure.status == .usage { return failure }
        let reason = failure.message.hasSuffix(".") ? failure.message : failure.message + "."
        let present = skipped.count { $0.isPresent }
        var counts = ["\(Self.items(imported)) saved"]
        if !settled.isEmpty { counts.append("\(settled.count) changed") }
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
        if withoutSite == 1 {
            lines.append("One of them is for no website. It is in the list by its title.")
        } else if withoutSite > 1 {
            lines.append("\(withoutSite) of them are for no website. They are in the list by their titles.")
        }
        if !skipped.isEmpty {
            lines.append("Skipped \(skipped.count):")
            lines += skipped.map { "  line \($0.line): \($0.reason)" }
        }
        if !unkept.isEmpty {
            let names = unkept.map { "\($0.column.name) (\($0.lines.count))" }.joined(separator: ", ")
            lines.append("Times, identifiers and icons are left out: \(names).")
        }
        if !differing.isEmpty {
            lines.append(
                "Another password was saved for the same user and service; both are kept: \(Self.list(differing)).")
        }
        let used = settled.filter { !past.contains($0) }
        if !used.isEmpty {
            lines.append(
                "The file's password is used now; the earlier one is in the account's history: \(Self.list(used)).")
        }
        if !past.isEmpty {
            lines.append("The file's password is in the account's history and not used: \(Self.list(past)).")
        }
        return lines.map { TerminalText.escaped($0) }
    }

    private static func list(_ lines: [Int]) -> String { "line " + lines.map(String.init).joined(separator: ", ") }

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
            ("imported", .integer(Int64(imported))), ("withoutSite", .integer(Int64(withoutSite))),
            ("skipped", list(skipped)),
            ("notKept", .array(unkept.map(Self.json))),
            ("otherPassword", numbers(differing)), ("settled", numbers(settled)), ("past", numbers(past)),
            ("kept", .string(kept.rawValue)), ("completed", .integer(Int64(completed))),
            ("uncertain", numbers(uncertain)),
            ("notReached", .integer(Int64(notReached))),
            ("complete", .bool(isEverythingKept)),
            ("columns", .array(columns.map { Self.json($0.column) })),
        ])
    }

    private static func json(_ column: ImportColumns.Column) -> JSONText {
        let use: String? =
            switch column.use {
            case .address, .addresses, .moreAddresses: "address"
            case .user, .otherUser: "user"
            case .password: "password"
            case .notes: "notes"
            case .authenticator: "authenticator"
            case .folder, .tag, .tags: "tags"
            case .favorite: "favorite"
            case .title: "title"
            case nil, .content, .flag, .fields: "notes"
            case .kind, .bookkeeping: nil
            }
        return .object([("column", .string(column.name)), ("use", .optional(use))])
    }

    private static func json(_ unkept: Unkept) -> JSONText {
        .object([
            ("column", .string(unkept.column.name)), ("bookkeeping", .bool(true)),
            ("lines", .array(unkept.lines.map { .integer(Int64($0)) })),
        ])
    }
}
