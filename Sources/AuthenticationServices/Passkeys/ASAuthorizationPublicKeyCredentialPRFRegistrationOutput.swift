// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Crypto

/// Whether a new passkey has a pseudo-random function, and what it gave. It prints as nothing.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationOutput: CustomStringConvertible, CustomReflectable {
    /// Whether there is such a function.
    public let isSupported: Bool
    /// The value at the first input, where it was evaluated.
    public let first: SymmetricKey?
    /// The value at the second input, where there was one.
    public let second: SymmetricKey?

    private init(isSupported: Bool) {
        self.isSupported = isSupported
        first = nil
        second = nil
    }

    /// One or two values of a function that there is.
    public init(first: SymmetricKey, second: SymmetricKey?) {
        isSupported = true
        self.first = first
        self.second = second
    }

    /// There is such a function, and it was not evaluated.
    public static var supported: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput { .init(isSupported: true) }

    /// There is no such function.
    public static var unsupported: ASAuthorizationPublicKeyCredentialPRFRegistrationOutput {
        .init(isSupported: false)
    }

    /// Never the values.
    public var description: String { "ASAuthorizationPublicKeyCredentialPRFRegistrationOutput(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
