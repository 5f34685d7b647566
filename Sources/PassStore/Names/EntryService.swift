// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What an entry is for: a scheme, a host, a port.
///
/// Reads what people write into names and `url:` lines, and nothing that would have to be guessed: user information,
/// other schemes, and hosts that are not in ASCII (write their `xn--` form) are no service.
public struct EntryService: Hashable, Sendable {
    /// Whether it was saved for a connection that is not encrypted.
    public let isPlain: Bool
    /// In lower case.
    public let host: String
    /// Nothing for the usual one of the scheme.
    public let port: UInt16?

    /// Reads the name of a file or folder: a host with a dot in it or `localhost`, and a port perhaps.
    public init?(name: String) {
        guard let (host, port) = Self.authority(name[...]), Self.readsAsHost(host) else { return nil }
        self.init(isPlain: false, host: host, port: port)
    }

    /// Reads the value of a `url:` line: a URL of http or https, or a host.
    public init?(line: String) {
        guard let end = line.firstRange(of: "://") else {
            let authority = line.prefix { !"/?#".contains($0) }
            guard let service = EntryService(name: String(authority)) else { return nil }
            self = service
            return
        }
        let scheme = line[..<end.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = line[end.upperBound...]
        let authority = rest.prefix { !"/?#\\".contains($0) }
        // Browsers read a backslash as a slash, others as part of the host: nobody knows where this one leads.
        guard !rest.dropFirst(authority.count).hasPrefix("\\"), let (host, port) = Self.authority(authority) else {
            return nil
        }
        self.init(isPlain: scheme == "http", host: host, port: port)
    }

    private init(isPlain: Bool, host: String, port: UInt16?) {
        self.isPlain = isPlain
        self.host = host
        self.port = port == (isPlain ? 80 : 443) ? nil : port
    }

    /// Whether it has to be told as a URL; otherwise it is a domain.
    public var isURL: Bool { isPlain || port != nil }

    /// The domain or the URL.
    public var text: String { isURL ? (isPlain ? "http://" : "https://") + name : host }

    /// The host and the port, as a file is named.
    public var name: String { port.map { "\(host):\($0)" } ?? host }

    /// Whether this host is below the other one (or is it), label by label.
    func isWithin(_ other: EntryService) -> Bool { host == other.host || host.hasSuffix("." + other.host) }

    private static func authority(_ text: Substring) -> (host: String, port: UInt16?)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, isHost(host) else { return nil }
        guard parts.count == 2 else { return (host.lowercased(), nil) }
        guard parts[1].utf8.allSatisfy(isDigit), let port = UInt16(parts[1]), port > 0 else { return nil }
        return (host.lowercased(), port)
    }

    /// Labels of letters, digits, hyphens and underscores; a last label that is a number only in a plain IPv4 address.
    private static func isHost(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...253).contains(text.utf8.count), labels.allSatisfy(isLabel), let last = labels.last else {
            return false
        }
        guard last.utf8.allSatisfy(isDigit) else { return true }
        return labels.count == 4
            && labels.allSatisfy { label in
                label.utf8.allSatisfy(isDigit) && UInt8(label) != nil && (label == "0" || !label.hasPrefix("0"))
            }
    }

    /// A name without a dot is a user or a folder, not a host.
    private static func readsAsHost(_ host: String) -> Bool {
        if host == "localhost" { return true }
        let labels = host.split(separator: ".")
        guard labels.count > 1, let last = labels.last else { return false }
        return last.utf8.count > 1 || last.utf8.allSatisfy(isDigit)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
