// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A host as the URL standard's host parser leaves it for http and https: a domain in ASCII or an address in its plain spelling.
///
/// Stricter than the standard in what credentials have no use for: labels hold letters, digits, hyphens and underscores only, are
/// of 1 to 63 bytes, 253 together (longer names do not resolve); one trailing dot is taken away, since it names the same machine.
struct Host: Hashable, Sendable {
    /// In ASCII, lower case, without a trailing dot.
    let name: String

    init?(_ text: String) {
        self.init(bytes: Array(text.utf8)[...])
    }

    /// A name that is in its plain form already.
    init(unchecked name: String) {
        self.name = name
    }

    /// A domain that is in its plain form to begin with, as nearly all are: nothing would change it.
    init?(plain raw: some BidirectionalCollection<UInt8>) {
        var length = 0
        var first: UInt8 = 0
        var isHyphenated = false
        for byte in raw {
            if byte == UInt8(ascii: ".") {
                guard length > 0 else { return nil }
                length = 0
            } else {
                guard length < 63,
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
                else { return nil }
                if length == 0 { first = byte }
                // Perhaps `xn--`, which is for the whole reading to look into.
                if length == 3, first == UInt8(ascii: "x"), byte == 0x2D { isHyphenated = true }
                length += 1
            }
        }
        // What begins with a letter is not a number.
        guard length > 0, (0x61...0x7A).contains(first), !isHyphenated, raw.count <= 253 else { return nil }
        name = String(decoding: raw, as: UTF8.self)
    }

    init?(bytes raw: ArraySlice<UInt8>) {
        // 1. "[" begins an IPv6 address.
        if raw.first == UInt8(ascii: "[") {
            guard raw.count > 2, raw.last == UInt8(ascii: "]"),
                let address = IPv6Address(String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)[...])
            else { return nil }
            name = "[\(address)]"
            return
        }
        // 2. Percent-decoding, then the domain in ASCII.
        guard let decoded = Self.percentDecoded(raw), var ascii = Self.ascii(decoded) else { return nil }
        // 3. One trailing dot is the root's.
        if ascii.last == UInt8(ascii: ".") { ascii.removeLast() }
        guard (1...253).contains(ascii.count) else { return nil }
        // 4. What ends in a number is an IPv4 address or nothing.
        let labels = ascii.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if let last = labels.last, IPv4Address.isNumber(last) {
            guard let address = IPv4Address(labels: labels) else { return nil }
            name = address.description
            return
        }
        // 5. Forbidden code points, and more.
        guard labels.allSatisfy(Self.isLabel) else { return nil }
        name = String(decoding: ascii, as: UTF8.self)
    }

    /// Whether it is an address, of which no part is a label.
    var isAddress: Bool { name.utf8.first == UInt8(ascii: "[") || IPv4Address(plain: name) != nil }

    /// A private or link-local address, a name of `.local` or `.internal`, a single label.
    var isLocal: Bool {
        if let address = IPv4Address(plain: name) { return address.isLocal }
        if name.hasPrefix("[") { return IPv6Address(name.dropFirst().dropLast())?.isLocal ?? false }
        return !name.utf8.contains(UInt8(ascii: ".")) || name.hasSuffix(".local") || name.hasSuffix(".internal")
            || name.hasSuffix(".localhost") || name.hasSuffix(".home.arpa")
    }

    private static func percentDecoded(_ raw: ArraySlice<UInt8>) -> [UInt8]? {
        guard raw.contains(UInt8(ascii: "%")) else { return Array(raw) }
        var decoded: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            // A percent sign that is not an escape stays one in the standard, where it is forbidden a step later.
            guard rest.count >= 2, let high = digit(rest.removeFirst()), let low = digit(rest.removeFirst()) else {
                return nil
            }
            decoded.append(high << 4 | low)
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// The standard's "domain to ASCII", not strict: lower case alone where nothing else could change.
    private static func ascii(_ bytes: [UInt8]) -> [UInt8]? {
        var isPlain = true
        var lower = bytes
        for index in lower.indices {
            let byte = lower[index]
            if (0x41...0x5A).contains(byte) { lower[index] = byte | 0x20 }
            if byte >= 0x80 { isPlain = false }
        }
        if isPlain {
            let labels = lower.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            if !labels.contains(where: { $0.starts(with: [0x78, 0x6E, 0x2D, 0x2D]) }) { return lower }
        }
        return InternationalNames.ascii(bytes)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count)
            && label.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }
}
