// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why known leaks cannot be searched.
public struct BreachError: Error, Equatable, Sendable {
    /// The kinds of trouble. Others may join them.
    public struct Code: Hashable, Sendable {
        private enum Kind { case unreadable, malformed, unsorted }

        private let kind: Kind

        /// It is not there, or may not be read.
        public static let unreadable = Code(kind: .unreadable)
        /// It is not of the layout `HASH:COUNT`.
        public static let malformed = Code(kind: .malformed)
        /// Its lines do not rise, so that nothing can be found by halving.
        public static let unsorted = Code(kind: .unsorted)
    }

    public let code: Code
    /// One sentence for people.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
