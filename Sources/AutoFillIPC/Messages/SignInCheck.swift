// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The job of `latchkey-fetch` that verifies an identity provider's answer.
public enum SignInCheck {
    public static let job = "sign-in"

    /// The answer to verify, and the values it has to match.
    public struct Request: Codable, Sendable, Equatable {
        /// An https address without a trailing slash.
        public var issuer: String
        public var client: String
        public var nonce: String
        /// The fields that the browser posted, by name.
        public var fields: [String: String]

        public init(issuer: String, client: String, nonce: String, fields: [String: String]) {
            self.issuer = issuer
            self.client = client
            self.nonce = nonce
            self.fields = fields
        }
    }

    /// The user who signed in, or the reason why nobody did.
    public struct Answer: Codable, Sendable, Equatable {
        public var user: String?
        public var code: String?
        public var token: String?
        public var email: String?
        public var givenName: String?
        public var familyName: String?
        /// Why the answer was rejected.
        public var refusal: String?
        /// Why the answer could not be verified.
        public var unreachable: String?

        public init(user: String, code: String, token: String) {
            self.user = user
            self.code = code
            self.token = token
        }

        public init(refusal: String) {
            self.refusal = refusal
        }

        public init(unreachable: String) {
            self.unreachable = unreachable
        }
    }
}
