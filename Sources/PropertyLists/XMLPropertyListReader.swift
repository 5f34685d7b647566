// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the XML format, as far as property lists use XML: no entities but the five, no DTD of the file's own, UTF-8 only.
struct XMLPropertyListReader {
    private let bytes: [UInt8]
    private let bounds: PropertyListBounds
    private var position = 0

    init(_ bytes: [UInt8], _ bounds: PropertyListBounds) {
        self.bytes = bytes
        self.bounds = bounds
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// A tag between `<` and `>`.
    private struct Tag: Equatable {
        let name: String
        /// `</name>`
        let isEnd: Bool
        /// `<name/>`
        let isEmpty: Bool
    }

    mutating func read() throws(PropertyListRefusal) -> PropertyList {
        try skipProlog()
        guard try tag() == Tag(name: "plist", isEnd: false, isEmpty: false) else { throw Self.noList }
        var containers = OpenContainers(bounds)
        while true {
            try skipBetween()
            let tag = try tag()
            if tag.isEnd {
                guard let innermost = containers.innermost else {
                    guard tag.name == "plist", let result = containers.result else { throw Self.noList }
                    try skipBetween()
                    guard position == bytes.count else { throw PropertyListRefusal("something follows its end") }
                    return result
                }
                guard innermost == tag.name else { throw Self.badTag }
                try containers.end()
                continue
            }
            switch tag.name {
            case "dict", "array":
                try containers.begin(dictionary: tag.name == "dict")
                if tag.isEmpty { try containers.end() }
            case "key": try containers.key(try string(of: tag))
            default: try containers.add(try value(of: tag))
            }
        }
    }

    private mutating func value(of tag: Tag) throws(PropertyListRefusal) -> PropertyList {
        switch tag.name {
        case "string": return .string(try string(of: tag))
        case "true", "false":
            guard try text(of: tag).isEmpty else { throw Self.badTag }
            return .boolean(tag.name == "true")
        case "integer":
            let text = try word(of: tag)
            let digits = text.drop { $0 == "-" || $0 == "+" }
            let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
            let sign = text.dropLast(digits.count)
            guard sign.utf8.count <= 1, !isHexadecimal || digits.dropFirst(2).first?.isHexDigit == true,
                let number = isHexadecimal ? Int64(sign + digits.dropFirst(2), radix: 16) : Int64(text)
            else { throw PropertyListRefusal("it has an integer that is none, or too large") }
            return .integer(number)
        case "real":
            let text = try word(of: tag)
            let isPlain = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            guard isPlain, let number = Double(text), number.isFinite else {
                throw PropertyListRefusal("it has a real number that is none")
            }
            return .real(number)
        case "data":
            guard let bytes = Base64Text.decoded(try text(of: tag)) else {
                throw PropertyListRefusal("it has data that are not base64")
            }
            return .data(bytes)
        case "date":
            guard let seconds = DateText.seconds(try word(of: tag)) else {
                throw PropertyListRefusal("it has a date that is none")
            }
            return .date(seconds)
        default: throw PropertyListRefusal("it has an element that no property list has")
        }
    }

    // MARK: Between elements

    /// White space, comments and processing instructions.
    private mutating func skipBetween() throws(PropertyListRefusal) {
        while position < bytes.count {
            if Self.isWhite(bytes[position]) {
                position += 1
            } else if has("<!--") {
                try skip(past: "-->", from: "<!--")
            } else if has("<?") {
                try skip(past: "?>", from: "<?")
            } else {
                return
            }
        }
    }

    /// What stands before the list: a declaration, and a document type that declares nothing by itself. The file that it
    /// names is never read.
    private mutating func skipProlog() throws(PropertyListRefusal) {
        if has("<?xml") {
            let start = position
            try skip(past: "?>", from: "<?")
            let declaration = String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
            guard !declaration.contains("encoding") || declaration.contains("utf-8") || declaration.contains("ascii")
            else { throw PropertyListRefusal("it is not in UTF-8") }
        }
        try skipBetween()
        guard has("<!DOCTYPE") else { return }
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            guard bytes[position] != UInt8(ascii: "[") else {
                throw PropertyListRefusal("it declares entities")
            }
            position += 1
        }
        guard position < bytes.count else { throw Self.noList }
        position += 1
        try skipBetween()
    }

    private func has(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length else { return false }
        return text.withUTF8Buffer { bytes[position..<position + length].elementsEqual($0) }
    }

    private mutating func skip(past end: StaticString, from start: StaticString) throws(PropertyListRefusal) {
        position += start.utf8CodeUnitCount
        while position < bytes.count {
            if has(end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw PropertyListRefusal("it ends inside of a comment")
    }

    // MARK: Tags and text

    /// The next tag. Only `plist` may have attributes, which say nothing.
    private mutating func tag() throws(PropertyListRefusal) -> Tag {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else { throw Self.noList }
        position += 1
        var isEnd = false
        if position < bytes.count, bytes[position] == UInt8(ascii: "/") {
            isEnd = true
            position += 1
        }
        let start = position
        while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
        // No element has a longer name.
        guard (1...8).contains(position - start) else { throw Self.badTag }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        var isEmpty = false
        while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "/"), !isEnd, position < bytes.count, bytes[position] == UInt8(ascii: ">") {
                isEmpty = true
            } else if !Self.isWhite(byte) {
                guard name == "plist", !isEnd, byte != UInt8(ascii: "<") else { throw Self.badTag }
            }
        }
        guard position < bytes.count else { throw Self.badTag }
        position += 1
        return Tag(name: name, isEnd: isEnd, isEmpty: isEmpty)
    }

    /// The bytes between a tag and its end, entities replaced.
    private mutating func text(of tag: Tag) throws(PropertyListRefusal) -> [UInt8] {
        guard !tag.isEmpty else { return [] }
        var text: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "<"):
                if has("<![CDATA[") {
                    let start = position + 9
                    try skip(past: "]]>", from: "<![CDATA[")
                    text += bytes[start..<position - 3]
                    continue
                }
                guard try self.tag() == Tag(name: tag.name, isEnd: true, isEmpty: false) else { throw Self.badTag }
                return text
            case UInt8(ascii: "&"): try entity(to: &text)
            default:
                text.append(bytes[position])
                position += 1
            }
        }
        throw Self.badTag
    }

    private mutating func string(of tag: Tag) throws(PropertyListRefusal) -> String {
        let bytes = try text(of: tag)
        guard bytes.allSatisfy({ $0 >= 0x20 || Self.isWhite($0) }),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw PropertyListRefusal("it has a string that is not text") }
        return text
    }

    /// Without white space around it.
    private mutating func word(of tag: Tag) throws(PropertyListRefusal) -> String {
        let bytes = try text(of: tag)
        let trimmed = bytes.drop(while: Self.isWhite).reversed().drop(while: Self.isWhite).reversed()
        guard trimmed.count <= 400, trimmed.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw Self.badTag }
        return String(decoding: trimmed, as: UTF8.self)
    }

    /// One of the five entities, or a character by its number.
    private mutating func entity(to text: inout [UInt8]) throws(PropertyListRefusal) {
        let start = position + 1
        guard let end = bytes[start..<min(start + 10, bytes.count)].firstIndex(of: UInt8(ascii: ";")) else {
            throw Self.badEntity
        }
        position = end + 1
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        switch name {
        case "amp": text.append(UInt8(ascii: "&"))
        case "lt": text.append(UInt8(ascii: "<"))
        case "gt": text.append(UInt8(ascii: ">"))
        case "quot": text.append(UInt8(ascii: "\""))
        case "apos": text.append(UInt8(ascii: "'"))
        default:
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"), digits.utf8.allSatisfy({ Self.isLetter($0) || (0x30...0x39).contains($0) }),
                let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(number)
            else { throw Self.badEntity }
            text += Array(String(Character(scalar)).utf8)
        }
    }

    private static func isWhite(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
    }

    private static let noList = PropertyListRefusal("it is not a property list")
    private static let badTag = PropertyListRefusal("an element of it does not end as it begins")
    private static let badEntity = PropertyListRefusal("it has an entity that no property list has")
}
