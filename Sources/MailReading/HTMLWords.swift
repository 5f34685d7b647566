// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The words of a mail that is HTML only: tags, scripts and styles are passed over, the ends of blocks are line ends. No page is
/// built of it; what this misreads has no code, or another text around it.
enum HTMLWords {
    private static let blocks: Set<String> = [
        "p", "div", "br", "tr", "td", "th", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "body",
        "center", "section", "article", "header", "footer", "pre", "blockquote",
    ]
    private static let hidden: Set<String> = ["script", "style", "head", "title"]
    private static let entities: [String: [UInt8]] = [
        "amp": [0x26], "lt": [0x3C], "gt": [0x3E], "quot": [0x22], "apos": [0x27], "nbsp": [0x20], "commat": [0x40],
        "num": [0x23], "percnt": [0x25], "zwnj": [], "shy": [],
    ]

    static func text(_ html: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var index = 0
        var waitsFor: String?
        while index < html.count {
            switch html[index] {
            // Inside of a script a sign for "less" begins no tag.
            case UInt8(ascii: "<")
            where waitsFor == nil || index + 1 < html.count && html[index + 1] == UInt8(ascii: "/"):
                let (name, isEnd, after) = tag(in: html, at: index)
                index = after
                if let wanted = waitsFor {
                    if isEnd, name == wanted { waitsFor = nil }
                } else if !isEnd, hidden.contains(name) {
                    waitsFor = name
                } else if blocks.contains(name), let last = text.last, last != 0x0A {
                    text.append(0x0A)
                }
            case UInt8(ascii: "&") where waitsFor == nil:
                let (bytes, after) = entity(in: html, at: index)
                text += bytes
                index = after
            case let byte:
                index += 1
                guard waitsFor == nil else { continue }
                // Line ends of the source are white space, and so is all white space beside others.
                if byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09 {
                    if let last = text.last, last != 0x20, last != 0x0A { text.append(0x20) }
                } else {
                    text.append(byte)
                }
            }
        }
        return text
    }

    /// The name of a tag in small letters, whether it ends an element, and what comes behind it.
    private static func tag(in html: [UInt8], at start: Int) -> (name: String, isEnd: Bool, after: Int) {
        var index = start + 1
        let isEnd = index < html.count && html[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let nameStart = index
        while index < html.count, (0x61...0x7A).contains(html[index] | 0x20) || (0x30...0x39).contains(html[index]),
            index - nameStart < 16
        { index += 1 }
        let name = String(decoding: html[nameStart..<index], as: UTF8.self).lowercased()
        var quote: UInt8?
        while index < html.count {
            let byte = html[index]
            index += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
        }
        return (name, isEnd, index)
    }

    private static func entity(in html: [UInt8], at start: Int) -> (bytes: [UInt8], after: Int) {
        guard let end = html[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")), end > start + 1 else {
            return ([html[start]], start + 1)
        }
        let name = String(decoding: html[(start + 1)..<end], as: UTF8.self)
        if let bytes = entities[name] { return (bytes, end + 1) }
        guard name.hasPrefix("#") else { return ([html[start]], start + 1) }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, let scalar = Unicode.Scalar(number) else { return ([html[start]], start + 1) }
        return (Array(String(Character(scalar)).utf8), end + 1)
    }
}
