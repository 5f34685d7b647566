// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the words of messages are to the reader.
struct WordClasses: OptionSet, Sendable {
    let rawValue: UInt32

    /// A code of any kind.
    static let code = WordClasses(rawValue: 1 << 0)
    /// A code for signing in or approving, whatever stands around it.
    static let strong = WordClasses(rawValue: 1 << 1)
    /// What such a code is for.
    static let purpose = WordClasses(rawValue: 1 << 2)
    /// Several codes, in general.
    static let talk = WordClasses(rawValue: 1 << 3)
    /// A code that no sign-in asks for.
    static let other = WordClasses(rawValue: 1 << 4)
    /// What stands around such codes.
    static let scene = WordClasses(rawValue: 1 << 5)
    /// Asks to put something into a field.
    static let enter = WordClasses(rawValue: 1 << 6)
    /// Leads from the word for a code to the code.
    static let copula = WordClasses(rawValue: 1 << 7)
    /// Shows or tells.
    static let hand = WordClasses(rawValue: 1 << 8)
    /// Gives, to a person or into a field.
    static let inform = WordClasses(rawValue: 1 << 9)
    /// Whoever is told.
    static let person = WordClasses(rawValue: 1 << 10)
    static let negation = WordClasses(rawValue: 1 << 11)
    /// What the number behind is the number of.
    static let label = WordClasses(rawValue: 1 << 12)
    /// The number behind is to be called or written to.
    static let phone = WordClasses(rawValue: 1 << 13)
    static let unit = WordClasses(rawValue: 1 << 14)
    static let currency = WordClasses(rawValue: 1 << 15)
    static let month = WordClasses(rawValue: 1 << 16)
    static let street = WordClasses(rawValue: 1 << 17)
    /// Means something with capitals only.
    static let capitals = WordClasses(rawValue: 1 << 18)
    /// Means nothing here.
    static let filler = WordClasses(rawValue: 1 << 19)
    /// A scene that services also wish one well with, in a sentence behind: "Enjoy the ride!"
    static let mild = WordClasses(rawValue: 1 << 20)
    /// A purpose whose own number is often told: "Payment: 4821".
    static let deal = WordClasses(rawValue: 1 << 21)
    /// Leads to a time of the day.
    static let time = WordClasses(rawValue: 1 << 22)
}
