// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a passkey's pseudo-random function is to be evaluated at: WebAuthn's extension `prf` with an assertion.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionInput {
    /// One or two inputs.
    public struct InputValues {
        /// The first input.
        public var saltInput1: Data
        /// The second input, where there is one.
        public var saltInput2: Data?

        /// One or two inputs.
        public init(saltInput1: Data, saltInput2: Data? = nil) {
            self.saltInput1 = saltInput1
            self.saltInput2 = saltInput2
        }

        /// One or two inputs.
        public static func saltInput1(
            _ saltInput1: Data,
            saltInput2: Data? = nil
        ) -> ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues {
            .init(saltInput1: saltInput1, saltInput2: saltInput2)
        }
    }

    /// The inputs for a passkey that has none of its own.
    public let inputValues: InputValues?
    /// The inputs for single passkeys, by their identifiers.
    public let perCredentialInputValues: [Data: InputValues]?

    /// The same inputs for every passkey, except for those that have some of their own.
    public static func inputValues(
        _ inputValues: InputValues,
        perCredentialInputValues: [Data: InputValues]? = nil
    ) -> ASAuthorizationPublicKeyCredentialPRFAssertionInput {
        .init(inputValues: inputValues, perCredentialInputValues: perCredentialInputValues)
    }

    /// Inputs for single passkeys only.
    public static func perCredentialInputValues(
        _ perCredentialInputValues: [Data: InputValues]
    ) -> ASAuthorizationPublicKeyCredentialPRFAssertionInput {
        .init(inputValues: nil, perCredentialInputValues: perCredentialInputValues)
    }
}
