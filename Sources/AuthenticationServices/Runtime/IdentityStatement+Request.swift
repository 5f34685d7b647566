// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials
internal import AutoFillIPC
internal import Foundation

extension IdentityStatement {
    /// An identity off the wire; nothing for a type, or a kind of service, that is not known here.
    var credentialIdentity: (any ASCredentialIdentity)? {
        let identity = identity
        guard let service = ASCredentialServiceIdentifier(identity.service) else { return nil }
        switch identity.type {
        case .password: return ASPasswordCredentialIdentity(self)
        case .oneTimeCode:
            let code = ASOneTimeCodeCredentialIdentity(
                serviceIdentifier: service,
                label: identity.user,
                recordIdentifier: identity.recordIdentifier
            )
            code.rank = identity.rank
            code.isStrict = identity.isStrict
            code.period = identity.period
            return code
        case .passkey:
            guard let credential = identity.credentialID.flatMap({ Data(base64Encoded: $0) }),
                let handle = Data(base64Encoded: identity.userHandle ?? "")
            else { return nil }
            let passkey = ASPasskeyCredentialIdentity(
                relyingPartyIdentifier: identity.service.value,
                userName: identity.user,
                credentialID: credential,
                userHandle: handle,
                recordIdentifier: identity.recordIdentifier
            )
            passkey.rank = identity.rank
            return passkey
        default: return nil
        }
    }

    /// A request for the credential of the identity.
    var credentialRequest: (any ASCredentialRequest)? {
        switch credentialIdentity {
        case let identity as ASPasswordCredentialIdentity: ASPasswordCredentialRequest(credentialIdentity: identity)
        case let identity as ASOneTimeCodeCredentialIdentity:
            ASOneTimeCodeCredentialRequest(credentialIdentity: identity)
        default: nil
        }
    }
}

extension ASCredentialRequestType {
    /// What the answer to such a request has to be.
    var answer: RequestAnswer {
        switch self {
        case .oneTimeCode: .oneTimeCode
        case .password, .passkeyAssertion, .passkeyRegistration: .password
        }
    }
}
