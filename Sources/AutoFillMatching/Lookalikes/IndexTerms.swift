// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// The words under which a service is indexed and a document looks for it, before any of them is blinded.
///
/// Two services that may ever match share a word; sharing a word decides nothing, `MatchPolicy` does.
public struct IndexTerms: Sendable {
    public let suffixes: PublicSuffixes
    /// Who shares with whom: no word of an index depends on it, only which words a page looks for.
    public let shared: SharedCredentials

    public init(suffixes: PublicSuffixes, shared: SharedCredentials) {
        self.suffixes = suffixes
        self.shared = shared
    }

    public init(_ quirks: Quirks) {
        self.init(suffixes: quirks.suffixes, shared: quirks.shared)
    }

    /// What an index was made with: another value means that all its words are to be made anew.
    public var version: String { "2 " + suffixes.version }

    /// The words under which a service is indexed.
    public func terms(for service: ServiceIdentifier) -> [String] {
        switch service.kind {
        case .domain, .url:
            guard let origin = Origin(written: service.value) else { return [] }
            return words(of: origin.host)
        case .app:
            return ["app:" + service.value]
        default:
            return []
        }
    }

    /// The words under which what may be offered to a page is found: its site's, and those of the sites that share accounts with it.
    public func terms(for origin: Origin) -> [String] {
        let domains = shared.domains(sharingWith: origin.host, suffixes: suffixes)
        return Array(Set(([origin.host] + domains).map(siteWord)))
    }

    /// The words under which what may be offered to an app is found.
    public func terms(for hosts: [AssociatedHost]) -> [String] {
        Array(Set(hosts.map { siteWord($0.host) }))
    }

    private func siteWord(_ host: String) -> String {
        "site:" + (suffixes.registrableDomain(of: host) ?? host)
    }

    /// The site, how it looks, and what is one letter away from it.
    private func words(of host: String) -> [String] {
        guard let site = Site(of: host, suffixes) else { return ["site:" + host] }
        var words = ["site:" + site.domain]
        if let like = site.nearLikeness { words.append("like:" + like) }
        if site.letters.unicodeScalars.count >= Site.shortestEdited { words += site.edits.map { "edit:" + $0 } }
        return words
    }
}
