// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An IPv6 address, so that two spellings of one address are one host.
struct IPv6Address: Hashable, CustomStringConvertible {
    private let pieces: [UInt16]

    /// Reads any spelling of RFC 4291, section 2.2, without a zone; nothing for anything else.
    init?(_ text: Substring) {
        var address = in6_addr()
        // C would end the text there.
        guard !text.utf8.contains(0) else { return nil }
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        pieces = withUnsafeBytes(of: &address) { bytes in
            (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
        }
    }

    /// This machine, unique local (RFC 4193) and link-local addresses, unspecified, and IPv4 addresses of that kind (RFC 4291,
    /// section 2.5.5).
    var isLocal: Bool {
        if pieces[0] & 0xFE00 == 0xFC00 || pieces[0] & 0xFFC0 == 0xFE80 { return true }
        guard pieces[..<5].allSatisfy({ $0 == 0 }), pieces[5] == 0 || pieces[5] == 0xFFFF else { return false }
        let address = IPv4Address(value: UInt32(pieces[6]) << 16 | UInt32(pieces[7]))
        return pieces[5] == 0 ? address.value <= 1 : address.isLocal
    }

    /// The spelling of the URL standard's IPv6 serializer, which is what browsers state.
    var description: String {
        // 1. The first longest run of zeros, if it has more than one, is left out.
        var run = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || pieces[index] != 0 {
            if index - start > max(run.count, 1) { run = start..<index }
            start = index + 1
        }
        // 2. The rest in lower-case hexadecimal without leading zeros.
        func text(_ range: Range<Int>) -> String {
            pieces[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return run.isEmpty ? text(0..<8) : "\(text(0..<run.lowerBound))::\(text(run.upperBound..<8))"
    }
}
