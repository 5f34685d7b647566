// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the rules make of a page and the frames in it, before anything that was saved is looked at.
public struct PageExplanation: Sendable {
    /// One document of the page.
    public struct Document: Sendable, Equatable {
        public let typed: String
        /// Its origin; nothing where it has none that anything can be saved for.
        public let origin: String?
        /// The host as people read it, where that is another text.
        public let shown: String?
        /// Whether it counts as delivered securely.
        public let isSecure: Bool
        /// What reading it left out or changed, a sentence each.
        public let notes: [String]
    }

    /// From the top down to the one that holds the form.
    public let documents: [Document]
    /// Why the frame chain is not believed.
    public let refusal: String?
    /// The registrable domain of the form's document.
    public let site: String?
    /// The public suffix that it stands on.
    public let publicSuffix: String?
    /// Sites whose accounts may be offered here, too.
    public let sharing: [String]
    public let chain: FrameChain?

    public init(url: String, frames: [String], _ quirks: Quirks) {
        let documents = ([url] + frames).map(Document.init)
        self.documents = documents
        let claimed = documents.reversed().enumerated().map { index, document in
            ClaimedDocument(origin: ClaimedOrigin(document.origin ?? "null"), documentIdentifier: "document \(index)")
        }
        switch OriginVerifier.verify(claimed) {
        case .success(let verified):
            chain = verified.chain
            refusal = nil
            site = quirks.suffixes.registrableDomain(of: verified.origin.host)
            publicSuffix = site.map { $0.split(separator: ".").dropFirst().joined(separator: ".") }
            sharing = quirks.shared.domains(sharingWith: verified.origin.host, suffixes: quirks.suffixes)
        case .failure(let failure):
            chain = nil
            refusal = failure.rawValue
            site = nil
            publicSuffix = nil
            sharing = []
        }
    }
}

extension PageExplanation.Document {
    init(_ typed: String) {
        self.typed = typed
        let hasScheme = typed.contains(":")
        let origin = Origin(url: typed) ?? (hasScheme ? nil : Origin(written: typed))
        self.origin = origin?.description
        shown = origin.flatMap { $0.displayHost == $0.host ? nil : $0.displayHost }
        isSecure = origin?.isPotentiallyTrustworthy ?? false
        var notes: [String] = []
        if let origin {
            if !hasScheme { notes.append("without a scheme it is taken for https") }
            if typed.utf8.contains(where: { $0 < 0x20 }) { notes.append("control characters are left out") }
            if typed.contains("\\") { notes.append("a backslash counts as a slash") }
            let authority = Self.authority(of: typed)
            var host = authority
            if let at = authority.lastIndex(of: "@") {
                // Not quoted: there may be a password in it.
                notes.append("the text before the “@” is user information, not part of the host")
                host = String(authority[authority.index(after: at)...])
            }
            let (name, port) = Self.split(host)
            if name.lowercased() != origin.host {
                notes.append("the host reads \(origin.host)")
            } else if name != origin.host {
                notes.append("capitals do not count in a host")
            }
            if let port, origin.description == Origin(scheme: origin.scheme, host: origin.host)?.description {
                notes.append("\(port) is the port of \(origin.scheme.rawValue) anyway")
            }
            if origin.host.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }) {
                notes.append("it contains letters beyond ASCII, which the host name writes as xn--…")
            }
        } else {
            notes.append("nothing can be saved for it: it is not an http or https URL with a host")
        }
        self.notes = notes
    }

    private static func authority(of typed: String) -> String {
        let rest = typed.firstRange(of: "//").map { typed[$0.upperBound...] } ?? typed[...]
        return String(rest.prefix { !"/?#\\".contains($0) })
    }

    private static func split(_ host: String) -> (name: String, port: String?) {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return (host, nil) }
        return (String(host[..<colon]), String(host[host.index(after: colon)...]))
    }
}
