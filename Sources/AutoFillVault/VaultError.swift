// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// A malfunction of the vault. Its text never holds anything that is sealed.
public struct VaultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. New codes may be added, so a `switch` over them needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Backing: String {
            case damaged, wrongKey, notFound, tooNew, diskFull, busy, invalidItem, file, outcomeUnknown
        }

        private let backing: Backing

        /// The file, or one row of it, is not what was written.
        public static let damaged = Code(backing: .damaged)
        /// The file is whole but was sealed under another key.
        public static let wrongKey = Code(backing: .wrongKey)
        /// There is no item with this identifier, or it is in the wrong state (removed, or not).
        public static let notFound = Code(backing: .notFound)
        /// A newer Latchkey wrote the file; it was left untouched.
        public static let tooNew = Code(backing: .tooNew)
        /// The disk is full; nothing of the change was kept.
        public static let diskFull = Code(backing: .diskFull)
        /// Another process holds the file; nothing of the change was kept.
        public static let busy = Code(backing: .busy)
        /// A new or changed item is beyond the limits; `reason` says which.
        public static let invalidItem = Code(backing: .invalidItem)
        /// The file or its folder cannot be read or written.
        public static let file = Code(backing: .file)

        /// The disk failed while a change was made final. Whether it was kept is not known.
        public static let outcomeUnknown = Code(backing: .outcomeUnknown)

        public var description: String { backing.rawValue }
    }

    /// What went wrong.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
    /// The path of the vault's file, where one is concerned.
    public let file: String?
    /// The identifier of the row, where one is concerned.
    public let row: String?

    init(_ code: Code, _ reason: String, file: String? = nil, row: String? = nil) {
        self.code = code
        self.reason = reason
        self.file = file
        self.row = row
    }

    public var description: String {
        let place = [file, row.map { "row \($0)" }].compactMap { $0 }.joined(separator: ", ")
        return "\(code): \(reason)" + (place.isEmpty ? "" : " (\(place))")
    }
}
