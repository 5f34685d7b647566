// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the words beside a number say that it is, if it is not a code.
extension CodeChoice {
    /// "Tell the driver 4821": a verb for telling shortly before a number.
    func isToldHere(_ index: Int) -> Bool {
        guard !sentences[tokens[index].sentence].isNegated else { return false }
        var near = index - 1
        while near >= 0, near >= index - 5, tokens[near].sentence == tokens[index].sentence {
            if tokens[near].classes.contains(.hand) { return true }
            near -= 1
        }
        return false
    }

    func isYear(_ token: MessageToken) -> Bool {
        guard token.end - token.start == 4 else { return false }
        return folded[token.start] == 0x31 && folded[token.start + 1] == 0x39
            || folded[token.start] == 0x32 && folded[token.start + 1] == 0x30
    }

    /// Whether the words at both sides of a number say that it is something else.
    func isOtherNumber(_ index: Int) -> Bool {
        isMeasured(index) || isLabelled(index) || isTelephone(index) || isHouse(index) || isTimeOfDay(index)
            || isKeyword(index) || isForbidden(index)
    }

    private func isMeasured(_ index: Int) -> Bool {
        let token = tokens[index]
        if index + 1 < tokens.count {
            let next = tokens[index + 1]
            let space = next.start - token.end
            if space == 0 || space == 1 && (folded[token.end] == 0x20 || folded[token.end] == 0x2D) {
                if next.classes.contains(.currency), !next.classes.contains(.copula) { return true }
                let length = next.end - next.start
                if next.classes.contains(.unit), next.classes.isDisjoint(with: [.copula, .code, .enter]),
                    length > 2 || token.end - token.start <= 4 || Scalars.isSpaceless(folded[next.start])
                {
                    return true
                }
                if isYear(token), next.classes.contains(.month) { return true }
            }
        }
        guard index > 0 else { return false }
        let last = tokens[index - 1]
        let space = token.start - last.end
        guard space <= 2, last.sentence == token.sentence,
            !between(last, token).contains(where: { folded[$0] == 0x2C && space == 2 })
        else {
            return false
        }
        if last.classes.contains(.currency), last.classes.isDisjoint(with: [.code, .copula]) { return true }
        return isYear(token) && last.classes.contains(.month)
    }

    /// "Order 4821", "order no. 4821", "account: 4821".
    private func isLabelled(_ index: Int) -> Bool {
        let token = tokens[index]
        if token.start > 0, folded[token.start - 1] == 0x23 || folded[token.start - 1] == 0x2116,
            !isCodeJustBefore(index)
        {
            return true
        }
        var near = index - 1
        var isCopula = false
        while near >= 0, near >= index - 3 {
            let word = tokens[near]
            guard word.number == nil, word.sentence == token.sentence || isColon(near, index) else { return false }
            if word.classes.contains(.code), !word.classes.contains(.other) { return false }
            if word.classes.contains(.label) {
                if word.classes.contains(.copula), near > 0 {
                    near -= 1
                    continue
                }
                // "Your code for the order is 4821": the verb belongs to the code.
                if isCopula || isColonBefore(index) {
                    return !(hasCode(before: near) || isNamedBehind(index)) || isNumberWord(word)
                }
                return true
            }
            guard word.classes.contains(.copula) else { return false }
            isCopula = true
            near -= 1
        }
        return false
    }

    /// `number`, `no.`, and words that end in one: they are what they stand before, whatever the sentence is about.
    private func isNumberWord(_ word: MessageToken) -> Bool { word.end - word.start > 9 }

    private func hasCode(before index: Int) -> Bool {
        before[index] >= 0 && tokens[Int(before[index])].sentence == tokens[index].sentence
            && index - Int(before[index]) <= 10
            && !(Int(before[index]) + 1..<index).contains {
                tokens[$0].number != nil && tokens[$0].number?.mayBeCode == true
            }
    }

    /// "4821 is your sign-in code".
    private func isNamedBehind(_ index: Int) -> Bool {
        guard index + 1 < tokens.count, tokens[index + 1].classes.contains(.copula), behind[index] >= 0 else {
            return false
        }
        let word = Int(behind[index])
        return tokens[word].sentence == tokens[index].sentence && word - index <= 6
    }

    func isColonBefore(_ index: Int) -> Bool {
        let token = tokens[index]
        return token.start > 1
            && (folded[token.start - 1] == 0x3A || folded[token.start - 1] == 0x20 && folded[token.start - 2] == 0x3A)
    }

    private func isColon(_ first: Int, _ second: Int) -> Bool {
        between(tokens[first], tokens[second]).contains { folded[$0] == 0x3A }
    }

    /// What stands between two tokens; nothing where they overlap, as words of scripts without spaces do with what follows them.
    private func between(_ first: MessageToken, _ second: MessageToken) -> Range<Int> {
        first.end..<max(first.end, second.start)
    }

    private func isCodeJustBefore(_ index: Int) -> Bool {
        var near = index - 1
        while near >= 0, near >= index - 2, tokens[near].sentence == tokens[index].sentence {
            if tokens[near].classes.contains(.code) { return true }
            guard tokens[near].classes.contains(.copula) else { return false }
            near -= 1
        }
        return false
    }

    /// "Call us on 4821", "text ANNA to 61616".
    private func isTelephone(_ index: Int) -> Bool {
        var near = index - 1
        while near >= 0, near >= index - 6, tokens[near].sentence == tokens[index].sentence {
            let word = tokens[near]
            if !word.classes.isDisjoint(with: [.code, .purpose, .enter]), !word.classes.contains(.phone) {
                return false
            }
            if word.classes.contains(.phone) { return true }
            if word.number?.mayBeCode == true { return false }
            near -= 1
        }
        return false
    }

    /// "4821 Elm Street".
    private func isHouse(_ index: Int) -> Bool {
        guard tokens[index].end - tokens[index].start <= 5, index + 2 < tokens.count else { return false }
        for near in index + 1...min(index + 3, tokens.count - 1) {
            let word = tokens[near]
            guard word.sentence == tokens[index].sentence, word.number == nil else { return false }
            if word.classes.contains(.street), near > index + 1 { return true }
            if text.plain[word.start] >= 0x60 { return false }
        }
        return false
    }

    /// "Text 4821 to 85555": what is sent, and where to.
    private func isKeyword(_ index: Int) -> Bool {
        guard index + 2 < tokens.count else { return false }
        let (word, number) = (tokens[index + 1], tokens[index + 2])
        return word.number == nil && word.end - word.start <= 4 && number.number == .digits
            && number.sentence == tokens[index].sentence && number.end - number.start <= 6
            && number.start - word.end == 1 && sentences[number.sentence].classes.contains(.phone)
    }

    /// "Never use 123456".
    private func isForbidden(_ index: Int) -> Bool {
        for near in stride(from: index - 1, through: max(1, index - 4), by: -1) {
            guard tokens[near].sentence == tokens[index].sentence else { return false }
            if tokens[near].classes.contains(.enter) { return tokens[near - 1].classes.contains(.negation) }
        }
        return false
    }
}
