// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillMatching

/// What an app states: that it belongs to a domain. It decides nothing until the site has confirmed it.
public struct UnverifiedAssociation: Hashable, Sendable {
    public let app: AppIdentifier
    public let domain: AssociatedDomain

    public init(app: AppIdentifier, domain: AssociatedDomain) {
        self.app = app
        self.domain = domain
    }
}

/// An app and a domain whose site says that they belong together.
///
/// `AssociationVerifier` makes these, and nothing else can.
public struct VerifiedAssociation: Hashable, Sendable {
    public let app: AppIdentifier
    public let domain: AssociatedDomain
    /// When the site last said so, in seconds since 1970.
    public let confirmed: Int64

    fileprivate init(_ association: UnverifiedAssociation, confirmed: Int64) {
        app = association.app
        domain = association.domain
        self.confirmed = confirmed
    }

    /// The association as `MatchPolicy` looks at it.
    public var host: AssociatedHost? { AssociatedHost(written: domain.domain) }

    /// Whether credentials saved for an origin are the app's too: https, the default port, a host of the domain.
    public func covers(_ origin: Origin) -> Bool {
        origin.scheme == .https && origin.port == 443 && domain.covers(host: origin.host)
    }
}

/// Turns what an app states into an association, or says why it is none. This is the only place that does.
enum AssociationVerifier {
    /// - Parameters:
    ///   - state: What the site said, and when.
    ///   - now: In seconds since 1970.
    static func verify(
        _ association: UnverifiedAssociation, _ state: AssociationState, now: Int64
    ) -> Result<VerifiedAssociation, AssociationRefusal> {
        guard association.domain.service == .webCredentials else { return .failure(.otherService) }
        guard let approved = state.approved else { return .failure(.notApproved(state.verdict)) }
        // A clock that went back must not keep an approval alive for ever.
        guard approved <= now + AssociationState.clockSlack, now - approved <= AssociationState.approvalSpan else {
            return .failure(.approvalTooOld)
        }
        return .success(VerifiedAssociation(association, confirmed: approved))
    }
}

/// Why an app is not associated with a domain.
public enum AssociationRefusal: Error, Hashable, Sendable {
    /// Neither the app nor the user states it.
    case notStated
    /// The entry is not about credentials.
    case otherService
    /// The site has not confirmed it, or not lately.
    case notApproved(AssociationVerdict)
    /// The site confirmed it too long ago.
    case approvalTooOld
}
