// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// An elliptic curve by its number in the COSE registry.
public struct ASCOSEEllipticCurveIdentifier: RawRepresentable, Hashable, Sendable {
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

    /// NIST P-256.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static var P256: ASCOSEEllipticCurveIdentifier { ASCOSEEllipticCurveIdentifier(1) }
}
