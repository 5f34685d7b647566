// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

import AuthenticationServices
import Testing

@testable import ClassicProvider

@Suite
struct ErrorTextsTests {
    private struct Own: Error {}

    private static let expected: [any Error] = [
        ASExtensionError(.userCanceled), ASExtensionError(.userInteractionRequired),
        ASExtensionError(.credentialIdentityNotFound, userInfo: [NSLocalizedDescriptionKey: "gone"]),
        NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userCanceled.rawValue),
        ASCredentialIdentityStoreError(.storeDisabled), ASCredentialIdentityStoreError(.storeBusy),
        NSError(domain: ASCredentialIdentityStoreErrorDomain, code: 1),
    ]

    private static let unexpected: [any Error] = [
        ASExtensionError(.failed), ASExtensionError(.matchedExcludedCredential),
        ASCredentialIdentityStoreError(.internalError),
        NSError(domain: ASExtensionErrorDomain, code: 2), NSError(domain: ASExtensionErrorDomain, code: 0),
        NSError(domain: "ASExtensionErrorDomain2", code: 1), NSError(domain: "", code: 1), CancellationError(), Own(),
        // The same numbers in other domains.
        ASCredentialIdentityStoreError(.internalError) as NSError, ASAuthorizationError(.canceled),
        NSError(domain: ASCredentialIdentityStoreErrorDomain, code: 100),
    ]

    @Test
    func patternsMatchWhatTheyName() {
        for error in Self.expected { #expect(ErrorTexts.isExpected { throw error }, "\(error)") }
        #expect(ErrorTexts.isExpected {})
    }

    @Test
    func patternsMatchNothingElse() {
        for error in Self.unexpected { #expect(!ErrorTexts.isExpected { throw error }, "\(error)") }
    }

    @Test(
        arguments: [
            (ASExtensionError(.failed), "failed"), (ASExtensionError(.userCanceled), "canceled"),
            (ASExtensionError(.userInteractionRequired), "interaction required"),
            (ASExtensionError(.credentialIdentityNotFound), "not found"),
            (ASExtensionError(.matchedExcludedCredential), "excluded"),
            (ASCredentialIdentityStoreError(.storeBusy), "busy"),
            (ASCredentialIdentityStoreError(.storeDisabled), "disabled"),
            (ASCredentialIdentityStoreError(.internalError), "internal"),
            (NSError(domain: ASCredentialIdentityStoreErrorDomain, code: 9), "store 9"),
            (NSError(domain: "other", code: 3), "other 3"),
        ] as [(any Error, String)]
    )
    func switchesOverCodesSeeEveryCode(error: any Error, text: String) {
        #expect(ErrorTexts.text(for: error) == text)
    }
}
