// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The texts that keys of authenticators come in.
enum KeyText {
    /// No key is longer, in bytes.
    static let keyLimit = 256

    /// Base32 of RFC 4648, section 6: in either case, with or without padding, spaces and hyphens between groups
    /// passed over. Nothing for
    /// any other text, and for an empty key.
    static func base32(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(keyLimit)
        var (bits, count, isPadded): (UInt32, UInt32, Bool) = (0, 0, false)
        for character in text {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character - UInt8(ascii: "2") + 26
            case UInt8(ascii: "="):
                isPadded = true
                continue
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            default: return wiped(&bytes)
            }
            guard !isPadded, bytes.count < keyLimit else { return wiped(&bytes) }
            bits = bits << 5 | UInt32(value)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Base64 of RFC 4648, section 4 or 5, with or without padding.
    static func base64(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count, isPadded): (UInt32, UInt32, Bool) = (0, 0, false)
        for character in text {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
            // A plus sign that a form's encoding made a space of.
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: " "): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="):
                isPadded = true
                continue
            default: return wiped(&bytes)
            }
            guard !isPadded else { return wiped(&bytes) }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= (1 << count) - 1
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Undoes percent-encoding; nothing where a percent sign is followed by anything but two hexadecimal digits.
    static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = value(text[index + 1]), let low = value(text[index + 2])
                else {
                    return wiped(&bytes)
                }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// Overwrites the bytes. Not inlined, so that the compiler has to take the writes for something that a caller sees.
    @inline(never)
    static func wipe(_ bytes: inout [UInt8]) {
        for index in bytes.indices { bytes[index] = 0 }
    }

    private static func wiped(_ bytes: inout [UInt8]) -> [UInt8]? {
        wipe(&bytes)
        return nil
    }
}
