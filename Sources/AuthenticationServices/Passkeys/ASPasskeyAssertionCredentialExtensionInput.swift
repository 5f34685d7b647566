// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a relying party asks for beside a signature.
public struct ASPasskeyAssertionCredentialExtensionInput {
    /// What is to happen to the passkey's blob.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput?
    /// What is to be evaluated.
    public let prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput?

    /// An input with what is asked for.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFAssertionInput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
