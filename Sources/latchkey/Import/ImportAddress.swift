// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AutoFillCredentials
import AutoFillMatching
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
        // The row has a password and a user of its own.
        let written = WrittenService(text.trimmingSpaces)
        guard written.hostIsSure else { return .failure(Refusal(reason: "not a web address")) }
        let text = written.text
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

    /// The services of a field, and whether all of its addresses are among them.
    struct Found: Equatable {
        var services: [String]
        var isWhole = true
    }

    /// The service of a field with one address.
    static func only(_ text: String) -> Result<Found, Refusal> {
        service(text).map { Found(services: [$0]) }
    }

    /// All services of a field in which several addresses are joined by commas. An address may hold a comma itself, and whoever wrote
    /// its query or path must not name a service by it. So behind a query nothing begins anew, and a bare host only behind another.
    static func services(_ text: String) -> Result<Found, Refusal> {
        var parts: [String] = []
        var found = Found(services: [])
        for part in text.split(separator: ",").map(String.init) {
            let isNew = parts.last.map { beginsAddress(part.trimmingSpaces, behind: $0) } ?? true
            if isNew {
                parts.append(part)
            } else {
                parts[parts.endIndex - 1] += "," + part
                if part.contains("://") { found.isWhole = false }
            }
        }
        var refusal: Refusal?
        for part in parts {
            switch service(part) {
            case .success(let service): if !found.services.contains(service) { found.services.append(service) }
            case .failure(let reason):
                refusal = refusal ?? reason
                found.isWhole = false
            }
        }
        return found.services.isEmpty ? .failure(refusal ?? Refusal(reason: "no web address")) : .success(found)
    }

    /// A scheme behind an address without a query; or a host with a point behind one without a path.
    private static func beginsAddress(_ text: String, behind other: String) -> Bool {
        guard !other.contains("?"), !other.contains("#") else { return false }
        if let mark = text.firstRange(of: "://") { return text[..<mark.lowerBound].allSatisfy(\.isLetter) }
        guard !other.drop(while: { $0 != ":" }).dropFirst(3).contains("/"),
            other.contains("://") || !other.contains("/")
        else {
            return false
        }
        return text.prefix { !"/?#:".contains($0) }.contains(".") && isHost(text.prefix { !"/?#:".contains($0) })
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
            // A name in letters beyond ASCII, as people see it; what browsers ask for is its form in ASCII.
            guard !host.utf8.allSatisfy({ $0 < 0x80 }), let name = Origin(written: "https://\(host)")?.host,
                isHost(name[...])
            else { return refusal }
            return service(scheme: scheme, rest: (port.isEmpty ? name : "\(name):\(port)")[...])
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
