// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The secrets of a passkey's pseudo-random function. It prints as nothing.
public struct ASImportableFIDO2HMACCredential: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// What the function is made with.
    public var algorithm: ASImportableFIDO2HMACCredential.Algorithm
    /// The secret for a verified user.
    public var credentialWithUV: Data
    /// The secret for a user who is only present.
    public var credentialWithoutUV: Data

    private enum CodingKeys: String, CodingKey {
        case algorithm
        case credentialWithUV = "credWithUV"
        case credentialWithoutUV = "credWithoutUV"
    }

    /// Secrets with all their members. There is no algorithm yet, so it is never called.
    public init(
        algorithm: ASImportableFIDO2HMACCredential.Algorithm,
        credentialWithUV: Data,
        credentialWithoutUV: Data
    ) {
        switch algorithm {}
    }

    /// Never what it holds.
    public var description: String { "ASImportableFIDO2HMACCredential(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableFIDO2HMACCredential {
    /// What the function is made with. The names of its cases are not public knowledge, so there are none here, and
    /// nobody can make one.
    @nonexhaustive(warn)
    public enum Algorithm: Codable, Hashable, Sendable {
        /// Reads none: there are none.
        public init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "There is no such algorithm.")
            )
        }

        /// Is never called: there are none.
        public func encode(to encoder: any Encoder) throws {}
    }
}
