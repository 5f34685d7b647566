// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillIPC
import TerminalRendering

/// What `latchkey upgrade` says of accounts that sign in with Apple, or could.
enum ConversionText {
    /// How it ended; nothing where the account has a password.
    static func end(_ answer: Upgrades.Run.Answer) -> String? {
        guard let fate = answer.password else { return nil }
        return "\(answer.user) signs in to \(answer.service) with Apple now. " + sentence(of: fate, answer.provider)
    }

    /// What can be done about an account.
    static func offer(_ account: UpgradeStatement) -> String {
        let password = account.extension.map { "by \($0)" } ?? account.refusal ?? ""
        guard let name = account.signInWithApple else { return password }
        return account.extension == nil
            ? "to Sign in with Apple by \(name)" : password + ", or to Sign in with Apple"
    }

    /// Accounts as lines of a table.
    static func rows(_ accounts: [ConvertedStatement]) -> [[String]] {
        accounts.map { account in
            let rest = account.password == "kept" ? "; remove its password in \(account.provider)" : ""
            return [
                account.service, account.user, account.provider,
                "signs in with Apple since \(Moment.text(account.date))" + rest,
            ]
        }
    }

    /// One of them, as JSON.
    static func json(_ account: ConvertedStatement) -> JSONText {
        .object([
            ("service", .string(account.service)), ("user", .string(account.user)),
            ("provider", .string(account.provider)), ("app", .string(account.app)), ("date", .integer(account.date)),
            ("signsInWith", .string("apple")), ("password", .string(account.password)),
        ])
    }

    private static func sentence(of fate: String, _ provider: String) -> String {
        switch fate {
        case "removed":
            "\(provider) has removed the password. What Latchkey's own provider removes, `latchkey restore-item` brings back for "
                + "30 days."
        case "detached": "\(provider) keeps the password for the other places that it was saved for."
        case "kept": "\(provider) cannot remove passwords for others: remove it there; it no longer works."
        case "none": "No password was saved."
        default: "\(provider) has not removed the password yet; it is tried again at the next unlock."
        }
    }
}
