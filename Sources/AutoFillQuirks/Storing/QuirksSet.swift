// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import AutoFillIPC
internal import Crypto

/// `set.json`: what a set of quirks consists of, where it came from, and when.
public struct QuirksSet: Codable, Sendable, Equatable {
    /// The newest format that this build reads.
    public static let currentFormat = 1
    public static let fileName = "set.json"

    /// One file of the set.
    public struct Entry: Codable, Sendable, Equatable {
        /// `sha256:` and the digest of the file in hexadecimal.
        public var digest: String
        public var bytes: Int
        /// How many groups, domains, apps or rules it speaks of.
        public var entries: Int
        /// Where it came from: an address or a folder.
        public var source: String
        /// When it was fetched, in seconds since 1970.
        public var date: Int64

        public init(digest: String, bytes: Int, entries: Int, source: String, date: Int64) {
            self.digest = digest
            self.bytes = bytes
            self.entries = entries
            self.source = source
            self.date = date
        }
    }

    public var format: Int
    /// Where the newest of the files came from.
    public var source: String
    /// When the set was last brought up to date, in seconds since 1970.
    public var date: Int64
    /// By the names of `QuirksFile`; a name that this build does not know is left alone.
    public var files: [String: Entry]
    /// The public suffix list's own word on when it was made, and that in seconds since 1970.
    public var suffixesVersion: String?
    public var suffixesDate: Int64?

    public init(
        source: String, date: Int64, files: [String: Entry], suffixesVersion: String? = nil, suffixesDate: Int64? = nil
    ) {
        format = Self.currentFormat
        self.source = source
        self.date = date
        self.files = files
        self.suffixesVersion = suffixesVersion
        self.suffixesDate = suffixesDate
    }

    /// Reads a `set.json`.
    ///
    /// - Throws: `storageFailed` for a damaged one, `unsupportedVersion` for one of a newer Latchkey.
    public init(_ bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count <= 65_536, let value = try? JSONValue(readingText: bytes),
            case .integer(let format)? = value["format"]
        else { throw WireError(.storageFailed, "The set.json of the quirks is damaged.", hint: Self.remedy) }
        guard format == Int64(Self.currentFormat) else {
            throw WireError(.unsupportedVersion, "The quirks were written by a newer Latchkey.")
        }
        guard let read: QuirksSet = try? value.decoded() else {
            throw WireError(.storageFailed, "The set.json of the quirks is damaged.", hint: Self.remedy)
        }
        self = read
    }

    /// What is written to disk.
    public var text: [UInt8] {
        ((try? JSONValue(encoding: self))?.textWithoutSecrets ?? []) + [UInt8(ascii: "\n")]
    }

    static let remedy = "`latchkey quirks update` writes all of it anew; `latchkey quirks remove` takes it away."

    /// The digest as `Entry.digest` has it.
    public static func digest(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return "sha256:" + SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
