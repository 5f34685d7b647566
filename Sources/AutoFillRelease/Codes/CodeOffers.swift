// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillMatching
package import SecurityCodes

/// Decides which of the codes that came in messages a field or an app may be offered.
package struct CodeOffers: Sendable {
    /// How a code stands to a place.
    package enum Standing: Hashable, Sendable {
        /// Bound to the very host.
        case bound
        /// Bound to another host of the same site; both are named.
        case site(bound: String, field: String)
        /// Bound to nothing: it may be for this place or for any other.
        case unbound
        case refused(BoundCodeRefusal)

        /// A sentence for people.
        package var sentence: String {
            switch self {
            case .bound: "It is bound to this very host."
            case .site(let bound, let field): "It is bound to \(bound), a host of the same site as \(field)."
            case .unbound: "It is bound to no site: the message does not say where it belongs."
            case .refused(let refusal): refusal.description
            }
        }

        /// The same for the audit log; nothing for a refusal.
        package var basis: String? {
            switch self {
            case .bound: "bound to this host"
            case .site(let bound, _): "bound to \(bound), a host of the same site"
            case .unbound: "bound to no site"
            case .refused: nil
            }
        }

        /// Why it is not offered, as the gate and the audit log word it.
        package var refusedBecause: String {
            let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
            return text.prefix(1).lowercased() + text.dropFirst()
        }

        /// Those that are bound to the place come first.
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

    /// - Parameter suffixes: say which hosts make a site.
    package init(_ suffixes: PublicSuffixes) {
        self.suffixes = suffixes
    }

    private var policy: BoundCodePolicy { BoundCodePolicy { suffixes.areSameSite($0, $1) } }

    /// How a code stands to a document in its frames.
    package func standing(of code: SecurityCode, in chain: FrameChain) -> Standing {
        Standing(policy.verdict(on: code, for: CodeField(chain)))
    }

    /// How a code stands to an app, by the hosts that are verified to be associated with it.
    ///
    /// An app is held to the hosts that name it: another host of the same site has not said that the app is its own.
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
    /// The field's document and those around it, as the browser states them.
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
