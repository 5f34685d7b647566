// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A tuple origin of the HTML standard: scheme, host and port.
///
/// Only what a credential can be saved for is representable: http and https with a host. Everything else (opaque
/// origins, `about:`, `data:`, `blob:`, `file:`, a host that no machine can have) reads as nothing, and nothing matches.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The schemes that have origins here.
    public enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .https ? 443 : 80 }
    }

    public let scheme: Scheme
    /// In ASCII, lower case, without a trailing dot; addresses in their plain spelling, those of IPv6 in brackets.
    public let host: String
    public let port: UInt16

    init(scheme: Scheme, host: Host, port: UInt16?) {
        self.scheme = scheme
        self.host = host.name
        self.port = port ?? scheme.defaultPort
    }

    /// Reads a host as a browser reads it (`Host`).
    public init?(scheme: Scheme, host: String, port: UInt16? = nil) {
        guard let host = Host(host) else { return nil }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// Reads the origin of a URL as a browser reads it, see `URLReading`: user information is not part of an origin.
    public init?(url text: String) {
        if text.hasPrefix("https://"), let host = Host(plain: text.utf8.dropFirst(8).prefix { $0 != 0x2F }) {
            self.init(scheme: .https, host: host, port: nil)
            return
        }
        guard let reading = URLReading(text) else { return nil }
        self.init(scheme: reading.scheme, host: reading.host, port: reading.port)
    }

    /// Reads an origin that a browser states. Browsers state them plainly, so what only a tolerant reading would accept was not
    /// stated by one.
    public init?(stated text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x40 && $0 != 0x5C && $0 != 0x25 }),
            text.contains("://")
        else { return nil }
        self.init(url: text)
    }

    /// Reads what a person or a provider writes for a service: a URL, or a host (with a port, perhaps), which is https.
    public init?(written text: String) {
        if let host = Host(plain: text.utf8) {
            self.init(scheme: .https, host: host, port: nil)
            return
        }
        if URLReading.namesScheme(text) {
            self.init(url: text)
        } else {
            // Without a scheme it is a host; what stands before an "@" then is more likely half of a mail address.
            guard !text.utf8.prefix(while: { $0 != 0x2F && $0 != 0x5C && $0 != 0x3F && $0 != 0x23 }).contains(0x40)
            else { return nil }
            let first = text.unicodeScalars.first { $0.value > 0x20 }
            guard first != "/", first != "\\" else { return nil }
            let host = Substring(text.unicodeScalars.drop { $0.value <= 0x20 })
            self.init(url: "https://" + host)
        }
    }

    /// Whether a document of this origin counts as delivered securely (W3C Secure Contexts, 3.1).
    public var isPotentiallyTrustworthy: Bool {
        scheme == .https || host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (host.hasPrefix("127.") && IPv4Address(plain: host) != nil)
    }

    /// Whether the host is one of a local network: a private or link-local address, a name of `.local` or `.internal`, a
    /// single label.
    public var isLocal: Bool { Host(unchecked: host).isLocal }

    /// The origin as the HTML standard serialises it.
    public var description: String {
        port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
    }

    /// The shortest text that `init(written:)` reads back to this origin.
    public var written: String {
        guard scheme == .https else { return description }
        guard port != scheme.defaultPort else { return host }
        let short = "\(host):\(port)"
        // A host may have the name of a scheme, and a port makes it look like one.
        return URLReading.namesScheme(short) ? description : short
    }
}
