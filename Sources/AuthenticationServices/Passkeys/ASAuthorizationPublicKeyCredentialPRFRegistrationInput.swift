// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What a new passkey's pseudo-random function is to be evaluated at: WebAuthn's extension `prf` with a registration.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationInput {
    /// One or two inputs.
    public typealias InputValues = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues

    /// Whether it is asked for more than the values: whether there is such a function at all.
    public let shouldCheckForSupport: Bool
    /// The inputs, where it is to be evaluated at once.
    public let inputValues: InputValues?

    /// Only ask whether there is such a function.
    public static var checkForSupport: ASAuthorizationPublicKeyCredentialPRFRegistrationInput {
        .init(shouldCheckForSupport: true, inputValues: nil)
    }

    /// Evaluate the function at once.
    public static func inputValues(
        _ inputValues: InputValues
    ) -> ASAuthorizationPublicKeyCredentialPRFRegistrationInput {
        .init(shouldCheckForSupport: false, inputValues: inputValues)
    }
}
