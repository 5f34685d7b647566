// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Where one sandboxed program may connect to, as `latchkey-net` is told on its standard input: a line for each statement.
public struct NetworkPolicy: Sendable, Equatable {
    /// The most bytes of its text.
    public static let maximumSize = 262_144

    /// The user's own HTTP proxy, and what it is told about who asks.
    public struct Proxy: Sendable, Equatable {
        public var place: HostAndPort
        /// `user:password` in Base64.
        public var authorization: String?

        public init(place: HostAndPort, authorization: String? = nil) {
            self.place = place
            self.authorization = authorization
        }

        /// Reads `http://[user[:password]@]host[:port][/]`, as the user's `fetch.json` has it; `nil` for another scheme.
        public init?(_ text: String) {
            var rest = Substring(text)
            if let scheme = rest.firstRange(of: "://") {
                guard rest[..<scheme.lowerBound].lowercased() == "http" else { return nil }
                rest = rest[scheme.upperBound...]
            }
            if let slash = rest.firstIndex(of: "/") { rest = rest[..<slash] }
            if let at = rest.lastIndex(of: "@") {
                guard let bytes = Base64.unescaped(rest[..<at]) else { return nil }
                authorization = Base64.encoded(bytes.contains(UInt8(ascii: ":")) ? bytes : bytes + [UInt8(ascii: ":")])
                rest = rest[rest.index(after: at)...]
            }
            guard let place = HostAndPort(rest, defaultPort: 80) else { return nil }
            self.place = place
        }
    }

    /// Whether hosts of the internet may be reached.
    public var internet = false
    /// Hosts and ports that may be reached wherever they are, because the user agreed to each by name.
    public var hosts: Set<HostAndPort> = []
    /// Where a host is really found, by the user's `fetch.json`.
    public var resolve: [HostAndPort: HostAndPort] = [:]
    public var proxy: Proxy?
    /// Whether the proxy is told names, also of hosts whose addresses are known here; some proxies let nothing else through.
    public var tellsProxyNames = false
    /// Hosts and domains that are reached without the proxy; `*` for all.
    public var noProxy: [String] = []

    public init() {}

    /// Adds the user's proxy, and what is reached without it. One that cannot be read is a proxy all the same: nothing is
    /// reached then.
    public mutating func takeProxy(_ text: String?, except exemptions: [String]) {
        if let text {
            // A proxy that is not understood must not mean: none.
            proxy = Proxy(text) ?? HostAndPort("unreadable.invalid:1").map { Proxy(place: $0) }
        }
        noProxy = exemptions.filter(Self.isExemption).map { $0.lowercased() }
    }

    /// Whether a text can name hosts that are reached without the proxy.
    public static func isExemption(_ text: String) -> Bool {
        text.utf8.count <= 255 && isPrintable(text) && !text.utf8.contains(UInt8(ascii: ","))
    }

    /// Whether a text has something in it, and nothing but printable ASCII without spaces. A carriage return at its end would
    /// make one character of itself and the line's end.
    private static func isPrintable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Adds what `fetch.json` says of where hosts are; what cannot be read says nothing.
    public mutating func takePlaces(_ places: [String: String]) {
        for (name, place) in places {
            if let name = HostAndPort(name), let place = HostAndPort(place) { resolve[name] = place }
        }
    }

    /// Whether the proxy is passed by: an exemption is the host itself, a domain above it by whole labels, or `*`; each
    /// perhaps with a port.
    public func isExempt(_ target: HostAndPort) -> Bool {
        noProxy.contains { entry in
            if entry == "*" { return true }
            var domain = entry[...]
            if !domain.hasPrefix("["), let colon = domain.lastIndex(of: ":"), domain.firstIndex(of: ":") == colon {
                guard UInt16(domain[domain.index(after: colon)...]) == target.port else { return false }
                domain = domain[..<colon]
            }
            while domain.hasPrefix(".") || domain.hasPrefix("*.") { domain = domain.dropFirst() }
            return !domain.isEmpty && (target.host == domain || target.host.hasSuffix("." + domain))
        }
    }

    // MARK: Text

    /// Reads a policy; `nil` where a line is not understood: half a policy is none.
    public init?(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            switch (words[0], words.count) {
            case ("internet", 1): internet = true
            case ("host", 2):
                guard let host = HostAndPort(words[1]) else { return nil }
                hosts.insert(host)
            case ("resolve", 3):
                guard let name = HostAndPort(words[1]), let place = HostAndPort(words[2]) else { return nil }
                resolve[name] = place
            case ("proxy", 2), ("proxy", 3):
                guard let place = HostAndPort(words[1]) else { return nil }
                let authorization = words.count == 3 ? String(words[2]) : nil
                guard authorization.map(Self.isPrintable) ?? true else { return nil }
                proxy = Proxy(place: place, authorization: authorization)
            case ("names", 1): tellsProxyNames = true
            case ("direct", 2):
                guard Self.isExemption(String(words[1])) else { return nil }
                noProxy.append(String(words[1]))
            default: return nil
            }
        }
    }

    public var text: String {
        var lines = internet ? ["internet"] : []
        lines += hosts.map { "host \($0)" }.sorted()
        lines += resolve.map { "resolve \($0.key) \($0.value)" }.sorted()
        if let proxy {
            lines.append(
                ["proxy", proxy.place.description, proxy.authorization].compactMap(\.self).joined(separator: " "))
        }
        if tellsProxyNames { lines.append("names") }
        lines += noProxy.map { "direct \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }
}
