// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Why something of a password store was not done. Its text never holds a secret.
public struct PassStoreError: Error, Hashable, Sendable {
    /// The kinds of failure. Others may join them.
    public struct Code: Hashable, Sendable {
        private enum Backing { case noEntry, exists, invalid, unreadable, folder, recipients, program, git, changed }

        private let backing: Backing

        /// There is no such entry.
        public static let noEntry = Code(backing: .noEntry)
        /// Something has this name already.
        public static let exists = Code(backing: .exists)
        /// A name or a text that cannot be kept.
        public static let invalid = Code(backing: .invalid)
        /// A file that is there and is not an entry: a link, a pipe, too large.
        public static let unreadable = Code(backing: .unreadable)
        /// The folder cannot be read or written.
        public static let folder = Code(backing: .folder)
        /// Nobody, or nobody known, to encrypt to.
        public static let recipients = Code(backing: .recipients)
        /// A program is not there, failed, or took too long.
        public static let program = Code(backing: .program)
        /// The repository did not take the change.
        public static let git = Code(backing: .git)
        /// Somebody else changed the entry meanwhile.
        public static let changed = Code(backing: .changed)
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for people.
    public let reason: String
    /// What the person can do, where there is something.
    public let hint: String?

    /// An error with a sentence for people.
    public init(_ code: Code, _ reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }
}
