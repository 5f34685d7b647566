// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// Free text.
    public struct Note: Codable, Hashable, Sendable {
        /// The text.
        public var content: ASImportableEditableField

        /// A note.
        public init(
            content: ASImportableEditableField
        ) {
            self.content = content
        }
    }
}
