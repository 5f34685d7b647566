// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A host that looks like one that something was saved for, and is another.
public struct Lookalike: Hashable, Sendable {
    /// In what the two look alike.
    public enum Kind: String, Sendable, CaseIterable {
        /// Letters that look the same, of one script or mixed.
        case confusable
        /// The host stands in front of somebody else's registrable domain.
        case hostAsPrefix
        /// One letter more, less, other, or two neighbours exchanged.
        case oneEdit
    }

    public let kind: Kind
    /// The host that something was saved for, as people read it.
    public let savedFor: String
    /// The page's host in ASCII.
    public let page: String

    /// What to tell the user outside the page.
    public var sentence: String { "This is not \(savedFor)." }
}

/// Finds out whether a page imitates a host that something was saved for.
///
/// Where nothing matches a page, its words (`terms(for:)`) find candidates in an index; sharing a word decides nothing,
/// `verdict` does.
public struct Lookalikes: Sendable {
    public let suffixes: PublicSuffixes
    public let shared: SharedCredentials

    public init(suffixes: PublicSuffixes, shared: SharedCredentials) {
        self.suffixes = suffixes
        self.shared = shared
    }

    public init(_ quirks: Quirks) {
        self.init(suffixes: quirks.suffixes, shared: quirks.shared)
    }

    /// The words under which services that a page may imitate are found, and those of its own site.
    public func terms(for page: Origin) -> [String] {
        guard let site = Site(of: page.host, suffixes) else { return [] }
        var terms = ["site:" + site.domain]
        if let like = site.nearLikeness { terms.append("like:" + like) }
        // One letter may be missing here.
        if site.letters.unicodeScalars.count >= Site.shortestEdited - 1 { terms += site.edits.map { "edit:" + $0 } }
        // Labels in front of the registrable domain may be a host themselves.
        for prefix in site.prefixes(of: page.host) {
            if let domain = suffixes.registrableDomain(of: prefix.host) { terms.append("site:" + domain) }
        }
        return Array(Set(terms))
    }

    /// What to warn of on a page that nothing is offered on, given what its words found.
    ///
    /// Nothing where something was saved for the page's own site: the user knows it. The clearest imitation comes first.
    public func warning(for page: Origin, among candidates: [SavedService]) -> Lookalike? {
        guard
            !candidates.contains(where: { saved in
                saved.origin.map { $0.host == page.host || suffixes.areSameSite($0.host, page.host) } ?? false
            })
        else { return nil }
        let found = candidates.compactMap { verdict(saved: $0, page: page) }
        return Lookalike.Kind.allCases.lazy.compactMap { kind in found.first { $0.kind == kind } }.first
    }

    /// Whether a page imitates what something was saved for.
    public func verdict(saved: SavedService, page: Origin) -> Lookalike? {
        guard let origin = saved.origin, let own = Site(of: origin.host, suffixes),
            let other = Site(of: page.host, suffixes), own.domain != other.domain,
            !shared.shares(savedFor: origin.host, with: page.host, suffixes: suffixes),
            !shared.shares(savedFor: page.host, with: origin.host, suffixes: suffixes),
            let kind = kind(own, other, page.host)
        else { return nil }
        return Lookalike(kind: kind, savedFor: origin.displayHost, page: page.host)
    }

    private func kind(_ own: Site, _ other: Site, _ page: String) -> Lookalike.Kind? {
        if let like = own.nearLikeness, like == other.nearLikeness {
            if own.label != other.label {
                // Short names in ASCII look alike by chance: in other countries, and those with an i for an l.
                let isShort = own.letters.unicodeScalars.count < Site.shortestEdited
                let isSame = own.suffix == other.suffix && own.likeness == other.likeness
                if isSame || !isShort || own.isInternational || other.isInternational { return .confusable }
            } else if own.suffix != other.suffix, let suffix = own.suffixLikeness, suffix == other.suffixLikeness {
                return .confusable
            }
        }
        // `example.co` is not a prefix of `example.co.uk` that anybody could have meant.
        let isPrefix = other.prefixes(of: page).contains { prefix in
            prefix.host.hasSuffix(own.domain) && (prefix.isInFront || own.label != other.label)
                && suffixes.registrableDomain(of: prefix.host) == own.domain
        }
        if isPrefix { return .hostAsPrefix }
        if own.letters.unicodeScalars.count >= Site.shortestEdited, own.label != other.label, own.isOneEdit(from: other)
        {
            return .oneEdit
        }
        return nil
    }
}
