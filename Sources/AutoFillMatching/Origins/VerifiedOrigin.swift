// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An origin somebody states. It decides nothing until it has been verified.
public struct ClaimedOrigin: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}

/// One document on the way from the frame that asks up to the top: what the browser, not the page, says of it.
public struct ClaimedDocument: Hashable, Sendable {
    public let origin: ClaimedOrigin
    /// The browser's name for the document; a navigation changes it.
    public let documentIdentifier: String

    public init(origin: ClaimedOrigin, documentIdentifier: String) {
        self.origin = origin
        self.documentIdentifier = documentIdentifier
    }
}

/// The origins of a form's document and of every document around it, none of them opaque.
///
/// `OriginVerifier` makes these, and nothing else can.
public struct FrameChain: Hashable, Sendable {
    /// The origin of the document that holds the form: what a credential is matched with.
    public let document: Origin
    /// The origins of the documents around it, the nearest first and the top last; empty in a top document.
    public let ancestors: [Origin]

    /// The origin of the top document: what the address bar shows.
    public var top: Origin { ancestors.last ?? document }

    /// Whether each document around it has its origin; so for a top document.
    public var isOfOneOrigin: Bool { ancestors.allSatisfy { $0 == document } }

    /// Where it is, as what was released is remembered: a frame of another origin is another place in each page.
    public var place: String { isOfOneOrigin ? document.description : "\(document) in \(top)" }

    fileprivate init(document: Origin, ancestors: [Origin]) {
        self.document = document
        self.ancestors = ancestors
    }
}

/// The origin of a document as its browser states it, in a frame chain whose every document is known.
///
/// `OriginVerifier` makes these, and nothing else can.
public struct VerifiedOrigin: Hashable, Sendable {
    public let chain: FrameChain
    public let documentIdentifier: String

    /// The origin of the document itself.
    public var origin: Origin { chain.document }

    fileprivate init(chain: FrameChain, documentIdentifier: String) {
        self.chain = chain
        self.documentIdentifier = documentIdentifier
    }
}

/// Turns a frame chain into a verified origin, or says why it cannot be one.
public enum OriginVerifier {
    /// Why a frame chain is not believed.
    public enum Refusal: String, Sendable, Error {
        case noDocument = "the browser names no document"
        case opaqueOrigin = "the document's origin is opaque or is not http(s)"
        case opaqueAncestor = "an ancestor's origin is opaque or is not http(s)"
        case insecureAncestor = "a document around it was not delivered securely"
        case chainTooLong = "the frame chain is longer than 32"
    }

    /// Documents of other origins around the asking one are part of the answer; whether anything may be offered in such a
    /// frame, and after which question, is for `MatchPolicy` to say.
    ///
    /// - Parameter chain: The asking document first and the top document last.
    public static func verify(_ chain: [ClaimedDocument]) -> Result<VerifiedOrigin, Refusal> {
        guard let document = chain.first, !document.documentIdentifier.isEmpty else { return .failure(.noDocument) }
        guard chain.count <= 32 else { return .failure(.chainTooLong) }
        guard let origin = Origin(stated: document.origin.text) else { return .failure(.opaqueOrigin) }
        var ancestors: [Origin] = []
        for ancestor in chain.dropFirst() {
            guard let other = Origin(stated: ancestor.origin.text) else { return .failure(.opaqueAncestor) }
            guard other.isPotentiallyTrustworthy else { return .failure(.insecureAncestor) }
            ancestors.append(other)
        }
        return .success(
            VerifiedOrigin(
                chain: FrameChain(document: origin, ancestors: ancestors),
                documentIdentifier: document.documentIdentifier))
    }
}
