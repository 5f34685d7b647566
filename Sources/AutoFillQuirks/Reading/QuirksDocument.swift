// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import AutoFillMatching

/// A JSON file of a set, read and checked: everything in it has exactly the shape that its publisher documents.
///
/// It is printed anew from what was understood (hosts in lower case, members sorted), so that nothing else of what came gets any
/// further. A member that is not known is refused rather than left out: whoever adds one may mean to narrow what the others say.
public struct QuirksDocument: Equatable, Sendable {
    /// The content, normalised.
    public let value: JSONValue
    /// How many groups, domains or apps it speaks of.
    public let entries: Int

    /// Reads a file.
    ///
    /// - Throws: `QuirksFault`, the first thing that is not right.
    public init(_ bytes: some Collection<UInt8>, of file: QuirksFile) throws(QuirksFault) {
        guard bytes.count <= file.maximumSize else { throw QuirksFault("it is larger than \(file.maximumSize) bytes") }
        let value: JSONValue
        do {
            value = try JSONValue(readingText: bytes)
        } catch {
            throw QuirksFault(error.message)
        }
        switch file {
        case .sharedCredentials, .historicalCredentials: self = try Self.groups(value)
        case .appDomains: self = try Self.apps(value)
        case .embeddedServices, .appendedCodes: self = try Self.hosts(value)
        case .passwordRules: self = try Self.rules(value)
        case .changePassword: self = try Self.addresses(value)
        case .suffixes: throw QuirksFault("it is not JSON")
        }
    }

    private init(_ value: JSONValue, _ entries: Int) throws(QuirksFault) {
        // A file that says nothing is a fault of whoever serves it; it would take away all that is known.
        guard entries > 0 else { throw QuirksFault("it is empty") }
        self.value = value
        self.entries = entries
    }

    // MARK: Shapes

    /// `[{"shared": [host…]} | {"from": [host…], "to": [host…], "fromDomainsAreObsoleted": bool?}…]`
    private static func groups(_ value: JSONValue) throws(QuirksFault) -> QuirksDocument {
        var groups: [JSONValue] = []
        for (index, element) in try array(value, "it").enumerated() {
            let place = "group \(index + 1)"
            let members = try object(element, place)
            var group: [String: JSONValue] = [:]
            switch Set(members.keys) {
            case ["shared"]:
                group["shared"] = try hosts(members["shared"], "\(place), shared", atLeast: 2)
            case ["from", "to"], ["from", "to", "fromDomainsAreObsoleted"]:
                group["from"] = try hosts(members["from"], "\(place), from", atLeast: 1)
                group["to"] = try hosts(members["to"], "\(place), to", atLeast: 1)
                if let flag = members["fromDomainsAreObsoleted"] {
                    group["fromDomainsAreObsoleted"] = try bool(flag, "\(place), fromDomainsAreObsoleted")
                }
            default:
                throw QuirksFault("\(place) has neither shared alone nor from and to: \(names(members))")
            }
            groups.append(.object(group))
        }
        return try QuirksDocument(.array(groups), groups.count)
    }

    /// `{"PREFIX.com.example.app": [host…]…}`
    private static func apps(_ value: JSONValue) throws(QuirksFault) -> QuirksDocument {
        var apps: [String: JSONValue] = [:]
        for (app, domains) in try object(value, "it") {
            guard (3...255).contains(app.utf8.count), app.contains("."),
                app.utf8.allSatisfy({ byte in
                    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                        || isLetterOrDigit(byte)
                })
            else { throw QuirksFault("\(QuirksFault.quoted(app)) is not an identifier of an app") }
            apps[app] = try hosts(domains, app, atLeast: 1)
        }
        return try QuirksDocument(.object(apps), apps.count)
    }

    /// `[host…]`
    private static func hosts(_ value: JSONValue) throws(QuirksFault) -> QuirksDocument {
        let list = try hosts(value, "it", atLeast: 1, atMost: maximumEntries)
        guard case .array(let elements) = list else { throw QuirksFault("it is not a list") }
        return try QuirksDocument(list, elements.count)
    }

    /// `{host: {"password-rules": text, "exact-domain-match-only": bool?}…}`
    private static func rules(_ value: JSONValue) throws(QuirksFault) -> QuirksDocument {
        var rules: [String: JSONValue] = [:]
        for (name, element) in try object(value, "it") {
            let host = try host(name, "a domain")
            var members = try object(element, host)
            guard case .string(let text) = members.removeValue(forKey: "password-rules"), isReadable(text)
            else { throw QuirksFault("\(host) has no password-rules of 1,024 visible characters at most") }
            var rule: [String: JSONValue] = ["password-rules": .string(text)]
            if let flag = members.removeValue(forKey: "exact-domain-match-only") {
                rule["exact-domain-match-only"] = try bool(flag, "\(host), exact-domain-match-only")
            }
            guard members.isEmpty else { throw QuirksFault("\(host) has an unknown member: \(names(members))") }
            guard rules.updateValue(.object(rule), forKey: host) == nil else { throw twice(host) }
        }
        return try QuirksDocument(.object(rules), rules.count)
    }

    /// `{host: "https://…"…}`
    private static func addresses(_ value: JSONValue) throws(QuirksFault) -> QuirksDocument {
        var addresses: [String: JSONValue] = [:]
        for (name, element) in try object(value, "it") {
            let host = try host(name, "a domain")
            guard case .string(let text) = element, isPlain(text, atMost: 2_048), !text.contains(" "),
                isPlainHTTPS(text)
            else { throw QuirksFault("\(host) has no https address") }
            guard addresses.updateValue(.string(text), forKey: host) == nil else { throw twice(host) }
        }
        return try QuirksDocument(.object(addresses), addresses.count)
    }
}

extension QuirksDocument {
    private static let maximumEntries = 50_000
    private static let maximumDomains = 1_000

    private static func array(_ value: JSONValue, _ place: String) throws(QuirksFault) -> [JSONValue] {
        guard case .array(let elements) = value else { throw QuirksFault("\(place) is not a list") }
        guard elements.count <= maximumEntries else {
            throw QuirksFault("\(place) has more than \(maximumEntries) entries")
        }
        return elements
    }

    private static func object(_ value: JSONValue, _ place: String) throws(QuirksFault) -> [String: JSONValue] {
        guard case .object(let members) = value else { throw QuirksFault("\(place) is not an object") }
        guard members.count <= maximumEntries else {
            throw QuirksFault("\(place) has more than \(maximumEntries) entries")
        }
        return members
    }

    private static func bool(_ value: JSONValue, _ place: String) throws(QuirksFault) -> JSONValue {
        guard case .bool = value else { throw QuirksFault("\(place) is neither true nor false") }
        return value
    }

    private static func hosts(
        _ value: JSONValue?, _ place: String, atLeast least: Int, atMost most: Int = maximumDomains
    ) throws(QuirksFault) -> JSONValue {
        guard case .array(let elements)? = value else { throw QuirksFault("\(place) is not a list of domains") }
        guard elements.count >= least else { throw QuirksFault("\(place) has fewer than \(least) domains") }
        guard elements.count <= most else {
            throw QuirksFault("\(place) has more than \(most) domains")
        }
        var seen: Set<String> = []
        var list: [JSONValue] = []
        for element in elements {
            guard case .string(let text) = element else {
                throw QuirksFault("\(place) holds something that is not text")
            }
            let host = try host(text, place)
            guard seen.insert(host).inserted else { throw twice(host) }
            list.append(.string(host))
        }
        return .array(list)
    }

    /// A name that a site in the world could have: two labels or more, the last one no number.
    private static func host(_ text: String, _ place: String) throws(QuirksFault) -> String {
        let fault = QuirksFault("\(place): \(QuirksFault.quoted(text)) is not a domain")
        guard text.utf8.count <= 253, text.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x2E || isLetterOrDigit($0) }),
            !text.hasSuffix("."), let origin = Origin(scheme: .https, host: text)
        else { throw fault }
        let labels = origin.host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.utf8.contains(where: { (0x61...0x7A).contains($0) }),
            labels.allSatisfy({ !$0.hasPrefix("-") && !$0.hasSuffix("-") }), origin.host == text.lowercased()
        else { throw fault }
        return origin.host
    }

    private static func twice(_ host: String) -> QuirksFault {
        QuirksFault("\(host) stands there twice")
    }

    private static func names(_ members: [String: JSONValue]) -> String {
        members.keys.sorted().prefix(4).map(QuirksFault.quoted).joined(separator: ", ")
    }

    private static func isPlain(_ text: String, atMost count: Int) -> Bool {
        (1...count).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether an address is https and its authority plainly written: no user information, nothing that only tolerance reads.
    private static func isPlainHTTPS(_ text: String) -> Bool {
        guard text.prefix(8).lowercased() == "https://", !text.contains("\\") else { return false }
        let authority = text.dropFirst(8).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && Origin(stated: "https://" + authority) != nil
    }

    /// Rules may name characters of any script, but nothing that cannot be seen.
    private static func isReadable(_ text: String) -> Bool {
        (1...1_024).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
