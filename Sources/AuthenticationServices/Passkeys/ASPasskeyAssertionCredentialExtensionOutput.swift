// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a provider gives beside a signature.
public struct ASPasskeyAssertionCredentialExtensionOutput {
    /// What has become of the passkey's blob.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput?
    /// What was evaluated.
    public let prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput?

    /// An output with what was asked for.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFAssertionOutput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
