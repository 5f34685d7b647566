// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A mail, or a part of one: lines of a header, an empty line, a body.
struct MailPart: Sendable {
    /// No header is longer, in bytes.
    private static let headerLimit = 64 << 10

    /// What the header says of the body.
    struct ContentType: Sendable {
        /// In small letters; `text/plain` where the header says nothing.
        var name = "text/plain"
        var boundary: [UInt8]?
        /// Whether the body is ISO 8859-1 or Windows 1252 rather than UTF-8.
        var isLatin = false
        var isAttachment = false
    }

    private let fields: [(name: String, value: [UInt8])]
    private let body: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        var fields: [(name: String, value: [UInt8])] = []
        var rest = bytes
        var total = 0
        while let line = Self.takeLine(from: &rest), !line.isEmpty, total < Self.headerLimit {
            total += line.count
            if let first = line.first, first == 0x20 || first == 0x09 {
                // Folded: it goes on with the field before.
                if !fields.isEmpty { fields[fields.count - 1].value += line }
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
                fields.append((name, Array(line[line.index(after: colon)...])))
            }
        }
        self.fields = fields
        body = rest
    }

    /// The first field of a name, which is in small letters.
    func header(_ name: String) -> [UInt8]? {
        fields.first { $0.name == name }?.value
    }

    var contentType: ContentType {
        var type = ContentType()
        if let disposition = header("content-disposition") {
            type.isAttachment = Self.text(disposition).hasPrefix("attachment")
        }
        guard let field = header("content-type") else { return type }
        let parts = Self.parameters(field)
        type.name = parts.first.map { Self.text($0) } ?? type.name
        for part in parts.dropFirst() {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard sides.count == 2 else { continue }
            let value = Self.unquoted(Array(sides[1]))
            switch Self.text(Array(sides[0])) {
            case "boundary": type.boundary = value.isEmpty || value.count > 70 ? nil : value
            case "charset":
                let name = Self.text(value)
                type.isLatin = name == "iso-8859-1" || name == "iso-8859-15" || name == "windows-1252"
            default: continue
            }
        }
        return type
    }

    /// The body in UTF-8, without its transfer encoding.
    var decodedBody: [UInt8] {
        let bytes: [UInt8]
        switch header("content-transfer-encoding").map(Self.text) {
        case "quoted-printable": bytes = TransferEncoding.quotedPrintable(body)
        case "base64": bytes = TransferEncoding.base64(body)
        default: bytes = Array(body)
        }
        return contentType.isLatin ? TransferEncoding.utf8(latin: bytes) : bytes
    }

    /// The bodies between the lines of a boundary (RFC 2046, 5.1.1).
    func parts(_ boundary: [UInt8], limit: Int) -> [ArraySlice<UInt8>] {
        let mark = [UInt8(ascii: "-"), UInt8(ascii: "-")] + boundary
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var rest = body
        while parts.count < limit {
            let begin = rest.startIndex
            guard let line = Self.takeLine(from: &rest) else { break }
            guard line.starts(with: mark) else { continue }
            if let start { parts.append(body[start..<begin]) }
            start = rest.startIndex
            if line.dropFirst(mark.count).starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]) { return parts }
        }
        // One that was cut off, because only the beginning of the mail is read.
        if let start, parts.count < limit, start <= body.endIndex { parts.append(body[start...]) }
        return parts
    }

    /// The next line without its end; nothing at the end of the text.
    private static func takeLine(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        var line = rest[rest.startIndex..<end]
        rest = rest[(end == rest.endIndex ? end : end + 1)...]
        if line.last == 0x0D { line = line.dropLast() }
        return line
    }

    /// What stands between semicolons, those in quotes not counted.
    private static func parameters(_ field: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in field {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ";"), !isQuoted { parts.append([]) } else { parts[parts.count - 1].append(byte) }
        }
        return parts
    }

    private static func unquoted(_ value: [UInt8]) -> [UInt8] {
        let blanks: Set<UInt8> = [0x20, 0x09]
        let trimmed = value.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
        let bytes = Array(trimmed)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return bytes
        }
        return Array(bytes.dropFirst().dropLast())
    }

    /// A word in small letters, without blanks around it.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self).lowercased()
    }
}
