// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AuthenticationServices

/// Copies do not share what can be changed.
@Suite
struct CopyTests {
    private let service = ASCredentialServiceIdentifier(identifier: "a.example", type: .domain)

    @Test
    func identitiesHaveARankOfTheirOwn() throws {
        let identities: [any ASCredentialIdentity & NSCopying] = [
            ASPasswordCredentialIdentity(serviceIdentifier: service, user: "u", recordIdentifier: "r"),
            ASOneTimeCodeCredentialIdentity(serviceIdentifier: service, label: "u", recordIdentifier: "r"),
            ASPasskeyCredentialIdentity(
                relyingPartyIdentifier: "a.example",
                userName: "u",
                credentialID: Data([1]),
                userHandle: Data([2]),
                recordIdentifier: "r"
            ),
        ]
        for identity in identities {
            identity.rank = 5
            let copy = try #require(identity.copy(with: nil) as? any ASCredentialIdentity)
            #expect(copy.rank == 5)
            #expect([copy.user, copy.recordIdentifier] == ["u", "r"])
            #expect(copy.serviceIdentifier.identifier == "a.example")
            copy.rank = 6
            #expect(identity.rank == 5)
        }
    }

    @Test
    func requestsDoNotShareTheirIdentities() throws {
        let password = ASPasswordCredentialIdentity(serviceIdentifier: service, user: "u", recordIdentifier: nil)
        let code = ASOneTimeCodeCredentialIdentity(serviceIdentifier: service, label: "u", recordIdentifier: nil)
        let passkey = ASPasskeyCredentialIdentity(
            relyingPartyIdentifier: "a.example",
            userName: "u",
            credentialID: Data(),
            userHandle: Data()
        )
        let requests: [any ASCredentialRequest] = [
            ASPasswordCredentialRequest(credentialIdentity: password),
            ASOneTimeCodeCredentialRequest(credentialIdentity: code),
            ASPasskeyCredentialRequest(
                credentialIdentity: passkey,
                clientDataHash: Data([1]),
                userVerificationPreference: .preferred,
                supportedAlgorithms: [NSNumber(value: -7)]
            ),
        ]
        for request in requests {
            let copy = try #require(request.copy(with: nil) as? any ASCredentialRequest)
            #expect(copy.type == request.type)
            #expect(copy !== request)
            copy.credentialIdentity.rank = 9
            #expect(request.credentialIdentity.rank == 0)
        }
    }

    @Test
    func passkeyRequestsHaveAPreferenceOfTheirOwn() throws {
        let request = ASPasskeyCredentialRequest(
            credentialIdentity: .init(
                relyingPartyIdentifier: "a.example",
                userName: "u",
                credentialID: Data(),
                userHandle: Data()
            ),
            clientDataHash: Data([1]),
            userVerificationPreference: .preferred,
            supportedAlgorithms: [.ES256]
        )
        let copy = try #require(request.copy() as? ASPasskeyCredentialRequest)
        copy.userVerificationPreference = .required
        #expect(request.userVerificationPreference == .preferred)
        #expect(copy.supportedAlgorithms == [.ES256])
        #expect(copy.clientDataHash == Data([1]))
    }

    @Test
    func credentialsHaveAnOutputOfTheirOwn() throws {
        let assertion = ASPasskeyAssertionCredential(
            userHandle: Data(),
            relyingParty: "a",
            signature: Data([1]),
            clientDataHash: Data(),
            authenticatorData: Data(),
            credentialID: Data()
        )
        let copy = try #require(assertion.copy() as? ASPasskeyAssertionCredential)
        copy.extensionOutput = .init(largeBlob: .write(success: true))
        #expect(assertion.extensionOutput == nil)
        #expect(copy.signature == Data([1]))
        let descriptor = ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: Data([1]))
        let other = try #require(descriptor.copy() as? ASAuthorizationPlatformPublicKeyCredentialDescriptor)
        other.credentialID = Data([2])
        #expect(descriptor.credentialID == Data([1]))
    }

    @Test
    func whatNeverChangesIsItsOwnCopy() {
        let credential = ASOneTimeCodeCredential(code: "1")
        #expect(credential.copy() as? ASOneTimeCodeCredential === credential)
        let password = ASGeneratedPassword(kind: .strong, value: "1")
        #expect(password.copy() as? ASGeneratedPassword === password)
        #expect(service.copy() as? ASCredentialServiceIdentifier === service)
    }
}
