// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import struct FoundationEssentials.Data

/// Which sites share their accounts, as files in the format of Apple's password-manager-resources say.
///
/// A look-up seeks one dictionary entry for each label of a host, however many groups there are.
public struct SharedCredentials: Sendable {
    /// Why a file is not believed: one sentence that names the place.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let reason: String

        public var description: String { reason }
    }

    /// What a domain does in a group.
    enum Role: Sendable {
        /// It gives what was saved for it, and takes what was saved for the others.
        case shared
        /// It gives only.
        case from
        /// It takes only.
        case to

        var gives: Bool { self != .to }
        var takes: Bool { self != .from }
    }

    struct Group: Hashable, Sendable {
        /// Domains that give.
        var givers: [String]
        /// Domains that take.
        var takers: [String]
    }

    struct Membership: Hashable, Sendable {
        let group: Int
        let role: Role
    }

    /// How many domains one page's groups are asked for at most: so many index words are looked up.
    static let domainLimit = 256

    /// Nobody shares anything.
    public static let empty = SharedCredentials()

    /// The domains that each app identifier (`PREFIX.com.example.app`) is entitled to.
    public internal(set) var appDomains: [String: [String]] = [:]

    var groups: [Group] = []
    var memberships: [String: [Membership]] = [:]
    var embeddedServices: Set<String> = []

    /// The domains of each group, whichever way they share.
    public var domains: [[String]] { groups.map { Set($0.givers + $0.takers).sorted() } }

    private init() {}

    /// Reads `shared-credentials.json` and, where they are there, the files that go with it.
    ///
    /// - Parameters:
    ///   - appDomains: `apple-appIDs-to-domains-shared-credentials.json`.
    ///   - embeddedServices: `websites-that-ask-for-credentials-for-other-services-when-embedded-as-third-party.json`.
    /// - Throws: For anything that is not of the format. A group with members that are not known, which may restrict it, is left out.
    public init(json: Data, appDomains: Data? = nil, embeddedServices: Data? = nil) throws(Failure) {
        for group in try SharedCredentialsReading.groups(json) { add(group) }
        if let appDomains { try read(appDomains: appDomains) }
        if let embeddedServices { try read(embeddedServices: embeddedServices) }
    }

    mutating func read(appDomains json: Data) throws(Failure) {
        appDomains = try SharedCredentialsReading.appDomains(json)
    }

    mutating func read(embeddedServices json: Data) throws(Failure) {
        embeddedServices = try SharedCredentialsReading.embeddedServices(json)
    }

    /// How many groups there are.
    public var count: Int { groups.count }

    /// Whether what was saved for one host may be offered on another, since their sites share accounts.
    public func shares(savedFor saved: String, with page: String, suffixes: PublicSuffixes) -> Bool {
        if groups.isEmpty { return false }
        let takers = memberships(of: page, suffixes).filter(\.role.takes)
        if takers.isEmpty { return false }
        return memberships(of: saved, suffixes).contains { giver in
            giver.role.gives && takers.contains { $0.group == giver.group }
        }
    }

    /// The domains whose credentials may be offered on a host; empty where it is in no group. At most 256.
    public func domains(sharingWith page: String, suffixes: PublicSuffixes) -> [String] {
        let givers = memberships(of: page, suffixes).filter(\.role.takes).flatMap { groups[$0.group].givers }
        return Array(givers.prefix(Self.domainLimit))
    }

    /// Whether a site is known to ask for credentials of others when it is embedded in theirs: what is typed there is not its own.
    public func asksForOtherServices(_ host: String) -> Bool {
        !embeddedServices.isEmpty && Self.names(covering: host).contains { embeddedServices.contains(String($0)) }
    }

    private mutating func add(_ group: Group) {
        let number = groups.count
        groups.append(group)
        for domain in Set(group.givers).union(group.takers) {
            let role: Role =
                !group.takers.contains(domain) ? .from : !group.givers.contains(domain) ? .to : .shared
            memberships[domain, default: []].append(Membership(group: number, role: role))
        }
    }

    /// In which groups a host is: its own entries and those of the domains above it. A domain
    /// covers what is below it and of its own site: nothing below a public suffix.
    private func memberships(of host: String, _ suffixes: PublicSuffixes) -> [Membership] {
        if memberships.isEmpty { return [] }
        var found: [Membership] = []
        for name in Self.names(covering: host) {
            guard let entries = memberships[String(name)],
                name.count == host.utf8.count || suffixes.areSameSite(String(name), host)
            else { continue }
            found += entries
        }
        return found
    }

    /// A host and the domains above it down to two labels; an address has none.
    private static func names(covering host: String) -> [Substring] {
        guard !Host(unchecked: host).isAddress else { return [] }
        var names: [Substring] = []
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            names.append(rest)
            rest = rest[rest.index(after: dot)...]
        }
        return names
    }
}
