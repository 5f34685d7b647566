// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What single scalars of folded texts are.
enum Scalars {
    static func isDigit(_ scalar: UInt32) -> Bool { scalar &- 0x30 < 10 }

    static func isLatin(_ scalar: UInt32) -> Bool { scalar &- 0x61 < 26 }

    /// A small ASCII letter or a digit, which is what codes are made of.
    static func isAlphanumeric(_ scalar: UInt32) -> Bool { isLatin(scalar) || isDigit(scalar) }

    /// A letter of any script.
    static func isLetter(_ scalar: UInt32) -> Bool { isLatin(scalar) || (scalar >= 0xAA && !isSymbol(scalar)) }

    /// Signs beyond ASCII that are part of no word.
    private static func isSymbol(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA1...0xA9, 0xAB...0xB4, 0xB6...0xB9, 0xBB...0xBF, 0xD7, 0xF7, 0x2000...0x2BFF, 0x3000...0x3004,
            0x3008...0x3020, 0x3030,
            0xFE10...0xFE6F, 0xFF5F...0xFF65, 0x1F000...0x1FAFF, 0xE000...0xF8FF, 0xFFFD:
            true
        default: false
        }
    }

    /// A letter of a script that puts no spaces between words, or that puts endings to words of any kind.
    static func isSpaceless(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0E00...0x0E7F, 0x0E80...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF,
            0x3400...0x9FFF,
            0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Whether a word goes on with a scalar behind another one.
    static func continuesWord(_ scalar: UInt32, after last: UInt32) -> Bool {
        if isDigit(scalar) { return isLatin(last) || isDigit(last) }
        guard isLetter(scalar), !isSpaceless(scalar) else { return false }
        // Where the script changes, a word ends: `OTPकोड`, `код1a`.
        return isLatin(scalar) == isLatin(last) || isDigit(last) && isLatin(scalar)
    }
}

/// One message as the reader sees it: letters without case and accents, digits of every script as ASCII, one space
/// where there are many,
/// and nothing that is invisible.
struct MessageText {
    private(set) var folded: [UInt32] = []
    /// The same places with their capitals, which the code is taken from.
    private(set) var plain: [UInt32] = []

    mutating func load(_ text: String) {
        var text = text
        text.withUTF8 { load($0) }
    }

    /// Reads UTF-8; what is none is left out.
    mutating func load(_ bytes: UnsafeBufferPointer<UInt8>) {
        folded.removeAll(keepingCapacity: true)
        plain.removeAll(keepingCapacity: true)
        folded.reserveCapacity(bytes.count)
        plain.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte < 0x80 {
                position += 1
                append(UInt32(byte))
                continue
            }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            guard length > 1, position + length <= bytes.count else {
                position += 1
                continue
            }
            var scalar = UInt32(byte) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
            for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[position + offset] & 0x3F) }
            position += length
            appendWide(scalar)
        }
        if folded.last == 0x20 {
            folded.removeLast()
            plain.removeLast()
        }
    }

    private mutating func append(_ scalar: UInt32) {
        switch scalar {
        case 0x41...0x5A: push(scalar + 32, scalar)
        case 0x20, 0x09: pushSpace()
        case 0x0A, 0x0B, 0x0C, 0x0D: pushLineFeed()
        case ..<0x20, 0x7F: break
        default: push(scalar, scalar)
        }
    }

    private mutating func appendWide(_ scalar: UInt32) {
        if ScalarFolding.isInvisible(scalar) { return }
        if let digit = ScalarFolding.digit(scalar) { return push(0x30 + digit, 0x30 + digit) }
        if let ascii = ScalarFolding.ascii(scalar) {
            append(ascii)
            // A comma as wide as two letters joins no digits.
            if ascii == 0x2C, scalar != 0x66C { pushSpace() }
            return
        }
        switch scalar {
        case 0xDF: pushTwice("ss")
        case 0xC6, 0xE6: pushTwice("ae")
        case 0x152, 0x153: pushTwice("oe")
        default:
            if let letter = ScalarFolding.baseLetter(of: scalar) {
                push(letter, ScalarFolding.isCapital(scalar) ? letter - 32 : letter)
            } else {
                let folded = ScalarFolding.otherScript(scalar)
                push(folded, folded)
            }
        }
    }

    private mutating func push(_ scalar: UInt32, _ original: UInt32) {
        folded.append(scalar)
        plain.append(original)
    }

    private mutating func pushTwice(_ letters: StaticString) {
        letters.withUTF8Buffer { for byte in $0 { push(UInt32(byte), UInt32(byte)) } }
    }

    private mutating func pushSpace() {
        guard let last = folded.last, last != 0x20, last != 0x0A else { return }
        push(0x20, 0x20)
    }

    private mutating func pushLineFeed() {
        while folded.last == 0x20 {
            folded.removeLast()
            plain.removeLast()
        }
        guard let last = folded.last, last != 0x0A else { return }
        push(0x0A, 0x0A)
    }
}
