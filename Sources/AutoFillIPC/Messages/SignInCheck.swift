// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// The job of `latchkey-fetch` that reads an identity provider's answer, as both sides know it.
public enum SignInCheck {
    public static let job = "sign-in"

    /// What is to be read, and what it has to fit.
    public struct Request: Codable, Sendable, Equatable {
        /// An https address without a slash at its end.
        public var issuer: String
        public var client: String
        public var nonce: String
        /// What the browser posted, by name.
        public var fields: [String: String]

        public init(issuer: String, client: String, nonce: String, fields: [String: String]) {
            self.issuer = issuer
            self.client = client
            self.nonce = nonce
            self.fields = fields
        }
    }

    /// Who signed in, or why nobody did.
    public struct Answer: Codable, Sendable, Equatable {
        public var user: String?
        public var code: String?
        public var token: String?
        public var email: String?
        public var givenName: String?
        public var familyName: String?
        /// Why the answer is not believed.
        public var refusal: String?
        /// Why it cannot be told.
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
