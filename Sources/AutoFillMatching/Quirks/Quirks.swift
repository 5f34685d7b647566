// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// What the rules are made of: a public suffix list, and who shares accounts with whom.
public struct Quirks: Sendable {
    public let suffixes: PublicSuffixes
    public let shared: SharedCredentials
    /// The folder that the groups were read from; nothing where there was none.
    public let folder: String?
    /// What was found and not believed, a sentence each.
    public let problems: [String]

    public init(suffixes: PublicSuffixes, shared: SharedCredentials, folder: String? = nil, problems: [String] = []) {
        self.suffixes = suffixes
        self.shared = shared
        self.folder = folder
        self.problems = problems
    }

    /// Nothing but the distribution's list.
    public static let none = Quirks(suffixes: .distribution, shared: .empty)
}
