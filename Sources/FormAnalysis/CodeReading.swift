// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Finds the fields of a form that take a code for one use.
struct CodeReading {
    /// The answers by index into the page's fields.
    private(set) var answers: [Int: FieldAnalysis] = [:]

    init(_ section: Section, facts: [FieldFacts], evidence: Evidence) {
        let hasPassword = section.fields.contains { facts[$0].isPassword }
        let isLookup = section.fields.contains { facts[$0].isPersonal } && !hasPassword
        let isAlone = section.fields.count { facts[$0].control != nil } == 1
        let asksForPhone = section.fields.contains { facts[$0].saysPhone }
        for index in section.fields {
            let field = facts[index]
            // A code is asked for when it has been sent, or when the password was right.
            if field.mayComeLater || Self.isTooShort(field) { continue }
            if field.taggedRole == .oneTimeCode {
                answers[index] = FieldAnalysis(
                    role: .oneTimeCode,
                    confidence: 1,
                    reasons: ["autocomplete=\"one-time-code\""]
                )
            } else if isLookup, !field.own.contains(.secondFactor) {
                // "Code and last name" finds a booking; beside a person's details a code proves their telephone.
                continue
            } else if let (confidence, reason) = Self.claim(
                of: field,
                hasPassword: hasPassword,
                asksForPhone: asksForPhone,
                isAlone: isAlone,
                evidence: evidence
            ) {
                answers[index] = FieldAnalysis(role: .oneTimeCode, confidence: confidence, reasons: [reason])
            }
        }
        readBoxes(section, facts: facts, evidence: evidence)
    }

    private static func claim(
        of field: FieldFacts,
        hasPassword: Bool,
        asksForPhone: Bool,
        isAlone: Bool,
        evidence: Evidence
    ) -> (Double, String)? {
        let speaksOfCodes = Self.speaksOfCodes(evidence.around.union(field.nearby))
        let isNamedPIN = speaksOfCodes && Self.isPINForPrograms(field)
        guard canTakeCode(field, mayBePIN: isNamedPIN) else { return nil }
        let isShort = field.maxLength.map { (4...8).contains($0) } ?? false
        if field.own.contains(.oneTimeCode) {
            // Beside a password, what pages call a verification code is mostly the text in a picture, which may have digits alone,
            // unless the form asks for a telephone or says that a code was sent.
            let comes = asksForPhone || evidence.around.union(field.nearby).union(field.own).contains(.sent)
            if hasPassword, !comes, !field.own.contains(.secondFactor) { return nil }
            return field.isNumeric || isShort
                ? (0.95, "named like a code for one use, and takes digits or few characters")
                : (0.75, "named like a code for one use")
        }
        let isUnnamed = field.own.isDisjoint(with: isNamedPIN ? Concepts.named.subtracting(.pin) : .named)
        let isSecondStep = evidence.around.contains(.secondFactor) && field.own.contains(.code)
        if isAlone, !hasPassword, isUnnamed && speaksOfCodes || isSecondStep {
            return (0.7, "alone in a form that asks for a code for one use")
        }
        guard field.own.contains(.code), !hasPassword else { return nil }
        if field.isNumeric || isShort, speaksOfCodes {
            return (0.8, "named like a code, in a form that asks for one for one use")
        }
        if field.isNumeric, isShort, isAlone, !evidence.around.containsAny(of: [.coupon, .checkout, .captcha]) {
            return (0.6, "named like a code, takes few digits, and is alone in its form")
        }
        return nil
    }

    /// Whether words name a code for one use, or say of a code that it was sent or comes by text message.
    ///
    /// One that was sent to an email address mostly proves the address, of a person who has no account yet.
    private static func speaksOfCodes(_ words: Concepts) -> Bool {
        words.contains(.oneTimeCode)
            || words.contains(.code)
                && (words.contains(.secondFactor) || words.contains(.sent) && !words.contains(.email))
    }

    /// Whether a field is too short for any code, and no box of a row.
    private static func isTooShort(_ field: FieldFacts) -> Bool {
        field.maxLength.map { $0 != 1 && $0 < 4 } ?? false
    }

    /// Whether only programs are told of a PIN, by a field that shows what is typed: a code that was sent has such names, too.
    private static func isPINForPrograms(_ field: FieldFacts) -> Bool {
        field.control != .password && field.names.contains(.pin) && !field.shown.contains(.pin)
    }

    private static func canTakeCode(_ field: FieldFacts, mayBePIN: Bool) -> Bool {
        guard let control = field.control, control != .email, control != .url else { return false }
        return field.taggedRole == nil && !field.hint.isOther && !field.hint.isEmail && !field.isPassword
            && !field.own.containsAny(of: [
                .captcha, .coupon, .search, .card, .cardCode, .address, .email, .userName, .question, .newsletter,
                .company, .other, .decoy,
            ]) && (mayBePIN || !field.own.contains(.pin))
    }

    /// A row of boxes for one character each takes one code.
    private mutating func readBoxes(_ section: Section, facts: [FieldFacts], evidence: Evidence) {
        var row: [Int] = []
        for index in section.fields + [-1] {
            if index >= 0, facts[index].maxLength == 1, !facts[index].mayComeLater,
                Self.canBeBox(facts[index])
            {
                row.append(index)
                continue
            }
            // Fields that nobody sees do not break a row.
            if index >= 0, facts[index].control == nil { continue }
            if (4...8).contains(row.count) {
                let own = row.reduce(into: Concepts()) { $0.formUnion(facts[$1].own.union(facts[$1].nearby)) }
                let speaksOfCodes = Self.speaksOfCodes(own.union(evidence.around))
                // Boxes that hide what is typed are a PIN's, unless somebody says otherwise.
                let takesDigits = row.allSatisfy { facts[$0].isNumeric && facts[$0].control != .password }
                if speaksOfCodes || takesDigits {
                    for box in row where answers[box] == nil {
                        answers[box] = FieldAnalysis(
                            role: .oneTimeCode,
                            confidence: speaksOfCodes ? 0.9 : 0.6,
                            reasons: ["one of \(row.count) boxes for one character each"]
                        )
                    }
                }
            }
            row.removeAll()
        }
    }

    /// A row of boxes that hide one character each asks for some characters of a password, which none can be filled with.
    static func maskedBoxes(_ section: Section, facts: [FieldFacts]) -> Set<Int> {
        let boxes = section.fields.filter { facts[$0].control == .password && facts[$0].maxLength == 1 }
        return boxes.count >= 3 ? Set(boxes) : []
    }

    private static func canBeBox(_ field: FieldFacts) -> Bool {
        guard let control = field.control, control != .email, control != .url else { return false }
        return (field.taggedRole == nil || field.taggedRole == .oneTimeCode)
            && !field.own.containsAny(of: [.card, .cardCode, .birthday, .question, .pin])
    }
}
