// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
import TerminalRendering

/// Preferences as `--json` prints them.
enum PreferencesListing {
    /// How long git is given an agreed login, in words. A lock ends it in any case.
    static func gitAgreement(minutes: Int) -> String {
        switch minutes {
        case 0: "no; you are asked each time"
        case 1440...: "until the lock, a day at most"
        default: "for \(minutes) minutes"
        }
    }

    static func json(_ preferences: Preferences) -> JSONText {
        .object([
            ("autoFill", .bool(preferences.autoFill)), ("authentication", .string(preferences.authentication)),
            ("authenticationMinutes", .integer(Int64(preferences.authenticationMinutes))),
            ("fills", .optional(preferences.fills)),
            ("idleMinutes", .integer(Int64(preferences.idleMinutes))),
            ("lockOnSuspend", .bool(preferences.lockOnSuspend)),
            ("lockOnScreenLock", .bool(preferences.lockOnScreenLock)),
            ("providerSeconds", .integer(Int64(preferences.providerSeconds ?? 5))),
            ("gitSave", .string(preferences.gitSave ?? "ask")),
            ("gitMinutes", .integer(Int64(preferences.gitMinutes ?? 0))),
            ("codeSeconds", .integer(Int64(preferences.codeSeconds ?? 180))),
            ("codeMaildir", .optional(preferences.codeMaildir)),
            ("breachList", .optional(preferences.breachList)),
            ("breachRanges", .bool(preferences.breachRanges ?? false)),
            ("fingerprint", .bool(preferences.fingerprint ?? false)),
            ("shellSearch", .bool(preferences.shellSearch ?? false)),
        ])
    }
}
