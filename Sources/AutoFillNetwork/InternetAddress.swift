// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address, as the bytes that are connected to; how it was spelled no longer counts.
public struct InternetAddress: Hashable, Sendable {
    /// Four bytes, or sixteen.
    public let bytes: [UInt8]

    /// Takes an address in network order; `nil` for anything but 4 or 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    public var isIPv4: Bool { bytes.count == 4 }

    /// Whether the first `length` bits are those of another address of the same kind.
    public func shares(_ length: Int, bitsWith other: InternetAddress) -> Bool {
        guard bytes.count == other.bytes.count, (0...bytes.count * 8).contains(length) else { return false }
        let whole = length / 8
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        let rest = length % 8
        return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> UInt8(8 - rest) == 0
    }

    /// The IPv4 address that an IPv6 address stands for: mapped (`::ffff:0:0/96`, which the kernel connects to by IPv4), or
    /// translated by the network's NAT64 (`64:ff9b::/96`, RFC 6052).
    public var embedded: InternetAddress? {
        guard !isIPv4 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        let translated: [UInt8] = [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        guard bytes[..<12] == mapped[...] || bytes[..<12] == translated[...] else { return nil }
        return InternetAddress(bytes: Array(bytes[12...]))
    }

    /// Whether it is one of the internet's: none of this computer, of a network around it, of many, or of a use of its own
    /// (the special-purpose registries of IANA).
    public var isOfTheInternet: Bool {
        if let embedded { return embedded.isOfTheInternet }
        if isIPv4 { return !Self.specialIPv4.contains { shares($0.length, bitsWith: $0.address) } }
        // Of IPv6 only 2000::/3 is handed out; loopback, unspecified, unique local, link-local, site-local, multicast, the
        // compatible form of IPv4 and the local NAT64 prefix lie outside of it.
        guard bytes[0] >> 5 == 0b001, !Self.specialIPv6.contains(where: { shares($0.length, bitsWith: $0.address) })
        else { return false }
        // ISATAP (RFC 5214): an IPv4 address of the site behind an interface identifier.
        return !(bytes[8] & 0xFD == 0 && Array(bytes[9..<12]) == [0x00, 0x5E, 0xFE])
    }

    private typealias Prefix = (address: InternetAddress, length: Int)

    private static func prefixes(of size: Int, _ list: [([UInt8], Int)]) -> [Prefix] {
        list.compactMap { bytes, length in
            InternetAddress(bytes: bytes + [UInt8](repeating: 0, count: size - bytes.count)).map { ($0, length) }
        }
    }

    private static let specialIPv4: [Prefix] = prefixes(
        of: 4,
        [
            ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
            ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
            ([203, 0, 113], 24), ([224], 4), ([240], 4),
        ])

    /// Protocol assignments (Teredo among them), documentation, 6to4, documentation.
    private static let specialIPv6: [Prefix] = prefixes(
        of: 16,
        [
            ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF], 20),
        ])
}
