// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Crypto

/// What a passkey's pseudo-random function gave. It prints as nothing.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionOutput: CustomStringConvertible, CustomReflectable {
    /// The value at the first input.
    public let first: SymmetricKey
    /// The value at the second input, where there was one.
    public let second: SymmetricKey?

    /// One or two values.
    public init(first: SymmetricKey, second: SymmetricKey?) {
        self.first = first
        self.second = second
    }

    /// Never the values.
    public var description: String { "ASAuthorizationPublicKeyCredentialPRFAssertionOutput(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
