// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What has become of a passkey's blob. It prints as nothing.
public struct ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput: CustomStringConvertible, CustomReflectable {
    /// What was done, and how it ended.
    @nonexhaustive(warn)
    public enum OperationResult {
        /// The blob was read; there was none where there are no bytes.
        case read(data: Data?)
        /// The blob was written, or not.
        case write(success: Bool)
    }

    /// What was done, and how it ended.
    public var result: OperationResult

    /// The blob was read; there was none where there are no bytes.
    public static func read(data: Data?) -> ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput {
        .init(result: .read(data: data))
    }

    /// The blob was written, or not.
    public static func write(success: Bool) -> ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput {
        .init(result: .write(success: success))
    }

    /// Never the blob.
    public var description: String { "ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput(redacted)" }

    /// A mirror without children, so that `dump` and test failures show nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
