// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching
package import SecurityCodes

/// Decides which codes from messages may be offered in a field or to an app.
package struct CodeOffers: Sendable {
    /// The relation of a code to a place.
    package enum Standing: Hashable, Sendable {
        /// Bound to exactly this host.
        case bound
        /// Bound to another host of the same site. Both are named to the user.
        case site(bound: String, field: String)
        /// Not bound to a host: it may be for this place or for any other.
        case unbound
        case refused(BoundCodeRefusal)

        /// The relation as a sentence for users.
        package var sentence: String {
            switch self {
            case .bound: "It is bound to this very host."
            case .site(let bound, let field): "It is bound to \(bound), a host of the same site as \(field)."
            case .unbound: "It is bound to no site: the message does not say where it belongs."
            case .refused(let refusal): refusal.description
            }
        }

        /// The relation as the audit log words it, or `nil` for a refusal.
        package var basis: String? {
            switch self {
            case .bound: "bound to this host"
            case .site(let bound, _): "bound to \(bound), a host of the same site"
            case .unbound: "bound to no site"
            case .refused: nil
            }
        }

        /// The reason for not offering the code, as the gate and the audit log word it.
        package var refusedBecause: String {
            let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
            return text.prefix(1).lowercased() + text.dropFirst()
        }

        /// The sort order, in which codes bound to the place come first.
        package var order: Int {
            switch self {
            case .bound: 0
            case .site: 1
            case .unbound: 2
            case .refused: 3
            }
        }
    }

    private let suffixes: PublicSuffixes

    /// - Parameter suffixes: The public suffixes, which define which hosts are one site.
    package init(_ suffixes: PublicSuffixes) {
        self.suffixes = suffixes
    }

    private var policy: BoundCodePolicy { BoundCodePolicy { suffixes.areSameSite($0, $1) } }

    /// The relation of a code to a document in its frames.
    package func standing(of code: SecurityCode, in chain: FrameChain) -> Standing {
        Standing(policy.verdict(on: code, for: CodeField(chain)))
    }

    /// The relation of a code to an app, by the hosts that are verified to be associated with the app.
    ///
    /// Only those hosts count: another host of the same site has not declared the app to be its own.
    package func standing(of code: SecurityCode, forAppWith associated: [AssociatedHost]) -> Standing {
        let bound = code.boundTo?.lowercased() ?? ""
        let hosts = associated.compactMap { named -> String? in
            guard named.coversSubdomains else { return named.host }
            return bound.hasSuffix("." + named.host) ? bound : nil
        }
        let standing = Standing(policy.verdict(on: code, forAppWith: hosts))
        if case .site = standing { return .refused(.otherSite) }
        return standing
    }
}

extension CodeOffers.Standing {
    fileprivate init(_ verdict: BoundCodeVerdict?) {
        switch verdict {
        case nil: self = .unbound
        case .origin: self = .bound
        case .site(let bound, let field): self = .site(bound: bound, field: field)
        case .refused(let refusal): self = .refused(refusal)
        }
    }
}

extension CodeField {
    /// The document that contains the field, and the documents around it, as stated by the browser.
    package init(_ chain: FrameChain) {
        self.init(
            document: DocumentOrigin(chain.document), ancestors: chain.ancestors.map { DocumentOrigin($0) })
    }
}

extension DocumentOrigin {
    fileprivate init(_ origin: Origin) {
        self = origin.scheme == .https && origin.port == 443 ? .host(origin.host) : .other
    }
}
