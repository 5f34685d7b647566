// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ASImportableCredential {
    /// What one-time codes are made from. It prints as nothing.
    public struct TOTP: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The secret.
        public var secret: Data
        /// How long a code is good, in seconds.
        public var period: UInt16
        /// How many digits a code has.
        public var digits: UInt16
        /// Whom the codes belong to.
        public var userName: String?
        /// What codes are made with.
        public var algorithm: ASImportableCredential.TOTP.Algorithm
        /// Who asks for the codes.
        public var issuer: String?

        private enum CodingKeys: String, CodingKey {
            case secret
            case period
            case digits
            case userName = "username"
            case algorithm
            case issuer
        }

        /// A source of codes with all its members.
        public init(
            secret: Data,
            period: UInt16,
            digits: UInt16,
            userName: String?,
            algorithm: ASImportableCredential.TOTP.Algorithm,
            issuer: String? = nil
        ) {
            self.secret = secret
            self.period = period
            self.digits = digits
            self.userName = userName
            self.algorithm = algorithm
            self.issuer = issuer
        }

        /// What codes are made with; the raw values are CXF's.
        @nonexhaustive(warn)
        public enum Algorithm: String, Codable, Hashable, Sendable {
            /// HMAC with SHA-1.
            case sha1
            /// HMAC with SHA-256.
            case sha256
            /// HMAC with SHA-512.
            case sha512
        }

        /// Never what it holds.
        public var description: String { "ASImportableCredential.TOTP(redacted)" }

        /// A mirror without children, so that `dump` and test failures show nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
