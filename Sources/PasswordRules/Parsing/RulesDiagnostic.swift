// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What was wrong with rules, where, and what to write instead.
public struct RulesDiagnostic: Hashable, Sendable {
    /// What a reader does about it.
    public enum Consequence: String, Sendable {
        /// All rules of the text are discarded, those before it included.
        case discardsEverything
        /// The text after it is not read.
        case endsReading
        /// This rule is as if it were not there.
        case dropsRule
        /// Characters or values of the rule are left out.
        case dropsPart
        /// Nothing is lost; the rules cannot be what was meant.
        case warning
    }

    /// Of the first character concerned, in Unicode scalars; the first of the text has 1.
    public let column: Int
    public let consequence: Consequence
    public let message: String
    /// What to do, in one sentence.
    public let fix: String
}
