// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A malfunction of the book of associations.
public struct AssociationBookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. New codes may be added, so a `switch` over them needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Backing: String {
            case closed, full, file, unsupportedVersion
        }

        private let backing: Backing

        /// Latchkey was locked.
        public static let closed = Code(backing: .closed)
        /// There are as many apps as are kept.
        public static let full = Code(backing: .full)
        /// The file cannot be read, or put aside.
        public static let file = Code(backing: .file)
        /// Written by a newer Latchkey.
        public static let unsupportedVersion = Code(backing: .unsupportedVersion)

        public var description: String { backing.rawValue }
    }

    public let code: Code
    /// One clause.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { reason }
}
