// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
public import Foundation

/// What there is to know about a credential without its secret; what AutoFill suggests by.
public protocol ASCredentialIdentity: NSObjectProtocol {
    /// What the user signs in to.
    var serviceIdentifier: ASCredentialServiceIdentifier { get }
    /// Whom the credential belongs to.
    var user: String { get }
    /// The provider's own key for the credential.
    var recordIdentifier: String? { get }
    /// A higher rank is suggested before a lower one.
    var rank: Int { get set }
}

extension IdentityStatement {
    /// The identity as it travels; nothing for a type that does not travel yet.
    init?(_ identity: any ASCredentialIdentity) {
        let type: CredentialType
        switch identity {
        case is ASPasswordCredentialIdentity: type = .password
        case is ASOneTimeCodeCredentialIdentity: type = .oneTimeCode
        case is ASPasskeyCredentialIdentity: type = .passkey
        default: return nil
        }
        let service = ServiceIdentifier(
            kind: .init(rawValue: identity.serviceIdentifier.type.rawValue),
            value: identity.serviceIdentifier.identifier
        )
        let passkey = identity as? ASPasskeyCredentialIdentity
        self.init(
            CredentialIdentity(
                type: type,
                service: service,
                user: identity.user,
                recordIdentifier: identity.recordIdentifier,
                rank: identity.rank,
                isStrict: (identity as? ASPasswordCredentialIdentity)?.isStrict
                    ?? (identity as? ASOneTimeCodeCredentialIdentity)?.isStrict ?? false,
                period: (identity as? ASOneTimeCodeCredentialIdentity)?.period,
                credentialID: passkey?.credentialID.base64EncodedString(),
                userHandle: passkey?.userHandle.base64EncodedString()
            )
        )
    }
}
