// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What is to happen to a passkey's blob: WebAuthn's extension `largeBlob` with an assertion.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput {
    /// Reading or writing.
    @nonexhaustive(warn)
    public enum Operation {
        /// Read the blob.
        case read
        /// Put these bytes in its place.
        case write(Data)
    }

    /// What is to happen.
    public var operation: Operation

    /// Read the blob.
    public static var read: ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput { .init(operation: .read) }

    /// Put these bytes in the blob's place.
    public static func write(_ data: Data) -> ASAuthorizationPublicKeyCredentialLargeBlobAssertionInput {
        .init(operation: .write(data))
    }
}
