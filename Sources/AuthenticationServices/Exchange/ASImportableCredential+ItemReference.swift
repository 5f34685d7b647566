// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// Another item that belongs to this one.
    public struct ItemReference: Codable, Hashable, Sendable {
        /// The other item.
        public var reference: ASImportableLinkedItem

        /// A link to another item.
        public init(
            reference: ASImportableLinkedItem
        ) {
            self.reference = reference
        }
    }
}
