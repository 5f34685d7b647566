// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong with an account's password, without anything of the password.
public struct Finding: Hashable, Sendable {
    /// What is wrong. The raw values travel and are documented; others may join them.
    public enum Kind: String, Sendable, CaseIterable {
        /// It stands in a list of passwords that have leaked.
        case breached
        /// Things are delivered with it, or it is the user name.
        case `default`
        /// Other accounts have it too.
        case reused
        /// It is guessed soon.
        case weak
        /// It has too few characters, whatever they are.
        case short
        /// It was generated in a way that is not up to date.
        case old
    }

    public let kind: Kind
    /// How often it leaked, how many other accounts have it, zxcvbn's score, how many characters it has; 0 for the others.
    public let number: Int
    /// The accounts that have it too, by their keys; at most `Finding.accountLimit`.
    public let accounts: [String]

    public static let accountLimit = 20

    public init(_ kind: Kind, number: Int = 0, accounts: [String] = []) {
        self.kind = kind
        self.number = number
        self.accounts = Array(accounts.prefix(Self.accountLimit))
    }

    /// How urgent it is, 1 to 100. `docs/recommendations.md` says why.
    public var urgency: Int {
        switch kind {
        case .breached: 100
        case .default: 90
        case .weak: number <= 1 ? 80 : 45
        case .reused: 60 + min(number, 10)
        case .short: 50
        case .old: 10
        }
    }

    /// Why, in words for the person whose account it is.
    public var reason: String {
        switch kind {
        case .breached:
            number == 1
                ? "This password has leaked: it was found once in data that was stolen elsewhere."
                : "This password has leaked: it was found \(number) times in data that was stolen elsewhere."
        case .default: "This is one of the passwords that everybody tries first."
        case .reused:
            number == 1
                ? "Another account has the same password." : "\(number) other accounts have the same password."
        case .weak:
            number <= 1
                ? "This password is very easy to guess."
                : "Weak password: someone with enough time can guess it."
        case .short: number == 0 ? "There is no password." : "This password has only \(number) characters."
        case .old: "This password was generated in a way that is weaker than today's."
        }
    }

    /// What to do about it.
    public var advice: String {
        switch kind {
        case .breached: "Change it soon, here and wherever else you use it."
        case .default, .weak, .short: "Change it to a generated one."
        case .reused: "Give each of these accounts its own password: someone who steals one has them all."
        case .old: "Change it the next time you use this site."
        }
    }
}
