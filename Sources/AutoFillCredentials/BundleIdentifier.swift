// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Names a credential provider: reverse-DNS letters, digits, hyphens and dots.
public struct BundleIdentifier: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// Refuses anything that could not stand as a file name of its own.
    public init?(_ rawValue: String) {
        guard (1...255).contains(rawValue.utf8.count), !rawValue.hasPrefix("."), !rawValue.hasSuffix("."),
            !rawValue.contains(".."),
            rawValue.utf8.allSatisfy({ byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }

    /// The provider that ships with Latchkey.
    public static let builtIn = BundleIdentifier(unchecked: "org.latchkey.passwords")

    /// What stands in the place of a provider for codes that came in messages. No bundle may have it.
    public static let receivedCodes = BundleIdentifier(unchecked: "org.latchkey.codes")

    public var description: String { rawValue }
}
