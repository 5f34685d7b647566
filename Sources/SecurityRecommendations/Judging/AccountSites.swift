// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CPSL

/// To which account system a service belongs.
public struct AccountSites: Sendable {
    private let groups: [String: Set<Int>]

    /// - Parameter groups: domains that share their accounts.
    public init(groups: [[String]] = []) {
        var numbers: [String: Set<Int>] = [:]
        for (number, domains) in groups.enumerated() {
            for domain in domains { numbers[AccountSite.site(of: domain.lowercased()), default: []].insert(number) }
        }
        self.groups = numbers
    }

    /// The account systems that an account of these sites belongs to.
    func systems(of sites: [String]) -> Set<AccountSite> {
        Set(sites.flatMap { site in groups[site].map { $0.map { .group($0) } } ?? [.site(site)] })
    }
}

/// One account system: a site, or several that share their accounts.
enum AccountSite: Hashable {
    case site(String)
    case group(Int)

    /// The host that a service names, in lower case. For comparing alone, never for deciding who may have what.
    static func host(of service: String) -> String {
        // By bytes, as all that divides an address is ASCII.
        var rest = Array(service.lowercased().utf8)[...]
        let mark = rest.indices.first { rest[$0...].starts(with: "://".utf8) }
        if let mark { rest = rest[(mark + 3)...] }
        rest = rest.prefix { !"/?#".utf8.contains($0) }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
        if let colon = rest.lastIndex(of: UInt8(ascii: ":")), rest.last != UInt8(ascii: "]") { rest = rest[..<colon] }
        return String(decoding: rest.last == UInt8(ascii: ".") ? rest.dropLast() : rest, as: UTF8.self)
    }

    /// The domain that was registered, or the host itself where there is none, as for an address of numbers.
    static func site(of host: String) -> String {
        let last = host.utf8.split(separator: UInt8(ascii: ".")).last ?? [][...]
        guard !last.isEmpty, !last.allSatisfy({ (0x30...0x39).contains($0) }), !host.hasSuffix("]") else { return host }
        // What is answered is a part of what was asked, and lives as long.
        return host.withCString { name in
            guard let list = psl_builtin(), let site = psl_registrable_domain(list, name) else { return host }
            return String(cString: site)
        }
    }
}
