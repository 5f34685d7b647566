// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillCredentials

/// Names an app to the sites that approve it: `E5336VM85F.com.example.Shiny`.
///
/// A prefix of ten letters and digits, given to the app's maker, and the app's bundle identifier. Two identifiers that
/// differ in case differ.
public struct AppIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The whole identifier, as the site's file has to hold it.
    public let rawValue: String
    /// The app's bundle identifier.
    public let bundle: BundleIdentifier

    /// Refuses what has no prefix of ten ASCII letters and digits, or no bundle identifier behind it.
    public init?(_ rawValue: String) {
        guard rawValue.utf8.count <= Self.byteLimit else { return nil }
        let bytes = Array(rawValue.utf8)
        guard bytes.count > 11, bytes[10] == UInt8(ascii: "."), bytes[..<10].allSatisfy(Self.isAlphanumeric),
            let bundle = BundleIdentifier(String(decoding: bytes[11...], as: UTF8.self))
        else { return nil }
        self.rawValue = rawValue
        self.bundle = bundle
    }

    /// The ten characters that were given to the app's maker.
    public var prefix: String { String(rawValue.prefix(10)) }

    public var description: String { rawValue }

    /// More bytes than this no identifier has.
    static let byteLimit = 11 + 255

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}
