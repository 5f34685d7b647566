// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
public import AutoFillMatching

/// Finds the page of a site where a password is changed: the site's own word first, then the list of password-manager-resources.
public struct ChangePasswordSearch: Sendable {
    /// Where the site itself says so ("A Well-Known URL for Changing Passwords", W3C).
    public static let path = "/.well-known/change-password"
    /// Four downloads that take all the time they have, and starting the process.
    private static let patience = Duration.seconds(60)

    private let ask: @Sendable (ChangePasswordFetch.Request) async throws -> ChangePasswordFetch.Answer
    private let quirks: SiteQuirks
    private let sites: Quirks

    /// - Parameters:
    ///   - process: asks the site.
    ///   - quirks: has the list.
    ///   - sites: which hosts are one site, or share their accounts.
    public init(process: FetchProcess, quirks: SiteQuirks, sites: Quirks) {
        self.init(quirks: quirks, sites: sites) { request in
            try await process.run(
                ChangePasswordFetch.job, JSONValue(encoding: request), patience: Self.patience
            ).decoded()
        }
    }

    init(
        quirks: SiteQuirks, sites: Quirks,
        ask: @escaping @Sendable (ChangePasswordFetch.Request) async throws -> ChangePasswordFetch.Answer
    ) {
        self.ask = ask
        self.quirks = quirks
        self.sites = sites
    }

    /// The page of an origin.
    ///
    /// - Throws: `refused` for an origin without encryption and for an address of another site; `notFound` where neither the site nor
    ///   the list has one.
    public func place(for origin: Origin) async throws -> ChangePasswordPlace {
        guard origin.scheme == .https else {
            throw WireError(
                .refused, "\(origin) is not encrypted: others on the network could read the new password.",
                reason: "the site is not https")
        }
        var reason = "the site cannot be asked"
        do {
            let answer = try await ask(.init(address: origin.description))
            if answer.isUsable { return .init(url: origin.description + Self.path, source: "site") }
            reason = answer.reason ?? "the site has no such page"
        } catch let error as WireError {
            reason = error.message
        }
        guard let address = quirks.changePasswordAddress(for: origin.host) else {
            throw WireError(
                .notFound, "\(origin.host) does not say where a password is changed (\(reason)).", reason: reason,
                hint: "Sign in there and look in the account's settings.")
        }
        guard let target = Origin(stated: String(address.prefix { $0 != "?" && $0 != "#" })), target.scheme == .https
        else {
            throw WireError(
                .refused, "The address that is listed for \(origin.host) is not an https address.", reason: "not https")
        }
        guard belongs(target.host, to: origin.host) else {
            throw WireError(
                .refused, "The page that is listed for \(origin.host) is one of another site, \(target.host).",
                reason: "another site", hint: "Where you know that they belong together: \(address)")
        }
        return .init(url: address, source: "quirks")
    }

    /// Whether two hosts are one site, or belong to sites that share their accounts.
    private func belongs(_ host: String, to other: String) -> Bool {
        if host == other || sites.suffixes.areSameSite(host, other) { return true }
        let domains = [host, other].map { sites.suffixes.registrableDomain(of: $0) ?? $0 }
        return sites.shared.domains.contains { group in
            let registered = group.map { sites.suffixes.registrableDomain(of: $0) ?? $0 }
            return domains.allSatisfy(registered.contains)
        }
    }
}
