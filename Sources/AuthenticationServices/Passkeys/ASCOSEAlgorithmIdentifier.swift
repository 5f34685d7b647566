// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An algorithm by its number in the COSE registry.
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The value as it travels.
    public let rawValue: Int

    /// A value that may have no name here.
    public init(_ rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A value that may have no name here.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// ECDSA with SHA-256.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static var ES256: ASCOSEAlgorithmIdentifier { ASCOSEAlgorithmIdentifier(-7) }
}
