// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension AuthenticatorLink {
    /// Writes the link of an account and its key: what `read` made of one link is written in one way, however the link was
    /// written. What is as usual (SHA-1, 6 digits, 30 seconds) is left out.
    ///
    /// - Returns: the link, which is the caller's to wipe; nothing where codes follow a counter, which a link that is kept
    ///   does not.
    public static func write(_ entry: AuthenticatorEntry, key: UnsafeRawBufferPointer) -> [UInt8]? {
        guard case .period(let period) = entry.generator.movement else { return nil }
        // The label's account may hold a colon only where an issuer stands before it.
        let issuer = entry.issuer ?? ""
        var link: [UInt8] = []
        link.reserveCapacity(1024)
        link += "otpauth://totp/".utf8
        if entry.issuer != nil || entry.account.utf8.contains(UInt8(ascii: ":")) {
            append(issuer, to: &link)
            link.append(UInt8(ascii: ":"))
        }
        append(entry.account, to: &link)
        link += "?secret=".utf8
        KeyText.appendBase32(key, to: &link)
        if entry.issuer != nil {
            link += "&issuer=".utf8
            append(issuer, to: &link)
        }
        if entry.generator.hash != .sha1 { link += "&algorithm=\(entry.generator.hash.rawValue)".utf8 }
        switch entry.generator.alphabet {
        case .digits(6): break
        case .digits(let count): link += "&digits=\(count)".utf8
        case .steam: link += "&encoder=steam".utf8
        }
        if period != 30 { link += "&period=\(period)".utf8 }
        return link
    }

    /// Percent-encodes all but the unreserved characters of RFC 3986, 2.3.
    private static func append(_ text: String, to link: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                link.append(byte)
            default: link += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

extension KeyText {
    /// Base32 of RFC 4648, section 6, without padding.
    static func appendBase32(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
                bits &= (1 << count) - 1
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
    }
}
