// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A malfunction of an identity store. Its text never names a user, a service or a record.
public struct IdentityStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. New codes may be added, so a `switch` over them needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Backing: String {
            case discarded, diskFull, busy, closed, file, full, refused, interrupted
        }

        private let backing: Backing

        /// The file was damaged. It has been deleted and an empty one made; the provider has to fill it again.
        public static let discarded = Code(backing: .discarded)
        /// The disk is full; nothing of the change was kept.
        public static let diskFull = Code(backing: .diskFull)
        /// Another process holds the file.
        public static let busy = Code(backing: .busy)
        /// The store was closed or its file deleted.
        public static let closed = Code(backing: .closed)
        /// The provider has as many identities as it may have; nothing of the change was kept.
        public static let full = Code(backing: .full)
        /// An identity cannot be shown as it is; nothing of the change was kept.
        public static let refused = Code(backing: .refused)
        /// The change was given up in the middle; nothing of it was kept.
        public static let interrupted = Code(backing: .interrupted)
        /// The file or its folder cannot be read or written.
        public static let file = Code(backing: .file)

        public var description: String { backing.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
    /// The path of the store's file.
    public let file: String

    init(_ code: Code, _ reason: String, file: String) {
        self.code = code
        self.reason = reason
        self.file = file
    }

    public var description: String { "\(code): \(reason) (\(file))" }
}
