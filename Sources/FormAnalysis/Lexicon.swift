// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the concepts that the words of a text stand for.
///
/// All words of all languages stand in one trie, so that a text is read once however many words there are. Words are
/// compared with the separators left out: `user name` in the lexicon is `userName`, `user-name` and `username` on a
/// page. From left to right the longest word wins and is used up: "email address" speaks of no street.
struct Lexicon: Sendable {
    /// Words for some concepts in one language.
    struct Entry: Sendable {
        /// What the words stand for.
        let concepts: Concepts
        /// Words separated by commas. A word matches whole tokens only; `word*` also where the token goes on;
        /// `*word*` anywhere, for scripts without spaces, for languages that form compounds, and for words so long
        /// that they cannot be part of another by accident.
        let words: String

        init(_ concepts: Concepts, _ words: String) {
            self.concepts = concepts
            self.words = words
        }
    }

    private struct Node {
        let unit: UInt32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        /// What the word that ends here means where a token ends too.
        var whole: Concepts = []
        /// What it means wherever it ends.
        var stem: Concepts = []
    }

    /// A trie's first level, which is too wide for a list of siblings.
    private struct Root {
        var ascii = [Int32](repeating: -1, count: 128)
        var others: [UInt32: Int32] = [:]

        subscript(unit: UInt32) -> Int32 {
            get { unit < 128 ? ascii[Int(unit)] : others[unit] ?? -1 }
            set { if unit < 128 { ascii[Int(unit)] = newValue } else { others[unit] = newValue } }
        }
    }

    /// The words that this library knows.
    static let shared = Lexicon(
        entries: passwordWords + accountWords + pageWords + refusalWords + hintWords + scriptWords
            + neighbourWords + standingWords + numberWords + supplementWords + wordingWords
            + particularWords)

    private var nodes: [Node] = []
    /// Where words start at the start of a token.
    private var tokenRoot = Root()
    /// Where words start inside a token.
    private var innerRoot = Root()

    init(entries: [Entry]) {
        var folded = FoldedText()
        for entry in entries {
            for word in entry.words.split(separator: ",") {
                let pattern = word.drop { $0 == " " }
                folded.load(String(pattern), limit: 64)
                let units = folded.units.map { $0 & ~FoldedText.tokenStart }
                let isStem = pattern.last == "*"
                insert(units, entry.concepts, isStem: isStem, inside: false)
                if isStem, pattern.first == "*" {
                    insert(units, entry.concepts, isStem: true, inside: true)
                }
            }
        }
    }

    /// The concepts in `text`.
    func concepts(in text: FoldedText) -> Concepts {
        var found: Concepts = []
        var position = 0
        while position < text.units.count {
            if let (end, concepts) = longestWord(in: text, at: position) {
                found.formUnion(concepts)
                position = end
            } else {
                position += 1
            }
        }
        return found
    }

    private func longestWord(in text: FoldedText, at start: Int) -> (end: Int, concepts: Concepts)? {
        let first = text.units[start] & ~FoldedText.tokenStart
        var node = text.isBoundary(start) ? tokenRoot[first] : innerRoot[first]
        var position = start + 1
        var longest: (end: Int, concepts: Concepts)?
        while node >= 0 {
            let here = nodes[Int(node)]
            if !here.whole.isEmpty, text.isBoundary(position) {
                longest = (position, here.whole.union(here.stem))
            } else if !here.stem.isEmpty {
                longest = (position, here.stem)
            }
            guard position < text.units.count else { break }
            node = child(of: here, text.units[position] & ~FoldedText.tokenStart)
            position += 1
        }
        return longest
    }

    private func child(of node: Node, _ unit: UInt32) -> Int32 {
        var next = node.firstChild
        while next >= 0, nodes[Int(next)].unit != unit {
            next = nodes[Int(next)].nextSibling
        }
        return next
    }

    private mutating func insert(_ units: [UInt32], _ concepts: Concepts, isStem: Bool, inside: Bool) {
        guard let first = units.first else { return }
        var current = inside ? innerRoot[first] : tokenRoot[first]
        if current < 0 {
            current = Int32(nodes.count)
            nodes.append(Node(unit: first))
            if inside { innerRoot[first] = current } else { tokenRoot[first] = current }
        }
        for unit in units.dropFirst() {
            var next = child(of: nodes[Int(current)], unit)
            if next < 0 {
                next = Int32(nodes.count)
                nodes.append(Node(unit: unit, nextSibling: nodes[Int(current)].firstChild))
                nodes[Int(current)].firstChild = next
            }
            current = next
        }
        if isStem {
            nodes[Int(current)].stem.formUnion(concepts)
        } else {
            nodes[Int(current)].whole.formUnion(concepts)
        }
    }
}
