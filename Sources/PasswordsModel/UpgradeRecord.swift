// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillIPC
internal import ShownText

/// What became of accounts whose passwords were to be changed at their services, one after another.
package struct UpgradeRecord: Sendable {
    package enum Outcome: Sendable, Equatable {
        case changed
        /// It was not changed, or the outcome is unknown; why, as a sentence.
        case failed(String)
        /// The user ended it before its turn came.
        case notReached
    }

    private var entries: [(account: UpgradeStatement, outcome: Outcome)] = []

    package init() {}

    package mutating func note(_ account: UpgradeStatement, _ outcome: Outcome) {
        entries.append((account, outcome))
    }

    /// What the user is told, a line each.
    package var sentences: [String] {
        let changed = entries.count { $0.outcome == .changed }
        let missed = entries.count { $0.outcome == .notReached }
        var lines: [String] = []
        if entries.count == 1 {
            if changed == 1, let account = entries.first?.account {
                lines.append(
                    "The password of \(Self.name(account)) is a strong one now. The old one is in the account's history."
                )
            }
        } else {
            lines.append(
                "\(changed) of \(entries.count) passwords are strong ones now."
                    + (changed > 0 ? " The old ones are in the accounts' histories." : ""))
        }
        for case (let account, .failed(let reason)) in entries { lines.append("\(Self.name(account)): \(reason)") }
        if missed > 0 { lines.append(missed == 1 ? "One was not begun." : "\(missed) were not begun.") }
        return lines
    }

    /// The account as it is named in a sentence.
    package static func name(_ account: UpgradeStatement) -> String {
        DisplayText("\(account.user) at \(account.service)").text
    }

    /// Whether the others have no chance either, after this error.
    package static func isEndOfAll(_ error: WireError) -> Bool {
        switch error.code {
        case .locked, .notInitialized, .authenticationRequired, .tooManyAttempts, .notPermitted, .methodNotFound: true
        default: false
        }
    }
}
