// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import AutoFillQuirks
import TerminalRendering

/// A set of quirks for people and for scripts.
enum QuirksListing {
    static func json(_ set: QuirksSet?, store: QuirksStore) -> JSONText {
        let files = QuirksFile.allCases.compactMap { file in set?.files[file.rawValue].map { (file, $0) } }
        return .object([
            ("folder", .string(store.folder)), ("source", .optional(set?.source)), ("date", .optional(set?.date)),
            (
                "suffixes",
                set?.suffixesVersion.map { version in
                    .object([("version", .string(version)), ("date", .optional(set?.suffixesDate))])
                } ?? .null
            ),
            (
                "files",
                .array(
                    files.map { file, entry in
                        .object([
                            ("name", .string(file.rawValue)), ("entries", .integer(Int64(entry.entries))),
                            ("bytes", .integer(Int64(entry.bytes))), ("digest", .string(entry.digest)),
                            ("source", .string(entry.source)), ("date", .integer(entry.date)),
                            ("intact", .bool(set.map { store.content(of: file, in: $0) != nil } ?? false)),
                        ])
                    }
                )
            ),
        ])
    }

    /// One row a file.
    static func rows(_ set: QuirksSet, store: QuirksStore) -> [[String]] {
        QuirksFile.allCases.compactMap { file in
            set.files[file.rawValue].map { entry in
                let fault = store.content(of: file, in: set) == nil ? "damaged" : ""
                return [
                    file.rawValue, "\(entry.entries) entries", Moment.text(entry.date),
                    TerminalText.escaped(entry.source), fault,
                ]
            }
        }
    }

    /// How old things are, a row each.
    static func summary(_ set: QuirksSet?, store: QuirksStore, now: Int64) -> [[String]] {
        guard let set else {
            return [["quirks", "none of your own; `latchkey quirks update` fetches them"]]
        }
        let damaged = QuirksFile.allCases.filter {
            set.files[$0.rawValue] != nil && store.content(of: $0, in: set) == nil
        }
        var rows = [
            ["quirks", "\(set.files.count) files, \(age(of: set.date, now: now))"],
            ["source", TerminalText.escaped(set.source)], ["folder", TerminalText.escaped(store.folder)],
        ]
        if let version = set.suffixesVersion, let date = set.suffixesDate {
            rows.append(["suffixes", "\(TerminalText.escaped(version)), \(age(of: date, now: now))"])
        }
        for file in damaged { rows.append(["damaged", file.rawValue]) }
        return rows
    }

    // MARK: What the daemon uses

    static func json(_ quirks: QuirksStatement) -> JSONText {
        .object([
            ("source", .optional(quirks.source)), ("date", .optional(quirks.date)),
            ("groups", .integer(Int64(quirks.groups))), ("suffixes", .string(quirks.suffixes)),
            ("suffixesDate", .optional(quirks.suffixesDate)), ("problems", .strings(quirks.problems)),
        ])
    }

    static func rows(_ quirks: QuirksStatement, now: Int64) -> [[String]] {
        let origin =
            if let source = quirks.source, let date = quirks.date { "\(age(of: date, now: now)), from \(source)" } else
            {
                "none of your own; `latchkey quirks update` fetches them"
            }
        let list = quirks.suffixesDate.map { age(of: $0, now: now) } ?? "of unknown age"
        return [
            ["quirks", "\(quirks.groups) groups of sites; \(origin)"], ["suffixes", "\(list), \(quirks.suffixes)"],
        ].map { $0.map(TerminalText.escaped) } + quirks.problems.map { ["problem", TerminalText.escaped($0)] }
    }

    /// "3 days old".
    static func age(of date: Int64, now: Int64) -> String {
        let days = max(0, now - date) / 86_400
        if days == 0 { return "less than a day old" }
        if days < 730 { return days == 1 ? "1 day old" : "\(days) days old" }
        return "\(days / 365) years old"
    }
}
