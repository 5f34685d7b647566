// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A host, by name or address, and a port of it, as a client of a proxy or a user's file names them.
public struct HostAndPort: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, without brackets and without a dot at its end.
    public let host: String
    public let port: UInt16

    /// Reads `host:port` or `[address]:port`; `nil` for anything else, and for what is not a name.
    public init?(_ text: some StringProtocol, defaultPort: UInt16? = nil) {
        var host = Substring(text)
        var port: Substring?
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
            host = host[..<end].dropFirst()
            guard Self.isAddress(host, AF_INET6) else { return nil }
        } else if let colon = host.firstIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.split(separator: ".", omittingEmptySubsequences: false).contains("") else { return nil }
        // As the URL standard has it: a host whose last label is a number is an address. Another reader could take it for one.
        // Those in brackets have a colon, and were looked at above.
        if !host.utf8.contains(0x3A), let last = host.split(separator: ".").last, Self.isNumber(last),
            !Self.isAddress(host, AF_INET)
        {
            return nil
        }
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isOfAName), !host.hasPrefix("-") else {
            return nil
        }
        if let port {
            guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(port), number > 0
            else { return nil }
            self.port = number
        } else if let defaultPort {
            self.port = defaultPort
        } else {
            return nil
        }
        self.host = host.lowercased()
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether a text is an address in its standard form (inet_pton(3)).
    private static func isAddress(_ text: Substring, _ family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, String(text), &address) == 1
    }

    /// Whether a label is a number by the URL standard: digits, or hexadecimal ones behind "0x".
    private static func isNumber(_ label: Substring) -> Bool {
        if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        guard label.lowercased().hasPrefix("0x") else { return false }
        return label.utf8.dropFirst(2).allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
        }
    }

    private static func isOfAName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5F, 0x3A].contains(byte)
    }
}
