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

/// The origin of a document as its browser states it, in a frame chain that agrees with it.
///
/// `OriginVerifier` makes these, and nothing else can.
public struct VerifiedOrigin: Hashable, Sendable {
    public let origin: Origin
    public let documentIdentifier: String

    fileprivate init(origin: Origin, documentIdentifier: String) {
        self.origin = origin
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
        case crossOriginAncestor = "an ancestor is of another origin"
        case chainTooLong = "the frame chain is longer than 32"
    }

    /// Verifies a chain, the asking document first and the top document last.
    ///
    /// Until cross-origin frames can be consented to, every document of the chain has to be of one origin.
    public static func verify(_ chain: [ClaimedDocument]) -> Result<VerifiedOrigin, Refusal> {
        guard let document = chain.first, !document.documentIdentifier.isEmpty else { return .failure(.noDocument) }
        guard chain.count <= 32 else { return .failure(.chainTooLong) }
        guard let origin = Origin(url: document.origin.text) else { return .failure(.opaqueOrigin) }
        for ancestor in chain.dropFirst() {
            guard let other = Origin(url: ancestor.origin.text) else { return .failure(.opaqueAncestor) }
            guard other == origin else { return .failure(.crossOriginAncestor) }
        }
        return .success(VerifiedOrigin(origin: origin, documentIdentifier: document.documentIdentifier))
    }
}
