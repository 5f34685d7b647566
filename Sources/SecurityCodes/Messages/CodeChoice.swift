// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Decides which number of a message is the code, if one is.
///
/// Numbers whose form or neighbours say what they are drop out. Each of the others costs as much as it is far from a
/// word for a code,
/// in words, and less where the words lead to it; the cheapest one is the code if it is cheap enough.
struct CodeChoice {
    /// What a code and a number are to each other, in tokens.
    private enum Cost {
        /// A number that costs more is not a code.
        static let limit = 7
        static let strong = -2
        static let purpose = -2
        /// `code: 1234`, `code is 1234`.
        static let direct = -3
        /// A line of its own.
        static let ownLine = -6
        static let none = 1000
    }

    let text: MessageText
    let folded: UnsafeBufferPointer<UInt32>
    let tokens: [MessageToken]
    let sentences: [MessageSentence]
    /// Something in the message is to be told or shown to a person.
    private var isTold = false
    /// For each sentence, whether it speaks of codes for other uses.
    private var scenes: [WordClasses] = []
    /// The first sentence that does; `Int.max` if none does.
    private var firstScene = Int.max
    /// One of them speaks of nothing that a service would also say when someone signs in.
    private var hasPlainScene = false
    /// For each token, the nearest word for a code before it and behind it; -1 for none.
    private(set) var before: [Int32] = []
    private(set) var behind: [Int32] = []
    private var hasOtherCode = false
    private(set) var hasTalk = false

    init(_ text: MessageText, folded: UnsafeBufferPointer<UInt32>, _ lexer: MessageLexer) {
        self.text = text
        self.folded = folded
        tokens = lexer.tokens
        sentences = lexer.sentences
        findScenes()
        for (index, sentence) in sentences.enumerated() {
            let classes = sentence.classes
            guard !sentence.isNegated, !classes.isDisjoint(with: [.hand, .inform]) else { continue }
            // "Your courier is here. Give them 4821."
            let isBehindPerson =
                index > 0 && !sentences[index - 1].isNegated && sentences[index - 1].classes.contains(.person)
                && classes.isDisjoint(with: [.purpose, .strong])
            if classes.contains(.person) || isBehindPerson { isTold = true }
        }
    }

    private mutating func findScenes() {
        scenes = [WordClasses](repeating: [], count: sentences.count)
        // Whoever sends the message stands in brackets before it, and may be called "Delivery".
        let head = endOfHead()
        for (index, token) in tokens.enumerated() where !token.classes.isDisjoint(with: [.scene, .other]) {
            if isName(index) { continue }
            if token.end <= head, !token.classes.contains(.other), folded[token.start] < 0x80 { continue }
            scenes[token.sentence].formUnion(token.classes.intersection([.scene, .other]))
            if sentences[token.sentence].isNegated, !token.classes.contains(.other) { continue }
            firstScene = min(firstScene, token.sentence)
            if !token.classes.contains(.mild) { hasPlainScene = true }
        }
        for (index, sentence) in sentences.enumerated() where sentence.hasPercentage {
            scenes[index].insert(.scene)
            firstScene = min(firstScene, index)
            hasPlainScene = true
        }
    }

    /// "Your Rides code": a capital before a word without one. "RidesNow": a capital inside a word.
    private func isName(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.classes.contains(.scene), !token.classes.contains(.other), hasInnerCapital(token) { return true }
        guard token.classes.contains(.scene), !token.classes.contains(.other), index > 0,
            tokens[index - 1].sentence == token.sentence,
            text.plain[token.start] != folded[token.start]
        else {
            return false
        }
        for near in tokens[(index + 1)...].prefix(2) where near.sentence == token.sentence {
            let isSmall = text.plain[near.start] == folded[near.start] && Scalars.isLatin(folded[near.start])
            if near.classes.contains(.code) { return isSmall }
            if isSmall || near.number != nil { return false }
        }
        return false
    }

    private func hasInnerCapital(_ token: MessageToken) -> Bool {
        var place = token.start + 1
        while place < folded.count, place - token.start < 24, Scalars.isLatin(folded[place]) {
            if text.plain[place] != folded[place], text.plain[place - 1] == folded[place - 1] { return true }
            place += 1
        }
        return false
    }

    /// Where what stands in brackets at the beginning ends.
    private func endOfHead() -> Int {
        guard folded.first == 0x5B else { return 0 }
        return folded.prefix(40).firstIndex(of: 0x5D) ?? 0
    }

    /// Whether the message, as far as it matters to a sentence, is about codes for other uses.
    private func hasScene(for sentence: Int) -> Bool { hasPlainScene || firstScene <= sentence }

    // MARK: Words for codes

    private mutating func findCodeWords() {
        before = [Int32](repeating: -1, count: tokens.count)
        behind = before
        var last: Int32 = -1
        for (index, token) in tokens.enumerated() {
            before[index] = last
            if token.classes.contains(.talk) { hasTalk = true }
            guard token.classes.contains(.code), token.number == nil else { continue }
            if isCodeWord(index) { last = Int32(index) } else { hasOtherCode = true }
        }
        // The words that count are found once more from what was noted, not by asking again.
        var marked = [Bool](repeating: false, count: tokens.count)
        for index in before where index >= 0 { marked[Int(index)] = true }
        if last >= 0 { marked[Int(last)] = true }
        var next: Int32 = -1
        for index in tokens.indices.reversed() {
            behind[index] = next
            if marked[index] { next = Int32(index) }
        }
    }

    /// Whether a word speaks of a code for signing in, as far as the words around it say.
    private func isCodeWord(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.classes.contains(.other) { return false }
        let sentence = sentences[token.sentence].classes
        let scene = scenes[token.sentence]
        let isStrong = token.classes.contains(.strong)
        for near in [index - 1, index + 1, index + 2] where tokens.indices.contains(near) {
            let neighbour = tokens[near]
            guard neighbour.sentence == token.sentence, neighbour.number == nil else {
                if near > index { break } else { continue }
            }
            if !neighbour.classes.isDisjoint(with: [.other, .scene]), !isName(near),
                !(isStrong && !neighbour.classes.isDisjoint(with: [.purpose, .mild]))
            {
                return false
            }
        }
        if isStrong { return true }
        if sentences[token.sentence].hasPercentage { return false }
        if !sentence.isDisjoint(with: [.strong, .purpose]) { return true }
        return scene.isEmpty && !hasScene(for: token.sentence)
    }

    // MARK: The choice

    mutating func choose() -> (token: MessageToken?, reason: CodeReason) {
        guard tokens.contains(where: { $0.number != nil }) else { return (nil, .noNumber) }
        if let only = tokens.first, tokens.count == 1, isWholeMessage(only) { return (only, .alone) }
        findCodeWords()
        var best: (cost: Int, index: Int, reason: CodeReason) = (Cost.none, -1, .noCodeWord)
        var isCandidate = false
        var wasTold = false
        for (index, token) in tokens.enumerated() {
            guard let kind = token.number, kind.mayBeCode else { continue }
            guard !isOtherNumber(index) else { continue }
            if kind != .letters { isCandidate = true }
            var (cost, reason) = cost(of: index, kind)
            guard cost <= Cost.limit else { continue }
            if isTold || isToldHere(index) {
                wasTold = true
                continue
            }
            if cost == best.cost, digits(token) == 6, best.index >= 0, digits(tokens[best.index]) != 6 { cost -= 1 }
            if cost < best.cost { best = (cost, index, reason) }
        }
        if best.index >= 0 { return (tokens[best.index], best.reason) }
        if wasTold { return (nil, .told) }
        if !isCandidate { return (nil, .otherNumbers) }
        if hasOtherCode { return (nil, .otherCode) }
        let hasCodeWord = before.contains { $0 >= 0 } || behind.contains { $0 >= 0 }
        return (nil, hasCodeWord || hasTalk ? .onlyTalk : .noCodeWord)
    }

    private func digits(_ token: MessageToken) -> Int {
        (token.start..<token.end).count { Scalars.isDigit(folded[$0]) }
    }

    /// How far a number is from being the code.
    private func cost(of index: Int, _ kind: NumberKind) -> (Int, CodeReason) {
        let token = tokens[index]
        let size = (token.start..<token.end).count { folded[$0] != 0x20 && folded[$0] != 0x2D }
        var best = (Cost.none, CodeReason.noCodeWord)
        func consider(_ cost: Int, _ reason: CodeReason) { if cost < best.0 { best = (cost, reason) } }
        let isAlone = isOnItsOwnLine(token)
        let isDirect = isLedTo(index)
        let purpose = sentences[token.sentence].classes.contains(.purpose)

        if before[index] >= 0 {
            let word = Int(before[index])
            var cost = gap(word, index)
            let isHere = tokens[word].sentence == token.sentence
            if !isHere {
                cost += sentences[token.sentence].distance - sentences[tokens[word].sentence].distance
                if sentences[tokens[word].sentence].isNegated, !isAlone || isTalkOnly(word) { cost += 8 }
                if isAlone { cost += Cost.ownLine - min(6, gap(word, index) / 2) }
            }
            cost += strength(word)
            if isDirect, isHere || folded[token.start - 1] == 0x0A, gap(word, index) <= 6 { cost += Cost.direct }
            consider(cost, isHere ? .afterCodeWord : .nearCodeWord)
        }
        if behind[index] >= 0 {
            let word = Int(behind[index])
            var cost = gap(index, word) + 1
            let isHere = tokens[word].sentence == token.sentence
            if isHere {
                if isFirst(index) { cost -= 3 }
            } else {
                cost += sentences[tokens[word].sentence].distance - sentences[token.sentence].distance
                if sentences[tokens[word].sentence].isNegated { cost += 6 }
                if isAlone { cost += Cost.ownLine }
                if isFirst(index), token.sentence == 0 { cost -= 2 }
            }
            cost += strength(word)
            consider(cost, isHere ? .beforeCodeWord : .nearCodeWord)
        }
        if purpose {
            // "Use 4821 to sign in", "Verification: 4821", "Confirm your mail: 4821".
            if isEntered(index) { consider(4, .entered) }
            if !hasScene(for: token.sentence) || kind == .digits, isDirect, isBehindPurpose(index) {
                consider(5, .entered)
            }
            // "4821 - sign-in to Shiny", "4821 is what you need to sign in".
            if isFirst(index), isBeforePurpose(index, size: size) { consider(6, .entered) }
        } else if isAlone, token.sentence + 1 < sentences.count {
            // A number, and below it: "Use this to sign in."
            let next = sentences[token.sentence + 1].classes
            if next.isSuperset(of: [.enter, .purpose]), scenes[token.sentence + 1].isEmpty { consider(5, .entered) }
        }
        if !isAlone, isEnteredAfterTalk(index) { consider(6, .entered) }
        return (best.0 + penalty(kind, size, token, isDirect: isDirect || isFirst(index), isAlone: isAlone), best.1)
    }

    /// Forms that codes seldom have need more to go by.
    private func penalty(_ kind: NumberKind, _ size: Int, _ token: MessageToken, isDirect: Bool, isAlone: Bool) -> Int {
        switch kind {
        case .letters:
            let sentence = sentences[token.sentence].classes
            guard isDirect, !isAmongCapitals(token) else { return Cost.none }
            if size < 5 { return sentence.contains(.strong) ? 3 : Cost.none }
            return sentence.isDisjoint(with: [.strong, .purpose]) ? Cost.none : 3
        case .mixed:
            if isWordWithNumber(token), !sentences[token.sentence].classes.contains(.strong) { return Cost.none }
            return isDirect || isAlone ? 2 : 4
        case .oddGroups: return isDirect ? 3 : Cost.none
        case .digits:
            switch size {
            case 6: return -1
            case 4, 5, 7, 8: return isYear(token) && !isDirect ? Cost.none : 0
            // Three digits are a room's, nine and ten a parcel's, unless a word says what for.
            default: return isDirect && sentences[token.sentence].classes.contains(.strong) ? 4 : Cost.none
            }
        default: return Cost.none
        }
    }

    private func strength(_ word: Int) -> Int {
        let sentence = sentences[tokens[word].sentence].classes
        return (tokens[word].classes.contains(.strong) ? Cost.strong : 0)
            + (sentence.contains(.purpose) ? Cost.purpose : 0)
    }

    /// How many tokens stand between two of them. Numbers that are something else take the words that lead to them
    /// with them.
    private func gap(_ first: Int, _ second: Int) -> Int {
        let count = second - first - 1
        guard count <= 24 else { return count }
        var cost = 0
        for index in first + 1..<max(second, first + 1) {
            let token = tokens[index]
            if token.classes.contains(.copula) || token.classes.contains(.purpose) { continue }
            cost += token.number?.mayBeCode == true && !isOtherNumber(index) ? 2 : 1
        }
        return cost
    }

    private func isTalkOnly(_ word: Int) -> Bool {
        !sentences[tokens[word].sentence].classes.contains(.enter)
    }
}
