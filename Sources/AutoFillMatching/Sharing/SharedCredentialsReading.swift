// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillSecrets
internal import FoundationEssentials

/// Reads the files of Apple's password-manager-resources that say who shares accounts, and refuses what is not of their format.
enum SharedCredentialsReading {
    typealias Failure = SharedCredentials.Failure

    /// More than any set has: the largest group of today has 53 domains, the largest file 102 groups.
    private static let groupLimit = 20_000
    private static let domainLimit = 1_000

    static func groups(_ json: Data) throws(Failure) -> [SharedCredentials.Group] {
        let entries: [Entry] = try decoded(json, "an array of groups")
        guard entries.count <= groupLimit else { throw Failure(reason: "it has more than \(groupLimit) groups") }
        var groups: [SharedCredentials.Group] = []
        for (index, entry) in entries.enumerated() {
            let place = "group \(index + 1)"
            let group: SharedCredentials.Group
            switch (entry.shared, entry.from, entry.to) {
            case (let shared?, nil, nil):
                let domains = try domains(shared, place, atLeast: 2)
                group = .init(givers: domains, takers: domains)
            case (nil, let from?, let to?):
                group = .init(givers: try domains(from, place, atLeast: 1), takers: try domains(to, place, atLeast: 1))
            default:
                throw Failure(reason: "\(place) has to have either \"shared\" or both \"from\" and \"to\"")
            }
            if entry.isUnderstood { groups.append(group) }
        }
        return groups
    }

    static func appDomains(_ json: Data) throws(Failure) -> [String: [String]] {
        let entries: [String: [String]] = try decoded(json, "an object of arrays of domains")
        var found: [String: [String]] = [:]
        for (identifier, names) in entries {
            guard identifier.utf8.count <= 255, identifier.split(separator: ".").count >= 2,
                identifier.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw Failure(reason: "\(identifier.prefix(80).debugDescription) is not an app identifier") }
            found[identifier] = try domains(names, "app \(identifier)", atLeast: 1)
        }
        return found
    }

    static func embeddedServices(_ json: Data) throws(Failure) -> Set<String> {
        let names: [String] = try decoded(json, "an array of domains")
        return names.isEmpty ? [] : Set(try domains(names, "the list", atLeast: 1))
    }

    /// Domains in the form of `Origin.host`: of two labels at least, no addresses, each once.
    private static func domains(_ names: [String], _ place: String, atLeast: Int) throws(Failure) -> [String] {
        guard names.count <= domainLimit else { throw Failure(reason: "\(place) has more than \(domainLimit) domains") }
        var domains: [String] = []
        var known: Set<String> = []
        for name in names {
            // A domain is written as such: a URL, a port or user information would be read as something else some day.
            guard !name.contains(where: { "%:/@".contains($0) }), let host = Host(name), !host.isAddress,
                host.name.contains(".")
            else { throw Failure(reason: "\(place) has \(name.prefix(80).debugDescription), which is not a domain") }
            if known.insert(host.name).inserted { domains.append(host.name) }
        }
        guard domains.count >= atLeast else { throw Failure(reason: "\(place) has fewer than \(atLeast) domains") }
        return domains
    }

    private static func decoded<Value: Decodable>(_ json: Data, _ shape: String) throws(Failure) -> Value {
        do {
            return try BoundedJSON.decode(Value.self, from: json)
        } catch let error as DecodingError {
            let path: [any CodingKey] =
                switch error {
                case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                    .dataCorrupted(let context):
                    context.codingPath
                @unknown default: []
                }
            guard let first = path.first else {
                if case .dataCorrupted = error { throw Failure(reason: "it is not JSON") }
                throw Failure(reason: "it is not \(shape)")
            }
            let place = first.intValue.map { "group \($0 + 1)" } ?? first.stringValue.prefix(80).debugDescription
            throw Failure(reason: "\(place) is not of the format")
        } catch {
            throw Failure(reason: "it is not JSON")
        }
    }

    /// One group as it is written.
    private struct Entry: Decodable {
        let shared: [String]?
        let from: [String]?
        let to: [String]?
        let isUnderstood: Bool

        /// Any name that a member may have.
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            func domains(_ name: String) throws -> [String]? {
                let name = Name(stringValue: name)
                // A null is a member that is there and no array.
                return members.contains(name) ? try members.decode([String].self, forKey: name) : nil
            }
            shared = try domains("shared")
            from = try domains("from")
            to = try domains("to")
            // That they are given up changes nothing: what was saved for them goes to the new ones and never back.
            let obsoleted = Name(stringValue: "fromDomainsAreObsoleted")
            if members.contains(obsoleted) { _ = try members.decode(Bool.self, forKey: obsoleted) }
            let known: Set = ["shared", "from", "to", "fromDomainsAreObsoleted"]
            isUnderstood = members.allKeys.allSatisfy { known.contains($0.stringValue) }
        }
    }
}
