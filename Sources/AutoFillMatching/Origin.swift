// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A tuple origin of the HTML standard: scheme, host and port.
///
/// Only what a credential can be saved for is representable: http and https with a host. Everything else (opaque
/// origins, `about:`, `data:`, `file:`, a host this parser does not understand) parses to nothing, and nothing matches.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    public let scheme: Scheme
    /// In ASCII, lower case, without a trailing dot.
    public let host: String
    public let port: UInt16

    public init?(scheme: Scheme, host: String, port: UInt16? = nil) {
        guard let host = Self.canonicalHost(host[...]) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
    }

    /// Reads the origin of a URL. User information, which exists to confuse, makes it unreadable.
    public init?(url text: String) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
            let scheme = Scheme(rawValue: text[..<colon].lowercased())
        else { return nil }
        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { !"/?#\\".contains($0) }
        guard !authority.contains("@"), !rest.dropFirst(authority.count).hasPrefix("\\") else { return nil }
        var host = authority
        var port = scheme.defaultPort
        let portColon =
            authority.hasPrefix("[")
            ? authority.lastIndex(of: "]").map { authority.index(after: $0) } : authority.lastIndex(of: ":")
        if let portColon, portColon < authority.endIndex {
            guard authority[portColon] == ":" else { return nil }
            let digits = authority[authority.index(after: portColon)...]
            if !digits.isEmpty {
                guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0
                else { return nil }
                port = number
            }
            host = authority[..<portColon]
        }
        self.init(scheme: scheme, host: String(host), port: port)
    }

    /// Reads what a person or a provider writes for a service: a URL, or a host (with a port, perhaps), which is https.
    public init?(written text: String) {
        self.init(url: text.contains("://") ? text : "https://" + text)
    }

    /// Whether a document of this origin counts as delivered securely (W3C Secure Contexts, 3.1).
    public var isPotentiallyTrustworthy: Bool {
        scheme == .https || host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && Self.isAddress(host.split(separator: ".")))
    }

    /// The origin as the HTML standard serialises it.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
    }

    /// The shortest text that `init(written:)` reads back to this origin.
    public var written: String {
        scheme == .https ? (port == 443 ? host : "\(host):\(port)") : description
    }

    private static func canonicalHost(_ raw: Substring) -> String? {
        // Checked before `lowercased()`, which makes ASCII of some that is not (the Kelvin sign becomes a k).
        guard raw.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var host = raw.lowercased()
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), let address = IPv6Address(host.dropFirst().dropLast()) else { return nil }
            return "[\(address)]"
        }
        if host.hasSuffix(".") { host.removeLast() }
        guard (1...253).contains(host.utf8.count) else { return nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return nil }
        // A host whose last label is a number is an IPv4 address in some spelling: only the plain one is understood.
        if let last = labels.last, isNumber(last) || last.hasPrefix("0x") {
            guard isAddress(labels) else { return nil }
        }
        return host
    }

    /// Whether labels are an IPv4 address in its plain spelling.
    private static func isAddress(_ labels: [Substring]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { isNumber($0) && UInt8($0) != nil && ($0 == "0" || !$0.hasPrefix("0")) }
    }

    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }
}
