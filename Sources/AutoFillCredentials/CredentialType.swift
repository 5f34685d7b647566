// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a credential is for: the answer a provider can give.
///
/// An open set on purpose: a type this build does not know travels as a value and matches nothing.
public struct CredentialType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A user name and a password.
    public static let password = CredentialType(rawValue: "password")
    /// A WebAuthn discoverable credential.
    public static let passkey = CredentialType(rawValue: "passkey")
    /// A time-based code.
    public static let oneTimeCode = CredentialType(rawValue: "one-time-code")
}
