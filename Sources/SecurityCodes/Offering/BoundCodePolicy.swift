// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The host of a document, or that its origin is opaque, not https, or at a port of its own.
public enum DocumentOrigin: Hashable, Sendable {
    /// `https`, with the standard port.
    case host(String)
    /// Any other origin; no bound code is for it.
    case other
}

/// Where a field for a code is.
public struct CodeField: Hashable, Sendable {
    /// The origin of the document that holds the field.
    public let document: DocumentOrigin
    /// The origins of the documents that it is framed by, from the nearest to the top-level one; none for a top-level
    /// document.
    public let ancestors: [DocumentOrigin]

    public init(document: DocumentOrigin, ancestors: [DocumentOrigin] = []) {
        self.document = document
        self.ancestors = ancestors
    }
}

/// Whether a bound code may be offered to a field.
public enum BoundCodeVerdict: Hashable, Sendable {
    /// The field is at the very hosts that the code is bound to.
    case origin
    /// The field is at other hosts of the same sites: whoever is offered the code is told both, first the host that it
    /// is bound to.
    case site(bound: String, field: String)
    case refused(BoundCodeRefusal)
}

/// Why a bound code is not offered to a field.
public enum BoundCodeRefusal: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// What the message names is not a host.
    case invalidHost
    /// The document, or one that it is framed by, is not at the standard port of https.
    case otherOrigin
    /// The code is bound to another site.
    case otherSite
    /// The code is for a framed document, and this is a top-level one.
    case forFramedDocument
    /// The code is for a top-level document, and this is a framed one.
    case forTopLevelDocument
    /// The framed document is of another site than the embedded host.
    case otherEmbeddedSite
    /// A document in between is of neither site.
    case otherAncestor

    public var description: String {
        switch self {
        case .invalidHost: "The message binds the code to something that is not a host."
        case .otherOrigin: "The page is not at the standard port of https."
        case .otherSite: "The code is bound to another site."
        case .forFramedDocument: "The code is for a framed page, and this one is not framed."
        case .forTopLevelDocument: "The code is for a page that is not framed, and this one is."
        case .otherEmbeddedSite: "The code is for a framed page of another site."
        case .otherAncestor: "A page in between is of neither site that the code is bound to."
        }
    }
}

/// Who may be offered a code that its message binds to a host, by the rules of "Origin-bound one-time codes delivered
/// via SMS".
///
/// A pure decision. What a site is, whoever asks has to say: this library knows no list of public suffixes.
public struct BoundCodePolicy {
    private let isSameSite: (String, String) -> Bool

    /// - Parameter isSameSite: whether two hosts, in small letters, have the same registrable domain. A host that is a
    ///   public suffix
    ///   itself is of one site with nothing but itself.
    public init(isSameSite: @escaping (_ first: String, _ second: String) -> Bool) {
        self.isSameSite = isSameSite
    }

    /// The verdict for a field of a page; nothing for a code that is bound to nothing, which these rules say nothing
    /// about.
    public func verdict(on code: SecurityCode, for field: CodeField) -> BoundCodeVerdict? {
        guard let boundTo = code.boundTo else { return nil }
        guard let top = Self.host(boundTo) else { return .refused(.invalidHost) }
        guard case .host(let text) = field.document, let document = Self.host(text) else {
            return .refused(.otherOrigin)
        }
        // "If context is a top-level browsing context":
        guard !field.ancestors.isEmpty else {
            // "If otc's embedded origin is not null, return failure."
            guard code.embedded == nil else { return .refused(.forFramedDocument) }
            // "If otc's top-level origin is same site with doc's origin, return success. Otherwise, return failure."
            guard isOneSite(top, document) else { return .refused(.otherSite) }
            return top == document ? .origin : .site(bound: top, field: document)
        }
        // "If otc's embedded origin is null, return failure."
        guard let embeddedText = code.embedded else { return .refused(.forTopLevelDocument) }
        guard let embedded = Self.host(embeddedText) else { return .refused(.invalidHost) }
        // "If otc's embedded origin is not same site with doc's origin, return failure."
        guard isOneSite(embedded, document) else { return .refused(.otherEmbeddedSite) }
        for (index, ancestor) in field.ancestors.enumerated() {
            guard case .host(let text) = ancestor, let host = Self.host(text) else { return .refused(.otherOrigin) }
            if index == field.ancestors.count - 1 {
                // "If context's active document's origin is same site with otc's top-level origin, return success."
                guard isOneSite(top, host) else { return .refused(.otherSite) }
                let isExact = top == host && embedded == document
                return isExact ? .origin : .site(bound: embedded, field: document)
            }
            // "… is neither same site with otc's embedded origin nor otc's top-level origin, return failure."
            guard isOneSite(embedded, host) || isOneSite(top, host) else { return .refused(.otherAncestor) }
        }
        return .refused(.otherSite)
    }

    /// The verdict for a field of an app, by the domains that are associated with it and verified; nothing for a code
    /// that is bound to nothing.
    public func verdict(on code: SecurityCode, forAppWith domains: [String]) -> BoundCodeVerdict? {
        guard let boundTo = code.boundTo else { return nil }
        guard let top = Self.host(boundTo) else { return .refused(.invalidHost) }
        guard code.embedded == nil else { return .refused(.forFramedDocument) }
        let hosts = domains.compactMap(Self.host)
        if hosts.contains(top) { return .origin }
        guard let other = hosts.first(where: { isOneSite(top, $0) }) else { return .refused(.otherSite) }
        return .site(bound: top, field: other)
    }

    private func isOneSite(_ first: String, _ second: String) -> Bool {
        first == second || isSameSite(first, second)
    }

    /// A host in small ASCII letters; nothing for anything else that a message may have in its place, a port among it.
    ///
    /// A message names a host of another script in its ASCII form, as origins have it.
    static func host(_ text: String) -> String? {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, !labels.isEmpty else { return nil }
        for label in labels {
            guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-")
            else { return nil }
            for byte in label {
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): continue
                default: return nil
                }
            }
        }
        return text.lowercased()
    }
}
