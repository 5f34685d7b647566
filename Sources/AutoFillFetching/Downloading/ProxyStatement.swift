// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// A proxy as the environment states it: `http://user:password@host:port`, or just `host:port`.
struct ProxyStatement: Equatable {
    let host: String
    let port: Int
    let user: String?
    let password: String?

    /// Nothing for what is no address, and for proxies that are spoken to in another way than plain HTTP's `CONNECT`.
    init?(_ text: String) {
        let whole = text.contains("://") ? text : "http://" + text
        guard let parts = URLComponents(string: whole), parts.scheme?.lowercased() == "http", let host = parts.host,
            !host.isEmpty
        else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? 80
        guard (1...65_535).contains(port) else { return nil }
        user = parts.user
        password = parts.password
    }

    /// Whether `no_proxy` lists a host: itself, a domain above it by whole labels, or `*`; each perhaps with a port.
    static func isExempt(host: String, port: UInt16, noProxy: String?) -> Bool {
        (noProxy ?? "").split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            var name = entry.lowercased()
            if name == "*" { return true }
            if !name.hasPrefix("["), let colon = name.lastIndex(of: ":"), name.firstIndex(of: ":") == colon {
                guard UInt16(name[name.index(after: colon)...]) == port else { return false }
                name = String(name[..<colon])
            }
            while name.hasPrefix(".") || name.hasPrefix("*.") { name.removeFirst() }
            return !name.isEmpty && (host == name || host.hasSuffix("." + name))
        }
    }
}
