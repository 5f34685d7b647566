// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the value of one `required` or `allowed` rule says, in canonical form.
///
/// A value is a union, so what it lists is one set of characters: `unicode`, or a set of printable ASCII characters, which has
/// exactly one shortest spelling in named classes and at most one custom class, last.
public struct CharacterClasses: Hashable, Sendable, CustomStringConvertible {
    /// Every character of Unicode.
    public let isUnicode: Bool
    /// The ASCII part; all of it where every character of Unicode is meant.
    let ascii: ASCIISet

    private init(isUnicode: Bool, ascii: ASCIISet) {
        self.isUnicode = isUnicode
        self.ascii = ascii
    }

    init(_ ascii: ASCIISet) {
        self.init(isUnicode: false, ascii: ascii)
    }

    /// `upper`: A to Z.
    public static let upper = CharacterClasses(.upper)
    /// `lower`: a to z.
    public static let lower = CharacterClasses(.lower)
    /// `digit`: 0 to 9.
    public static let digit = CharacterClasses(.digit)
    /// `special`: the 33 printable ASCII characters that are no letters and no digits, the space among them.
    public static let special = CharacterClasses(.special)
    /// `ascii-printable`: U+0020 to U+007E.
    public static let asciiPrintable = CharacterClasses(.printable)
    /// `unicode`: every character.
    public static let unicode = CharacterClasses(isUnicode: true, ascii: .printable)

    /// A custom class; characters that are not printable ASCII are left out.
    public init(characters: String) {
        var set = ASCIISet()
        for byte in characters.utf8 { set.insert(byte) }
        self.init(set)
    }

    /// The named class of a token, in any case of letters; nothing for a name the language does not have.
    public init?(name: String) {
        self.init(token: name.utf8)
    }

    init?(token: some Collection<UInt8>) {
        switch token.count {
        case 5 where Self.matches(token, "upper"): self = .upper
        case 5 where Self.matches(token, "lower"): self = .lower
        case 5 where Self.matches(token, "digit"): self = .digit
        case 7 where Self.matches(token, "special"): self = .special
        case 7 where Self.matches(token, "unicode"): self = .unicode
        case 15 where Self.matches(token, "ascii-printable"): self = .asciiPrintable
        default: return nil
        }
    }

    private static func matches(_ token: some Collection<UInt8>, _ name: StaticString) -> Bool {
        name.withUTF8Buffer { name in
            token.elementsEqual(name) { byte, other in
                ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == other
            }
        }
    }

    /// Whether there is no character in it.
    public var isEmpty: Bool { ascii.isEmpty && !isUnicode }

    /// Whether a character belongs to it.
    public func contains(_ character: Character) -> Bool {
        guard let byte = character.asciiValue, character.utf8.count == 1 else { return isUnicode }
        return ascii.contains(byte) || isUnicode
    }

    /// The printable ASCII characters of it, in the order of their codes.
    public var asciiCharacters: String {
        String(decoding: ascii.characters, as: UTF8.self)
    }

    /// The canonical spelling: `upper, lower, digit, special` as far as they are whole, and the rest as one custom class.
    public var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    func append(to text: inout [UInt8]) {
        if isUnicode { return text.append("unicode") }
        if ascii == .printable { return text.append("ascii-printable") }
        var rest = ascii
        var isFirst = true
        func name(_ name: StaticString, _ set: ASCIISet) {
            guard ascii.isSuperset(of: set) else { return }
            if !isFirst { text.append(", ") }
            text.append(name)
            rest = rest.subtracting(set)
            isFirst = false
        }
        name("upper", .upper)
        name("lower", .lower)
        name("digit", .digit)
        name("special", .special)
        guard !rest.isEmpty else { return }
        if !isFirst { text.append(", ") }
        Self.append(custom: rest, to: &text)
    }

    /// A hyphen stands first and a right bracket last, since elsewhere they would not be read.
    private static func append(custom set: ASCIISet, to text: inout [UInt8]) {
        text.append(0x5B)
        if set.contains(0x2D) { text.append(0x2D) }
        let edges = ASCIISet(0x2D...0x2D).union(ASCIISet(0x5D...0x5D))
        set.intersection(.upper).visit { text.append($0) }
        set.intersection(.lower).visit { text.append($0) }
        set.intersection(.digit).visit { text.append($0) }
        set.intersection(.special).subtracting(edges).visit { text.append($0) }
        if set.contains(0x5D) { text.append(0x5D) }
        text.append(0x5D)
    }
}
