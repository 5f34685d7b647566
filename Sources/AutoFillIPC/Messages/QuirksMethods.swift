// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Reads the quirks and the public suffix list on disk anew.
    public enum ReloadQuirks: WireMethod {
        public static let name = "quirks.reload"
        public typealias Params = Empty
        public typealias Answer = QuirksStatement
    }
}

/// What the daemon knows of sites, and how old that is.
public struct QuirksStatement: Codable, Sendable, Equatable {
    /// Where the user's own set came from, and when; nothing where there is none.
    public var source: String?
    public var date: Int64?
    /// How many groups of sites that share accounts are in use.
    public var groups: Int
    /// The public suffix list in use: its file, or `libpsl`, and when it was made where it says so.
    public var suffixes: String
    public var suffixesDate: Int64?
    /// What was found and not believed, a sentence each.
    public var problems: [String]

    public init(
        source: String? = nil, date: Int64? = nil, groups: Int, suffixes: String, suffixesDate: Int64? = nil,
        problems: [String] = []
    ) {
        self.source = source
        self.date = date
        self.groups = groups
        self.suffixes = suffixes
        self.suffixesDate = suffixesDate
        self.problems = problems
    }
}
