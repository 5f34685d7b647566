// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// Says that what the user has agreed to is an older copy, and what to do about it.
struct OlderNotice {
    let older: OlderRegistry
    let command = "latchkey consents take-back"

    var lines: [String] {
        let changes = older.changes == 1 ? "1 change is" : "\(older.changes) changes are"
        let since = older.since.map { ", the first of \(Moment.text($0))" } ?? ""
        return [
            "What you have agreed to is an older copy: \(changes) missing\(since).",
            "Providers, programs and agreements that you took back since then may count again, and what you agreed to may be gone.",
            "Until you decide, Latchkey asks before each fill as if you had agreed to none.",
        ]
    }

    var hint: String { "`\(command)` takes all of it back; `latchkey consents keep` lets it count." }

    func show() {
        for line in lines + [hint] { Output.note(line) }
    }
}
