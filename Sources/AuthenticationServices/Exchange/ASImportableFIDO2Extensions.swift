// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What an authenticator keeps beside a passkey.
public struct ASImportableFIDO2Extensions: Codable, Hashable, Sendable {
    /// The secrets of the passkey's pseudo-random function.
    public var hmacCredentials: ASImportableFIDO2HMACCredential?
    /// The passkey's blob.
    public var largeBlob: ASImportableFIDO2LargeBlob?

    /// Extensions of what there is.
    public init(
        hmacCredentials: ASImportableFIDO2HMACCredential?,
        largeBlob: ASImportableFIDO2LargeBlob?
    ) {
        self.hmacCredentials = hmacCredentials
        self.largeBlob = largeBlob
    }
}
