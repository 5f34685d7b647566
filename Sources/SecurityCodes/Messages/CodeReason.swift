// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why a message has a code, or has none.
public enum CodeReason: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The last line binds the code to a host.
    case bound
    /// It follows a word for a code.
    case afterCodeWord
    /// It stands before a word for a code.
    case beforeCodeWord
    /// It stands by itself, and a sentence beside it speaks of a code.
    case nearCodeWord
    /// The message asks to enter it.
    case entered
    /// The message is a number and nothing else.
    case alone
    /// There is nothing that could be a code.
    case noNumber
    /// What numbers there are, are something else.
    case otherNumbers
    /// Nothing says that a number is a code.
    case noCodeWord
    /// The message speaks of codes and does not bring one.
    case onlyTalk
    /// The code is one that no sign-in asks for.
    case otherCode
    /// It is to be told or shown to a person.
    case told

    public var description: String {
        switch self {
        case .bound: "The last line binds the code to a host."
        case .afterCodeWord: "It follows a word for a code."
        case .beforeCodeWord: "It stands before a word for a code, in the same sentence."
        case .nearCodeWord: "A sentence beside it speaks of a code."
        case .entered: "The message asks to enter it, to sign in or to approve something."
        case .alone: "The message consists of it alone."
        case .noNumber: "It contains nothing that could be a code."
        case .otherNumbers: "Its numbers are of other kinds: dates, amounts, telephone numbers, orders."
        case .noCodeWord: "Nothing in it says that a number is a code."
        case .onlyTalk: "It speaks of codes and brings none."
        case .otherCode: "Its code is not for signing in: a discount, a parcel, a door, a meeting."
        case .told: "Its number is to be told or shown to a person."
        }
    }
}
