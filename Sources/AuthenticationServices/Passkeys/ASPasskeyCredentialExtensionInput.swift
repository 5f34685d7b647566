// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a relying party asks for beside a passkey.
@nonexhaustive(warn)
public enum ASPasskeyCredentialExtensionInput {
    /// Nothing.
    case none
    /// Something beside a signature.
    case assertion(ASPasskeyAssertionCredentialExtensionInput)
    /// Something beside a new passkey.
    case registration(ASPasskeyRegistrationCredentialExtensionInput)
}
