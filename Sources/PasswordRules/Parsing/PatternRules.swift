// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Rules out of the `pattern` attribute of a field, where it is one of the plain ones that people write for passwords: conditions
/// `(?=.*CLASS)`, then one class with a number of repetitions. Anything else is not a rule that could be honoured.
///
/// It is read, never run: a page's expression could take for ever.
public enum PatternRules {
    /// The longest pattern that is looked at, in bytes.
    private static let limit = 512

    /// The rules as text; nothing where the pattern is of another kind.
    public static func text(of pattern: String) -> String? {
        guard !pattern.isEmpty, pattern.utf8.count <= limit, pattern.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        var reader = Reader(Array(pattern.utf8))
        return reader.rules()
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func take(_ text: String) -> Bool {
            let wanted = Array(text.utf8)
            guard bytes[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }

        mutating func rules() -> String? {
            _ = take("^")
            var required: [ASCIISet] = []
            while take("(?=") {
                guard take(".*?") || take(".*"), let set = atom(), take(")") else { return nil }
                required.append(set)
            }
            guard let allowed = atom(), let (least, most) = repetition() else { return nil }
            _ = take("$")
            guard position == bytes.count, !allowed.isEmpty, required.allSatisfy({ !$0.isEmpty }) else { return nil }
            // What is required is allowed as well; a pattern that contradicts itself is satisfied by nothing.
            guard required.allSatisfy({ allowed.isSuperset(of: $0) || !allowed.intersection($0).isEmpty }) else {
                return nil
            }
            var parts = required.map { "required: \(Self.classes($0.intersection(allowed)))" }
            if allowed != .printable || !required.isEmpty { parts.append("allowed: \(Self.classes(allowed))") }
            if least > 0 { parts.append("minlength: \(least)") }
            if let most { parts.append("maxlength: \(most)") }
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }

        private static func classes(_ set: ASCIISet) -> String { CharacterClasses(set).description }

        /// One class of characters.
        private mutating func atom() -> ASCIISet? {
            guard let byte = next else { return nil }
            position += 1
            switch byte {
            case UInt8(ascii: "."): return .printable
            case UInt8(ascii: "\\"): return escaped()
            case UInt8(ascii: "["): return bracket()
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"),
                UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "$"):
                return nil
            default: return ASCIISet(byte...byte)
            }
        }

        private mutating func escaped() -> ASCIISet? {
            guard let byte = next else { return nil }
            position += 1
            let word = ASCIISet.upper.union(.lower).union(.digit).union(ASCIISet(0x5F...0x5F))
            switch byte {
            case UInt8(ascii: "d"): return .digit
            case UInt8(ascii: "D"): return .printable.subtracting(.digit)
            case UInt8(ascii: "w"): return word
            case UInt8(ascii: "W"): return .printable.subtracting(word)
            case UInt8(ascii: "s"): return ASCIISet(0x20...0x20)
            case UInt8(ascii: "S"): return .printable.subtracting(ASCIISet(0x20...0x20))
            default:
                // Letters and digits have meanings of their own behind a backslash.
                let isPlain = !ASCIISet.upper.union(.lower).union(.digit).contains(byte)
                return isPlain ? ASCIISet(byte...byte) : nil
            }
        }

        private mutating func bracket() -> ASCIISet? {
            let isNegated = take("^")
            var set = ASCIISet()
            while let byte = next, byte != UInt8(ascii: "]") {
                position += 1
                if byte == UInt8(ascii: "\\") {
                    guard let one = escaped() else { return nil }
                    set = set.union(one)
                    continue
                }
                if next == UInt8(ascii: "-"), position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "]") {
                    let end = bytes[position + 1]
                    guard end >= byte, end != UInt8(ascii: "\\") else { return nil }
                    position += 2
                    set = set.union(ASCIISet(byte...end))
                } else {
                    set.insert(byte)
                }
            }
            guard take("]") else { return nil }
            return isNegated ? .printable.subtracting(set) : set
        }

        /// How often the last class stands there.
        private mutating func repetition() -> (Int, Int?)? {
            if take("*") { return (0, nil) }
            if take("+") { return (1, nil) }
            guard take("{"), let least = number() else { return nil }
            if take("}") { return (least, least) }
            guard take(",") else { return nil }
            if take("}") { return (least, nil) }
            guard let most = number(), most >= least, take("}") else { return nil }
            return (least, most)
        }

        private mutating func number() -> Int? {
            var value = 0
            let start = position
            while let byte = next, (0x30...0x39).contains(byte), position - start < 5 {
                value = value * 10 + Int(byte - 0x30)
                position += 1
            }
            return position > start ? value : nil
        }
    }
}
