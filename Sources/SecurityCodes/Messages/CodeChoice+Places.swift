// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Where a number stands, and what leads to it.
extension CodeChoice {
    /// Whether a number begins its sentence.
    func isFirst(_ index: Int) -> Bool {
        index == 0 || tokens[index - 1].sentence != tokens[index].sentence
            || index == 1 && folded[0] == 0x5B || index > 0 && isClosing(tokens[index].start - 1)
            || index > 0 && isClosing(tokens[index].start - 2) && folded[tokens[index].start - 1] == 0x20
            || index > 0 && tokens[index].start > 1 && folded[tokens[index].start - 1] == 0x20
                && folded[tokens[index].start - 2] == 0x3A
    }

    private func isClosing(_ place: Int) -> Bool { place >= 0 && (folded[place] == 0x5D || folded[place] == 0x3E) }

    /// Whether a colon, an equals sign, a hyphen or a verb leads to a number.
    func isLedTo(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        var place = tokens[index].start - 1
        let last = tokens[index - 1].end
        while place >= last {
            switch folded[place] {
            case 0x3A, 0x3D, 0x2D, 0x5B, 0x28, 0x22, 0x23, 0x3E: return true
            default: place -= 1
            }
        }
        let token = tokens[index - 1]
        return !token.classes.isDisjoint(with: [.copula, .code, .enter])
            || index > 1 && tokens[index - 1].classes.isEmpty && Scalars.isSpaceless(folded[last - 1])
    }

    /// Whether nothing but signs stands beside a number on its line.
    func isOnItsOwnLine(_ token: MessageToken) -> Bool {
        var start = token.start - 1
        while start >= 0, start > token.start - 5, folded[start] != 0x0A {
            if Scalars.isLetter(folded[start]) || Scalars.isDigit(folded[start]) { return false }
            start -= 1
        }
        guard start < 0 || folded[start] == 0x0A else { return false }
        var end = token.end
        while end < folded.count, end < token.end + 4, folded[end] != 0x0A {
            if Scalars.isLetter(folded[end]) || Scalars.isDigit(folded[end]) { return false }
            end += 1
        }
        return (end == folded.count || folded[end] == 0x0A) && !(start < 0 && end == folded.count)
    }

    /// "Enter 4821", "4821を入力".
    func isEntered(_ index: Int) -> Bool {
        var near = index - 1
        while near >= 0, near >= index - 8, tokens[near].sentence == tokens[index].sentence,
            tokens[near].number?.mayBeCode != true
        {
            if tokens[near].classes.contains(.enter) { return true }
            near -= 1
        }
        near = index + 1
        while near < tokens.count, near <= index + 4, tokens[near].sentence == tokens[index].sentence {
            if tokens[near].classes.contains(.enter) { return true }
            near += 1
        }
        return false
    }

    /// "Verification: 4821", "Confirm your mail: 4821", and not "Payment: 4821".
    func isBehindPurpose(_ index: Int) -> Bool {
        guard index > 0, tokens[index - 1].number == nil else { return false }
        let last = tokens[index - 1].classes
        if last.contains(.purpose) { return !last.contains(.deal) }
        let isLast = index + 1 == tokens.count || tokens[index + 1].sentence != tokens[index].sentence
        guard isColonBefore(index), isLast else { return false }
        for near in stride(from: index - 1, through: max(0, index - 4), by: -1) {
            let token = tokens[near]
            guard token.sentence == tokens[index].sentence, token.number == nil,
                token.classes.isDisjoint(with: [.label, .deal, .scene, .other])
            else {
                return false
            }
            if token.classes.contains(.purpose) { return true }
        }
        return false
    }

    /// "4821 is what you need to sign in", "4821 confirms your log-in".
    func isBeforePurpose(_ index: Int, size: Int) -> Bool {
        guard index + 1 < tokens.count, tokens[index + 1].sentence == tokens[index].sentence else { return false }
        let next = tokens[index + 1].classes
        if next.contains(.purpose), hasTalk || before[index] >= 0 { return true }
        guard size == 6, tokens[index].number == .digits else { return false }
        let near = tokens[(index + 1)..<min(index + 9, tokens.count)].filter { $0.sentence == tokens[index].sentence }
        // "482193 to log in": the phrase begins behind the number.
        if next.contains(.purpose), folded[tokens[index + 1].start...].starts(with: [0x74, 0x6F, 0x20]) { return true }
        if next.contains(.copula) { return near.contains { $0.classes.contains(.purpose) } }
        return near.prefix(5).count { $0.classes.contains(.purpose) } > 1 && !next.contains(.deal)
    }

    /// "Never share this code. It is 4821, enter it in the app."
    func isEnteredAfterTalk(_ index: Int) -> Bool {
        guard before[index] >= 0, index > 0 else { return false }
        let sentence = tokens[index].sentence
        let word = tokens[Int(before[index])]
        return sentences[sentence].classes.contains(.enter) && word.sentence == sentence - 1
            && tokens[index - 1].sentence == sentence && tokens[index - 1].classes.contains(.copula)
            && sentences[sentence].classes.isDisjoint(with: [.scene, .other])
    }

    /// Whether a number is all that a message says, and neither a year nor a time of the day nor somebody's telephone.
    func isWholeMessage(_ token: MessageToken) -> Bool {
        guard token.number == .digits, folded.count - (token.end - token.start) <= 4 else { return false }
        let digits = folded[token.start..<token.end].filter(Scalars.isDigit)
        switch digits.count {
        case 4: return !isYear(token) && !isTimeOfDay(digits)
        case 5, 6: return true
        default: return false
        }
    }

    private func isTimeOfDay(_ digits: [UInt32]) -> Bool {
        guard digits.count == 4 else { return false }
        return digits[0] < 0x32 || digits[0] == 0x32 && digits[1] < 0x34 ? digits[2] < 0x36 : false
    }

    /// "Until 1800".
    func isTimeOfDay(_ index: Int) -> Bool {
        let token = tokens[index]
        guard index > 0, token.end - token.start == 4, tokens[index - 1].sentence == token.sentence,
            tokens[index - 1].classes.contains(.time), token.start - tokens[index - 1].end == 1
        else {
            return false
        }
        return isTimeOfDay(Array(folded[token.start..<token.end]))
    }

    /// Where everything is written in capitals, a word in capitals is a word.
    func isAmongCapitals(_ token: MessageToken) -> Bool {
        let near = text.plain[max(0, token.start - 24)..<token.start]
        return !near.contains { (0x61...0x7A).contains($0) || $0 >= 0xAA }
    }

    /// `SUMMER25`, `BF2025`: what shops make up, and not what chance does.
    func isWordWithNumber(_ token: MessageToken) -> Bool {
        var place = token.start
        var vowels = 0
        while place < token.end, Scalars.isLatin(folded[place]) {
            if [0x61, 0x65, 0x69, 0x6F, 0x75, 0x79].contains(folded[place]) { vowels += 1 }
            place += 1
        }
        let letters = place - token.start
        let digits = token.end - place
        guard letters > 1, folded[place..<token.end].allSatisfy(Scalars.isDigit) else { return false }
        if digits == 4, folded[place] == 0x32, folded[place + 1] == 0x30 { return true }
        return letters > 2 && vowels > 0 && digits <= 3 && letters > digits
    }
}
