// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
public import Foundation

/// The identity of a password.
open class ASPasswordCredentialIdentity: NSObject, NSCopying, NSSecureCoding, ASCredentialIdentity {
    /// What the user signs in to.
    open private(set) var serviceIdentifier: ASCredentialServiceIdentifier
    /// Whom the password belongs to.
    open private(set) var user: String
    /// The provider's own key for the password.
    open private(set) var recordIdentifier: String?
    /// A higher rank is suggested before a lower one.
    open var rank = 0
    /// Whether only the very host that it was saved for may have it. No member of Apple's: providers in Swift that are
    /// not part of Latchkey cannot set it, others send `strict` with the identity.
    package var isStrict = false

    /// An identity of rank 0.
    public init(serviceIdentifier: ASCredentialServiceIdentifier, user: String, recordIdentifier: String?) {
        self.serviceIdentifier = serviceIdentifier
        self.user = user
        self.recordIdentifier = recordIdentifier
        super.init()
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let service = coder.member(ASCredentialServiceIdentifier.self, "serviceIdentifier"),
            let user = coder.text("user")
        else { return nil }
        serviceIdentifier = service
        self.user = user
        recordIdentifier = coder.text("recordIdentifier")
        rank = coder.decodeInteger(forKey: "rank")
        super.init()
    }

    /// Writes every member.
    open func encode(with coder: NSCoder) {
        coder.encode(serviceIdentifier, forKey: "serviceIdentifier")
        coder.write(user, "user")
        coder.write(recordIdentifier, "recordIdentifier")
        coder.encode(rank, forKey: "rank")
    }

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Another identity with the same members.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASPasswordCredentialIdentity(
            serviceIdentifier: serviceIdentifier,
            user: user,
            recordIdentifier: recordIdentifier
        )
        copy.rank = rank
        copy.isStrict = isStrict
        return copy
    }
}

extension ASPasswordCredentialIdentity {
    /// An identity off the wire; nothing when it is of another type, or its service is of a kind that is not known
    /// here.
    convenience init?(_ statement: IdentityStatement) {
        let identity = statement.identity
        guard identity.type == .password, let service = ASCredentialServiceIdentifier(identity.service) else {
            return nil
        }
        self.init(serviceIdentifier: service, user: identity.user, recordIdentifier: identity.recordIdentifier)
        rank = identity.rank
        isStrict = identity.isStrict
    }
}
