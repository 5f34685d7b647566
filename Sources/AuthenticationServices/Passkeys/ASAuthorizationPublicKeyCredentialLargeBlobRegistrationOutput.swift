// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Whether a new passkey has a blob.
public struct ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput {
    /// Whether it has one.
    public var isSupported: Bool

    /// It has one.
    public static var supported: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput {
        .init(isSupported: true)
    }

    /// It has none.
    public static var unsupported: ASAuthorizationPublicKeyCredentialLargeBlobRegistrationOutput {
        .init(isSupported: false)
    }
}
