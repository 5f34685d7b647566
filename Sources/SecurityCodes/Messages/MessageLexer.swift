// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Takes a message apart, in one pass from left to right.
struct MessageLexer {
    /// How many tokens the end of a sentence, and the end of a line, count for.
    private enum Distance {
        static let sentence = 5
        static let line = 2
    }

    /// In scalars.
    private static let longestRun = 80

    let folded: UnsafeBufferPointer<UInt32>
    let plain: UnsafeBufferPointer<UInt32>
    private(set) var tokens: [MessageToken] = []
    private(set) var sentences = [MessageSentence()]

    private let lexicon: Lexicon
    var position = 0
    /// Where the run that holds `position` ends, and what is to be passed over in it.
    var runEnd = 0
    var skipped: Range<Int>?

    init(folded: UnsafeBufferPointer<UInt32>, plain: UnsafeBufferPointer<UInt32>, lexicon: Lexicon) {
        self.folded = folded
        self.plain = plain
        self.lexicon = lexicon
        tokens.reserveCapacity(folded.count / 4 + 8)
    }

    mutating func read() {
        while position < folded.count {
            if position >= runEnd { startRun() }
            if let range = skipped, position >= range.lowerBound {
                if position < range.upperBound {
                    emit(range.lowerBound, range.upperBound, [])
                    position = range.upperBound
                }
                skipped = nil
                continue
            }
            let scalar = folded[position]
            if Scalars.isAlphanumeric(scalar) {
                readAlphanumeric()
            } else if Scalars.isLetter(scalar) {
                readWord()
            } else {
                readSign(scalar)
            }
        }
    }

    // MARK: Signs

    private mutating func readSign(_ scalar: UInt32) {
        defer { position += 1 }
        switch scalar {
        case 0x0A: endSentence(Distance.line)
        case 0x21, 0x3F: endSentence(Distance.sentence)
        case 0x2E:
            let next = position + 1 < folded.count ? folded[position + 1] : 0x0A
            guard next == 0x20 || next == 0x0A || next >= 0x80 || next == 0x22 || next == 0x29 else { return }
            // `No. 4821`: an abbreviation ends no sentence.
            if let last = tokens.last, last.number == nil, last.end == position, last.end - last.start <= 6,
                !last.classes.isDisjoint(with: [.label, .currency]), last.classes.isDisjoint(with: [.code, .strong])
            {
                return
            }
            if let last = tokens.last, last.end == position, last.end - last.start == 1,
                Scalars.isLatin(folded[last.start])
            {
                return
            }
            endSentence(Distance.sentence)
        case 0x24, 0x25, 0x20A0...0x20CF, 0xA3, 0xA5, 0xB0: noteMeasure(scalar)
        default: break
        }
    }

    private mutating func endSentence(_ distance: Int) {
        guard tokens.last?.sentence == sentences.count - 1 else {
            sentences[sentences.count - 1].distance += distance
            return
        }
        sentences.append(MessageSentence(distance: sentences[sentences.count - 1].distance + distance))
    }

    /// A sign of currency or a percent sign behind a number; before it, `readNumber` looks.
    private mutating func noteMeasure(_ sign: UInt32) {
        guard let last = tokens.last, last.number?.mayBeCode == true else { return }
        let gap = position - last.end
        guard gap == 0 || gap == 1 && folded[last.end] == 0x20 else { return }
        if sign == 0x25 { sentences[last.sentence].hasPercentage = true }
        // `4821 $5`: the sign belongs to what follows.
        if gap == 1, position + 1 < folded.count, Scalars.isDigit(folded[position + 1]) { return }
        tokens[tokens.count - 1].number = .measure
    }

    // MARK: Words

    private mutating func emit(_ start: Int, _ end: Int, _ classes: WordClasses, number: NumberKind? = nil) {
        tokens.append(
            MessageToken(start: start, end: end, classes: classes, sentence: sentences.count - 1, number: number))
        sentences[sentences.count - 1].classes.formUnion(classes)
    }

    /// Emits a word of the lexicon that stands at a place; false if none does.
    private mutating func emitWord(at start: Int, isInside: Bool) -> Bool {
        guard let (end, found) = lexicon.longestWord(in: folded, at: start, isInside: isInside) else { return false }
        var classes = found
        if classes.contains(.capitals) {
            guard plain[start] < 0x60, plain[end - 1] < 0x60 || !Scalars.isLatin(folded[end - 1]) else {
                return false
            }
            classes.remove(.capitals)
        }
        emit(start, end, classes)
        position = end
        return true
    }

    /// Reads what begins with a letter, up to the end of the word or of what the lexicon knows.
    private mutating func readWord() {
        let start = position
        if Scalars.isSpaceless(folded[start]) {
            if emitWord(at: start, isInside: false) { return }
            // What stands between words is one filler.
            if let last = tokens.last, last.end == start, last.classes.isEmpty, last.number == nil {
                tokens[tokens.count - 1] = MessageToken(
                    start: last.start, end: start + 1, classes: [], sentence: last.sentence, number: nil)
            } else {
                emit(start, start + 1, [])
            }
            position = start + 1
            return
        }
        let isFound = emitWord(at: start, isInside: false)
        var end = max(start + 1, position)
        while end < folded.count, Scalars.continuesWord(folded[end], after: folded[end - 1]),
            !Scalars.isDigit(folded[end])
        { end += 1 }
        var inner = isFound ? position : start + 1
        var hasInner = isFound
        while inner < end {
            let isPrefixed = inner - start <= 2 && isPrefix(folded[start])
            if emitWord(at: inner, isInside: true) || isPrefixed && emitWord(at: inner, isInside: false) {
                hasInner = true
                inner = position
            } else {
                inner += 1
            }
        }
        if !hasInner { emit(start, end, []) }
        position = max(end, position)
    }

    /// Letters that Arabic and Hebrew put before words: and, in, for, the.
    private func isPrefix(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x648, 0x628, 0x644, 0x641, 0x643, 0x627, 0x5D4, 0x5D5, 0x5D1, 0x5DC, 0x5DB, 0x5E9, 0x5DE: true
        default: false
        }
    }

    // MARK: Letters and digits

    private mutating func readAlphanumeric() {
        let run = AlphanumericRun(folded: folded, plain: plain, at: position)
        // No code and no word is as long. What follows looks at the rest of a run again and again.
        guard run.end - position <= Self.longestRun else {
            emit(position, run.end, [], number: run.hasDigit ? .part : nil)
            position = run.end
            return
        }
        guard run.hasDigit else {
            let count = tokens.count
            let start = position
            readWord()
            // Capitals that are no word may be a code; which ones, the choice decides.
            if tokens.count == count + 1, tokens[count].classes.isEmpty, run.isCapitals {
                tokens[count] = MessageToken(
                    start: start, end: run.end, classes: [], sentence: tokens[count].sentence, number: .letters)
                position = run.end
            }
            return
        }
        if Scalars.isDigit(folded[position]) || run.hasLetter,
            let (end, classes) = lexicon.longestWord(in: folded, at: position, isInside: false),
            !classes.isDisjoint(with: [.code, .purpose, .filler]),
            (position..<end).contains(where: { Scalars.isDigit(folded[$0]) })
        {
            emit(position, end, classes)
            position = end
            return
        }
        if !run.hasLetter { return readDigits(run) }
        readMixed(run)
    }

    /// `G-123456`, `otp123456`, `6-digit`, `AB3-9KX`, `10min`, `XX1234`.
    private mutating func readMixed(_ run: AlphanumericRun) {
        let start = position
        defer { position = max(position, run.end) }
        guard !run.hasPunctuation else { return emit(start, run.end, [], number: .part) }
        // Letters in front, which may be a word of their own.
        var letters = start
        while letters < run.end, Scalars.isLatin(folded[letters]) { letters += 1 }
        var rest = letters
        if rest < run.end, folded[rest] == 0x2D { rest += 1 }
        let isRestDigits =
            rest < run.end && (rest..<run.end).allSatisfy { Scalars.isDigit(folded[$0]) || folded[$0] == 0x2D }
        if letters > start {
            let word = lexicon.longestWord(in: folded, at: start, isInside: false)
            let prefix = prefixClasses(start, letters)
            if isRestDigits, isCodePrefix(start, letters, hasHyphen: rest > letters) {
                position = rest
                return readDigits(AlphanumericRun(folded: folded, plain: plain, at: rest))
            }
            if !prefix.isDisjoint(with: [.code, .purpose]) || word.map({ $0.end >= letters && rest > letters }) == true
            {
                // The word stands by itself, and so does what follows.
                if let word, word.end >= letters, word.end <= run.end {
                    emit(start, word.end, word.classes)
                } else {
                    emit(start, letters, prefix)
                }
                position = rest
                if rest < run.end {
                    let next = AlphanumericRun(folded: folded, plain: plain, at: rest)
                    if next.hasDigit { next.hasLetter ? readMixed(next) : readDigits(next) } else { readWord() }
                }
                return
            }
            if isRestDigits, !prefix.isDisjoint(with: [.currency, .label, .month]) {
                return emit(start, run.end, [], number: .measure)
            }
            if isRestDigits, (start..<letters).allSatisfy({ folded[$0] == 0x78 }) {
                return emit(start, run.end, [], number: .masked)
            }
        } else {
            // Digits in front: a number with its unit, a time, `6-digit`.
            var digits = start
            while digits < run.end, Scalars.isDigit(folded[digits]) { digits += 1 }
            var unit = digits
            if folded[unit] == 0x2D { unit += 1 }
            if unit < run.end, let (end, classes) = lexicon.longestWord(in: folded, at: unit, isInside: false),
                end >= run.end
            {
                emit(
                    start, digits, [],
                    number: classes.isDisjoint(with: [.unit, .currency]) && unit > digits ? .digits : .measure)
                emit(unit, end, classes)
                position = end
                return
            }
            if digits - start <= 2, folded[digits] == 0x68 { return emit(start, run.end, [], number: .punctuated) }
        }
        if run.hasLowercaseWord || run.groups > 4 || !(4...12).contains(run.count) || isMasked(start, run.end)
            || isHash(run)
        {
            return emit(start, run.end, [], number: .part)
        }
        emit(start, run.end, [], number: .mixed)
    }

    /// What letters that digits follow mean; the lexicon by itself takes them for the beginning of a longer word.
    private func prefixClasses(_ start: Int, _ end: Int) -> WordClasses {
        guard end - start >= 2, end - start < Lexicon.longest else { return [] }
        let copy = Array(folded[start..<end])
        return copy.withUnsafeBufferPointer { letters in
            guard let (stop, classes) = lexicon.longestWord(in: letters, at: 0, isInside: false), stop == letters.count
            else { return [] }
            return classes
        }
    }

    /// `G-` and `FB-` are shown before the field that takes the digits behind them.
    private func isCodePrefix(_ start: Int, _ end: Int, hasHyphen: Bool) -> Bool {
        guard hasHyphen else { return false }
        if end - start == 1 { return folded[start] == 0x67 }
        return end - start == 2 && folded[start] == 0x66 && folded[start + 1] == 0x62
    }

    /// The mark by which an app of Android finds its messages: eleven characters at the end.
    private func isHash(_ run: AlphanumericRun) -> Bool {
        run.count == 11 && run.end >= folded.count - 1 && run.hasCapital && run.hasSmall
    }

    // MARK: Digits

    private mutating func readDigits(_ run: AlphanumericRun) {
        let start = position
        position = run.end
        if run.hasPunctuation { return emit(start, run.end, [], number: .punctuated) }
        if start > 0, folded[start - 1] == 0x2B { return readTelephone(start, run.end) }
        if isAttached(start, run.end) { return emit(start, run.end, [], number: .part) }
        if start > 0, folded[start - 1] == 0x25 {
            sentences[sentences.count - 1].hasPercentage = true
            return emit(start, run.end, [], number: .measure)
        }
        if isCurrencySign(before: start) { return emit(start, run.end, [], number: .measure) }
        if isMasked(start, run.end) { return emit(start, run.end, [], number: .masked) }
        if run.groups > 1 { return emit(start, run.end, [], number: DigitGroups.kind(run.sizes, areHyphenated: true)) }
        // Further groups behind single spaces.
        var sizes = [run.count]
        var ends = [run.end]
        var next = run.end
        let isBracketed = start > 0 && folded[start - 1] == 0x28 && next < folded.count && folded[next] == 0x29
        if isBracketed { next += 1 }
        while next + 1 < folded.count, sizes.count < 12 {
            let digits = folded[next] == 0x20 ? next + 1 : isBracketed && sizes.count == 1 ? next : folded.count
            guard digits < folded.count, Scalars.isDigit(folded[digits]) else { break }
            let group = AlphanumericRun(folded: folded, plain: plain, at: digits)
            guard !group.hasLetter, !group.hasPunctuation, group.groups == 1 || isBracketed, group.count <= 8,
                !isAttached(digits, group.end)
            else { break }
            sizes.append(group.count)
            ends.append(group.end)
            next = group.end
        }
        if isBracketed, sizes.count > 1 {
            position = ends[ends.count - 1]
            return emit(start, position, [], number: .telephone)
        }
        let taken = DigitGroups.joined(sizes)
        position = ends[taken - 1]
        emit(start, position, [], number: DigitGroups.kind(Array(sizes[..<taken]), areHyphenated: false))
    }

    private mutating func readTelephone(_ start: Int, _ end: Int) {
        var end = end
        while end + 1 < folded.count {
            let isSeparator = folded[end] == 0x20 || folded[end] == 0x28 || folded[end] == 0x29 || folded[end] == 0x2D
            guard isSeparator || Scalars.isDigit(folded[end]) else { break }
            guard
                Scalars.isDigit(folded[end]) || Scalars.isDigit(folded[end + 1]) || folded[end + 1] == 0x28
                    || folded[end + 1] == 0x20
            else {
                break
            }
            end += 1
        }
        while end < folded.count, Scalars.isDigit(folded[end]) { end += 1 }
        position = end
        emit(start, end, [], number: .telephone)
    }

    /// A letter of Cyrillic or Greek at one side: a number plate, a unit.
    private func isAttached(_ start: Int, _ end: Int) -> Bool {
        let alphabetic: Range<UInt32> = 0x370..<0x530
        return start > 0 && alphabetic.contains(folded[start - 1])
            || end < folded.count && alphabetic.contains(folded[end])
            || start > 0 && folded[start - 1] == 0x5F
            || end < folded.count && (folded[end] == 0x5F || folded[end] == 0x2B)
            || start > 1 && folded[start - 1] == 0x2F && Scalars.isLetter(folded[start - 2])
    }

    private func isCurrencySign(before start: Int) -> Bool {
        guard start > 0 else { return false }
        let last = folded[start - 1] == 0x20 && start > 1 ? folded[start - 2] : folded[start - 1]
        return last == 0x24 || last == 0xA3 || last == 0xA5 || (0x20A0...0x20CF).contains(last)
    }

    /// `*1234`, `…1234`, `1234****`; `*1234*` is bold print.
    private func isMasked(_ start: Int, _ end: Int) -> Bool {
        func isStar(_ place: Int) -> Bool { place >= 0 && place < folded.count && folded[place] == 0x2A }
        if start > 0 {
            let last = folded[start - 1]
            if last == 0x2026 || last == 0xB7 || last == 0x2E && start > 1 && folded[start - 2] == 0x2E { return true }
            if last == 0x2A, !isStar(end) || end + 1 < folded.count && Scalars.isAlphanumeric(folded[end + 1]) {
                return true
            }
            if last == 0x20, start > 2, isStar(start - 2), isStar(start - 3), !isStar(end) { return true }
        }
        if isStar(end), !isStar(start - 1) { return true }
        return end + 1 < folded.count && folded[end] == 0x2E && folded[end + 1] == 0x2E && end + 2 < folded.count
            && folded[end + 2] == 0x2E
            && end + 3 < folded.count && Scalars.isDigit(folded[end + 3])
    }
}
