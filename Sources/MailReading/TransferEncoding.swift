// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What mail does to bytes so that they travel (RFC 2045, section 6).
enum TransferEncoding {
    static func quotedPrintable(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "=") else {
                bytes.append(text[index])
                index += 1
                continue
            }
            if index + 1 < text.count, text[index + 1] == 0x0A {
                index += 2
            } else if index + 2 < text.count, text[index + 1] == 0x0D, text[index + 2] == 0x0A {
                index += 3
            } else if index + 2 < text.count, let high = hexadecimal(text[index + 1]),
                let low = hexadecimal(text[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// What is none of its letters is passed over.
    static func base64(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in text {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "="): return bytes
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        return bytes
    }

    /// ISO 8859-1 as UTF-8. What Windows puts where that has control characters is passed over: no code is made of it.
    static func utf8(latin bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            byte < 0x80 ? [byte] : byte < 0xA0 ? [0x20] : [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
        }
    }

    static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// Words in a header that are not ASCII (RFC 2047): `=?utf-8?Q?…?=`.
enum EncodedWords {
    static func decoded(_ value: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = value[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "=")) {
            decoded += rest[..<start]
            guard let (word, end) = word(in: rest[start...]) else {
                decoded.append(rest[start])
                rest = rest[(start + 1)...]
                continue
            }
            decoded += word
            rest = rest[end...]
            // White space between two such words is none.
            let next = rest.drop { $0 == 0x20 || $0 == 0x09 }
            if next.starts(with: Array("=?".utf8)) { rest = next }
        }
        return decoded + rest
    }

    /// A word at the beginning of a text, and where it ends. None is longer than 75 characters, by the standard; some are.
    private static func word(in text: ArraySlice<UInt8>) -> (bytes: [UInt8], end: Int)? {
        let mark = UInt8(ascii: "?")
        // So that no place is looked at more often than its words have marks.
        guard text.count > 1, text[text.startIndex + 1] == mark else { return nil }
        var marks: [Int] = []
        for index in text.prefix(512).indices where text[index] == mark {
            marks.append(index)
            if marks.count == 4 { break }
        }
        guard marks.count == 4, marks[0] == text.startIndex + 1, marks[2] == marks[1] + 2, marks[3] + 1 < text.endIndex,
            text[marks[3] + 1] == UInt8(ascii: "=")
        else { return nil }
        let content = text[(marks[2] + 1)..<marks[3]]
        var bytes: [UInt8]
        switch text[marks[1] + 1] | 0x20 {
        case UInt8(ascii: "q"):
            bytes = TransferEncoding.quotedPrintable(content.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 })
        case UInt8(ascii: "b"): bytes = TransferEncoding.base64(content)
        default: return nil
        }
        let charset = String(decoding: text[(marks[0] + 1)..<marks[1]], as: UTF8.self).lowercased()
        if charset.hasPrefix("iso-8859-1") || charset == "windows-1252" { bytes = TransferEncoding.utf8(latin: bytes) }
        return (bytes, marks[3] + 2)
    }
}
