// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Whether a new passkey has to have a blob: WebAuthn's extension `largeBlob` with a registration.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput {
    /// How much the relying party wants one.
    @nonexhaustive(warn)
    public enum SupportRequirement: Hashable {
        /// Without a blob there is to be no passkey.
        case required
        /// A blob where that is possible.
        case preferred
    }

    /// How much the relying party wants one.
    public var supportRequirement: SupportRequirement

    /// Without a blob there is to be no passkey.
    public static var supportRequired: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput {
        .init(supportRequirement: .required)
    }

    /// A blob where that is possible.
    public static var supportPreferred: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationInput {
        .init(supportRequirement: .preferred)
    }
}
