// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// Reloads the quirks and the public suffix list from disk.
    public enum ReloadQuirks: WireMethod {
        public static let name = "quirks.reload"
        public typealias Params = Empty
        public typealias Answer = QuirksStatement
    }
}

/// The daemon's knowledge of sites, and its age.
public struct QuirksStatement: Codable, Sendable, Equatable {
    /// The source and date of the user's own set; absent if there is none.
    public var source: String?
    public var date: Int64?
    /// The number of groups in use of sites that share accounts.
    public var groups: Int
    /// The public suffix list in use: its file, or `libpsl`, and its date if it states one.
    public var suffixes: String
    public var suffixesDate: Int64?
    /// Data found but not accepted, one sentence each.
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
