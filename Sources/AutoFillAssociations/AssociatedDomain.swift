// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillMatching

/// One entry of an app's `com.apple.developer.associated-domains`: `webcredentials:shiny.example.com`,
/// `webcredentials:*.example.com`, `webcredentials:test.example.com?mode=developer`.
///
/// What an app states decides nothing; only the site's own file makes it an association.
public struct AssociatedDomain: Hashable, Sendable, CustomStringConvertible {
    /// What the app wants to do with the domain. Unknown services are values, and no business of AutoFill's.
    public struct Service: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Credentials shared between app and site: the one service that AutoFill looks at.
        public static let webCredentials = Service(rawValue: "webcredentials")
    }

    /// How the site's file is to be fetched, where the app states something special.
    public struct Mode: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// From the site itself, whatever its certificate; for apps under development.
        public static let developer = Mode(rawValue: 1)
        /// From the site itself, where the machine's administrator agreed.
        public static let managed = Mode(rawValue: 2)
    }

    public let service: Service
    /// The host that serves the file, in ASCII and lower case: what is named, or the parent of what a wildcard names.
    public let host: String
    /// Whether the entry names every host below `host`, and not `host` itself.
    public let isWildcard: Bool
    public let mode: Mode

    /// Reads an entry.
    ///
    /// - Throws: why it names no domain.
    public init(entry: String) throws(EntryRefusal) {
        guard entry.utf8.count <= 512 else { throw .tooLong }
        guard let colon = entry.firstIndex(of: ":") else { throw .noService }
        let service = entry[..<colon]
        guard !service.isEmpty, service.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { throw .noService }
        var rest = entry[entry.index(after: colon)...]
        var mode = Mode()
        if let question = rest.firstIndex(of: "?") {
            mode = try Self.mode(rest[rest.index(after: question)...])
            rest = rest[..<question]
        }
        var isWildcard = false
        if rest.hasPrefix("*") {
            guard rest.hasPrefix("*.") else { throw .wildcardInsideLabel }
            isWildcard = true
            rest = rest.dropFirst(2)
        }
        self.host = try Self.host(rest)
        self.service = Service(rawValue: String(service))
        self.isWildcard = isWildcard
        self.mode = mode
    }

    /// Reads what a person writes: a host, `*.host`, or a whole entry.
    public init(written text: String) throws(EntryRefusal) {
        let service = text.utf8.prefix { (0x61...0x7A).contains($0) }
        let isEntry = !service.isEmpty && text.utf8.dropFirst(service.count).first == UInt8(ascii: ":")
        try self.init(entry: isEntry ? text : "webcredentials:" + text)
    }

    /// The domain as an entry writes it, without service and mode: `shiny.example.com`, `*.example.com`.
    public var domain: String { isWildcard ? "*." + host : host }

    /// The entry, in its shortest spelling.
    public var description: String {
        let modes = [(Mode.developer, "developer"), (.managed, "managed")].filter { mode.contains($0.0) }.map(\.1)
        return service.rawValue + ":" + domain + (modes.isEmpty ? "" : "?mode=" + modes.joined(separator: "+"))
    }

    /// Whether the entry names a host, compared by label.
    ///
    /// - Parameter host: In ASCII and lower case, as an `Origin` has it.
    public func covers(host: String) -> Bool {
        guard isWildcard else { return host == self.host }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let parent = self.host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > parent.count && labels.suffix(parent.count).elementsEqual(parent)
    }

    private static func mode(_ query: Substring) throws(EntryRefusal) -> Mode {
        switch query {
        case "mode=developer": .developer
        case "mode=managed": .managed
        case "mode=developer+managed", "mode=managed+developer": [.developer, .managed]
        default: throw query.hasPrefix("mode=") ? .unknownMode : .query
        }
    }

    /// A fully qualified name and nothing around it. What `Origin` would tidy up is refused here: an entry that has to be
    /// tidied up is a mistake somebody wants to hear of.
    private static func host(_ text: Substring) throws(EntryRefusal) -> String {
        guard !text.isEmpty else { throw .noHost }
        if text.contains("/") || text.contains("\\") { throw .path }
        if text.contains("#") { throw .query }
        if text.contains("@") { throw .userInformation }
        if text.hasPrefix("[") { throw .address }
        if text.contains(":") { throw .port }
        if text.contains("*") { throw .wildcardInsideLabel }
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
        // Looked at before `Origin` does, which reads addresses in all their spellings.
        let last = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? text.utf8
        if !last.isEmpty, last.allSatisfy({ (0x30...0x39).contains($0) }) { throw .address }
        guard text.utf8.allSatisfy(isHostByte), !text.hasSuffix("."),
            let origin = Origin(scheme: .https, host: String(text))
        else { throw .noHostName }
        guard origin.host == text.lowercased() else { throw .noHostName }
        guard origin.host.utf8.contains(UInt8(ascii: ".")) else { throw .notFullyQualified }
        return origin.host
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension AssociatedDomain {
    /// Why an entry names no domain.
    public enum EntryRefusal: String, Error, Hashable, Sendable {
        case tooLong = "it is longer than 512 bytes"
        case noService = "it does not begin with a service and a colon, such as webcredentials:"
        case noHost = "it names no host"
        case path = "it names a path; only the host belongs here"
        case query = "it has a query or fragment that is not a mode"
        case unknownMode = "its mode is not developer, managed or developer+managed"
        case userInformation = "it holds a user name"
        case port = "it names a port; associated domains have none"
        case address = "it names an address; associated domains are names"
        case wildcardInsideLabel = "its wildcard is not *. in front of a whole domain"
        case publicSuffix = "its wildcard names the hosts of strangers (a public suffix)"
        case notASCII = "it is not ASCII; write international names as xn--"
        case noHostName = "its host is not a host name"
        case notFullyQualified = "its host is not fully qualified"
    }
}
