// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Reads what a CSV has for a web address: `https://Shiny.Example.com/login` is the service `shiny.example.com`.
///
/// Only scheme, host and port are kept, because only they count when a page is matched.
enum ImportAddress {
    /// Why an address is of no use here.
    struct Refusal: Error, Equatable {
        let reason: String
    }

    static func service(_ text: String) -> Result<String, Refusal> {
        let text = text.trimmingSpaces
        guard !text.isEmpty else { return .failure(Refusal(reason: "no web address")) }
        guard let mark = text.firstRange(of: "://") else {
            // Bitwarden lets people write a bare host.
            return service(scheme: "https", rest: text[...])
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        switch scheme {
        case "http", "https": return service(scheme: scheme, rest: text[mark.upperBound...])
        case "android", "androidapp": return .failure(Refusal(reason: "belongs to an Android app"))
        case "iosapp": return .failure(Refusal(reason: "belongs to an iOS app"))
        default: return .failure(Refusal(reason: "not a web address"))
        }
    }

    /// All services of a field in which several addresses are joined by commas. An address may hold a comma itself; what is
    /// no address by itself is then left out, as long as something remains.
    static func services(_ text: String) -> Result<[String], Refusal> {
        var services: [String] = []
        var refusal: Refusal?
        for part in text.split(separator: ",") {
            switch service(String(part)) {
            case .success(let service): if !services.contains(service) { services.append(service) }
            case .failure(let reason): refusal = refusal ?? reason
            }
        }
        return services.isEmpty ? .failure(refusal ?? Refusal(reason: "no web address")) : .success(services)
    }

    private static func service(scheme: String, rest: Substring) -> Result<String, Refusal> {
        let refusal = Result<String, Refusal>.failure(Refusal(reason: "not a web address"))
        let authority = rest.prefix { !"/?#\\".contains($0) }.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return refusal }
        var host = authority[...]
        var port = ""
        let isLiteral = authority.hasPrefix("[")
        if let colon = authority.lastIndex(of: ":"), !isLiteral || authority[..<colon].hasSuffix("]") {
            host = authority[..<colon]
            port = String(authority[authority.index(after: colon)...])
            guard port.isEmpty || UInt16(port).map({ $0 > 0 }) == true else { return refusal }
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard isHost(host) else {
            let isForeign = !host.utf8.allSatisfy { $0 < 0x80 }
            return isForeign
                ? .failure(Refusal(reason: "the host is not written in ASCII (xn--…)")) : refusal
        }
        let isDefault = port.isEmpty || port == (scheme == "https" ? "443" : "80")
        let name = isDefault ? String(host) : "\(host):\(port)"
        // A host alone is https on its default port; everything else says what it is.
        return .success(scheme == "https" && isDefault ? name : "\(scheme)://\(name)")
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && host.count > 3 && !host.contains(" ") }
        guard (1...253).contains(host.utf8.count) else { return false }
        return host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
                }
        }
    }
}

extension String {
    /// Without white space at either end.
    fileprivate var trimmingSpaces: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
