// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a relying party asks for beside a new passkey. Only the system makes these.
public struct ASPasskeyRegistrationCredentialExtensionInput {
    /// Whether the passkey has to have a blob.
    public let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput?
    /// What is to be evaluated.
    public let prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput?

    init(
        largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput? = nil,
        prf: ASAuthorizationPublicKeyCredentialPRFRegistrationInput? = nil
    ) {
        self.largeBlob = largeBlob
        self.prf = prf
    }
}
