// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A word, or a number, of a message.
struct MessageToken {
    let start: Int
    let end: Int
    let classes: WordClasses
    let sentence: Int
    /// What a number is; nothing for a word.
    var number: NumberKind?
}

/// What a number is by its form alone.
enum NumberKind {
    /// Digits, together or in groups.
    case digits
    /// Letters and digits.
    case mixed
    /// Capitals only.
    case letters
    /// Groups of digits that codes seldom come in.
    case oddGroups
    /// Date, time, price or version.
    case punctuated
    case telephone
    /// The end of a number that is not shown whole.
    case masked
    /// Too short or too long.
    case size
    /// Part of a word, an address or something else.
    case part
    /// With a unit or a currency behind it or before it.
    case measure

    var mayBeCode: Bool {
        switch self {
        case .digits, .mixed, .letters, .oddGroups: true
        default: false
        }
    }
}

/// What ends at a full stop, at a question mark, at an exclamation mark, or at the end of a line.
struct MessageSentence {
    var classes: WordClasses = []
    /// How far the sentences before are away, in tokens.
    var distance = 0
    /// A number in it is a percentage, as in offers.
    var hasPercentage = false
    var isNegated: Bool { classes.contains(.negation) }
}
