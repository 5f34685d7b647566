// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

package import AutoFillCredentials

/// What a bundle can state that its provider does, in the words of `docs/protocol.md`. A provider is used for nothing that its bundle does not
/// state, or that the user has not agreed to.
package enum ProviderCapability: String, CaseIterable, Sendable {
    case passwords
    case oneTimeCodes = "one-time-codes"
    case passkeys
    case text
    /// It saves passwords that others give it.
    case saving
    case generating

    /// What the built-in provider does.
    package static let builtIn: [ProviderCapability] = [.passwords, .oneTimeCodes, .saving, .generating]

    /// The capability that providing credentials of a type takes, or `nil` for a type that no bundle can state.
    package init?(_ type: CredentialType) {
        switch type {
        case .password: self = .passwords
        case .oneTimeCode: self = .oneTimeCodes
        case .passkey: self = .passkeys
        default: return nil
        }
    }
}
