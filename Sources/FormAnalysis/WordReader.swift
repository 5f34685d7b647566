// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the concepts out of a page's texts; keeps one buffer for all of them.
struct WordReader {
    /// How many scalars of each text are read. Longer ones hold prose, or were made to cost time.
    enum Limit {
        static let attribute = 96
        static let label = 120
        static let nearby = 160
        static let heading = 120
        static let button = 60
        static let path = 200
        /// How many buttons, and how many headings, of a form are read.
        static let texts = 12
        /// How many links of a form are read.
        static let links = 24
    }

    private let lexicon = Lexicon.shared
    private var text = FoldedText()

    /// The concepts in at most `limit` scalars of `string`.
    mutating func concepts(_ string: String, limit: Int) -> Concepts {
        if string.isEmpty { return [] }
        text.load(string, limit: limit)
        return lexicon.concepts(in: text)
    }
}
