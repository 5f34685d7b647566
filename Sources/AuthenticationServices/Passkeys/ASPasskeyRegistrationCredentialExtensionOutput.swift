// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a provider gives beside a new passkey.
public struct ASPasskeyRegistrationCredentialExtensionOutput {
    /// Whether the passkey has a blob.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput?
    /// What was evaluated.
    public let prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput?

    /// An output with what was asked for.
    public init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
