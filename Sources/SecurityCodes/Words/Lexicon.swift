// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the words that mean something, all languages at once, from one place in a text.
///
/// The words stand in one trie, whose nodes keep their children side by side. The longest word wins.
struct Lexicon: Sendable {
    /// Words of one class, separated by commas and line feeds. `word` matches a whole word, `word*` its beginning too,
    /// `*word` its
    /// end too; in scripts without spaces a word matches anywhere.
    struct Entry: Sendable {
        let classes: WordClasses
        let words: String

        init(_ classes: WordClasses, _ words: String) {
            self.classes = classes
            self.words = words
        }
    }

    static let shared = Lexicon([
        strongWords, capitalWords, codeWords, talkWords, purposeWords, enterWords, copulaWords, handWords, informWords,
        personWords,
        negationWords, otherCodeWords, sceneWords, falseWords, labelWords, phoneWords, unitWords, currencyWords,
        monthWords, streetWords, furtherStrongWords, furtherCodeWords, furtherPurposeWords,
        furtherCopulaWords, furtherOtherWords, furtherSceneWords, mildWords,
        dealWords, timeWords, suspectWords, statedWords,
    ])

    /// No word of the lexicon is longer, in scalars.
    static let longest = 48

    private struct Node {
        var scalar: UInt32 = 0
        var firstChild: Int32 = 0
        var childCount: Int32 = 0
        /// What the word that ends here means where the word of the text ends too.
        var whole: WordClasses = []
        /// What it means wherever it ends.
        var part: WordClasses = []
    }

    private var nodes: [Node] = []
    /// The children of the first two nodes by scalar, where that is below `0x3000`: 0 is the root of words, 1 of ends
    /// of words.
    private var roots: [Int32] = []
    private static let rootSpan = 0x3000

    init(_ entries: [Entry]) {
        var builder = LexiconBuilder()
        for entry in entries { builder.add(entry) }
        // Breadth first, so that the children of a node stand side by side.
        var order: [Int] = [0, 1]
        nodes = [Node(), Node()]
        var next = 0
        while next < order.count {
            let source = builder.nodes[order[next]]
            nodes[next].firstChild = Int32(nodes.count)
            nodes[next].childCount = Int32(source.children.count)
            for (scalar, child) in source.children.sorted(by: { $0.key < $1.key }) {
                order.append(child)
                nodes.append(
                    Node(scalar: scalar, whole: builder.nodes[child].whole, part: builder.nodes[child].part))
            }
            next += 1
        }
        roots = [Int32](repeating: -1, count: 2 * Self.rootSpan)
        for root in 0..<2 {
            for index in 0..<Int(nodes[root].childCount) {
                let child = Int(nodes[root].firstChild) + index
                if nodes[child].scalar < UInt32(Self.rootSpan) {
                    roots[root * Self.rootSpan + Int(nodes[child].scalar)] = Int32(child)
                }
            }
        }
    }

    /// The longest word that begins at `start`, and what it means.
    ///
    /// - Parameter isInside: whether a word of the text goes on there, so that only ends of words fit.
    func longestWord(
        in text: UnsafeBufferPointer<UInt32>, at start: Int, isInside: Bool
    ) -> (end: Int, classes: WordClasses)? {
        nodes.withUnsafeBufferPointer { nodes in
            var node = root(isInside ? 1 : 0, text[start], nodes)
            var position = start + 1
            var found: (end: Int, classes: WordClasses)?
            while node >= 0 {
                let here = nodes[node]
                let ends = position >= text.count || !Scalars.continuesWord(text[position], after: text[position - 1])
                if !here.part.isEmpty { found = (position, here.part) }
                if ends, !here.whole.isEmpty { found = (position, here.whole.union(here.part)) }
                guard here.childCount > 0, position < text.count else { break }
                let scalar = text[position]
                node = Self.child(of: here, scalar, nodes)
                if node < 0, scalar == 0x2D || scalar == 0x0A { node = Self.child(of: here, 0x20, nodes) }
                position += 1
            }
            return found
        }
    }

    private func root(_ root: Int, _ scalar: UInt32, _ nodes: UnsafeBufferPointer<Node>) -> Int {
        if scalar < UInt32(Self.rootSpan) {
            return Int(roots[root * Self.rootSpan + Int(scalar)])
        }
        return Self.child(of: nodes[root], scalar, nodes)
    }

    private static func child(of node: Node, _ scalar: UInt32, _ nodes: UnsafeBufferPointer<Node>) -> Int {
        var (low, high) = (Int(node.firstChild), Int(node.firstChild + node.childCount))
        if high - low <= 8 {
            while low < high {
                if nodes[low].scalar == scalar { return low }
                low += 1
            }
            return -1
        }
        while low < high {
            let middle = (low + high) / 2
            let value = nodes[middle].scalar
            if value == scalar { return middle }
            if value < scalar { low = middle + 1 } else { high = middle }
        }
        return -1
    }
}

/// The trie while it grows.
private struct LexiconBuilder {
    struct Node {
        var children: [UInt32: Int] = [:]
        var whole: WordClasses = []
        var part: WordClasses = []
    }

    var nodes = [Node(), Node()]

    mutating func add(_ entry: Lexicon.Entry) {
        for line in entry.words.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
            let pattern = line.drop { $0 == " " }
            var text = MessageText()
            text.load(String(pattern))
            var scalars = text.folded
            while scalars.last == 0x20 { scalars.removeLast() }
            let beginsInside = scalars.first == 0x2A
            if beginsInside { scalars.removeFirst() }
            let endsInside = scalars.last == 0x2A
            // `код* для входа`: any ending of a word that is not the last one.
            if endsInside { scalars.removeLast() }
            guard let first = scalars.first, let last = scalars.last, scalars.count < Lexicon.longest else { continue }
            let stems = scalars.split(separator: 0x2A, omittingEmptySubsequences: true)
            let forms = stems.count > 1 ? Self.forms(of: stems.map(Array.init)) : [scalars]
            for form in forms {
                insert(
                    form, entry.classes, isPart: endsInside || Scalars.isSpaceless(last),
                    root: beginsInside || Scalars.isSpaceless(first) ? [0, 1] : [0])
            }
        }
    }

    /// `kod* bezpieczenstwa` in the cases that messages use.
    private static func forms(of stems: [[UInt32]]) -> [[UInt32]] {
        let latin = [
            "", "u", "em", "om", "y", "ot", "ja", "od", "ok", "dal", "et", "en", "ul", "un", "unuz", "i", "a", "o",
        ]
        let cyrillic = ["", "а", "у", "ом", "ът"]
        let greek = ["", "σ", "υ", "ι"]
        let endings =
            switch stems[0].last ?? 0 {
            case ..<0x370: latin
            case ..<0x400: greek
            default: cyrillic
            }
        var forms = [stems[0]]
        for (index, stem) in stems.dropFirst().enumerated() {
            let here = index == 0 ? endings : [""]
            forms = forms.flatMap { form in here.map { form + $0.unicodeScalars.map(\.value) + stem } }
        }
        return forms
    }

    private mutating func insert(_ scalars: [UInt32], _ classes: WordClasses, isPart: Bool, root: [Int]) {
        for start in root {
            var current = start
            for scalar in scalars {
                if let next = nodes[current].children[scalar] {
                    current = next
                } else {
                    nodes.append(Node())
                    nodes[current].children[scalar] = nodes.count - 1
                    current = nodes.count - 1
                }
            }
            if isPart { nodes[current].part.formUnion(classes) } else { nodes[current].whole.formUnion(classes) }
        }
    }
}
