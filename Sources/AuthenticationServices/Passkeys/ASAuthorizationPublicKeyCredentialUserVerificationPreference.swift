// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// How much a relying party wants the user to be verified; the raw values are WebAuthn's words.
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    /// The value as it travels.
    public let rawValue: String

    /// A value that may have no name here.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// A value that may have no name here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Verify the user where that is possible.
    public static let preferred = Self("preferred")
    /// Do not answer without having verified the user.
    public static let required = Self("required")
    /// Do not trouble the user.
    public static let discouraged = Self("discouraged")
}
