// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why an identity token is not believed.
public struct IdentityTokenRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// The rule that it breaks.
    public enum Rule: String, Sendable, Equatable, CaseIterable {
        /// It is not three parts of base64url with JSON in the first two, or is too long.
        case malformed
        /// Its header asks for something that is not understood here, or brings a key of its own.
        case header
        /// It is signed by something else than RS256 or ES256; `none` and secrets shared with the app among it.
        case algorithm
        /// It names no key, or none that the issuer publishes.
        case key
        /// The key did not sign it.
        case signature
        case issuer
        case audience
        /// It has expired, is not valid yet, or claims to be valid for longer than tokens are.
        case time
        case nonce
        case subject
        /// It was made for another authorization code.
        case code
        /// What the issuer publishes as its keys is not what it should be.
        case keySet
    }

    public let rule: Rule
    /// For people; holds nothing of the token.
    public let description: String

    init(_ rule: Rule, _ description: String) {
        self.rule = rule
        self.description = description
    }
}
