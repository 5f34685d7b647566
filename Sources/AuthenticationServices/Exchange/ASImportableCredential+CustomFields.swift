// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ASImportableCredential {
    /// Fields of the user's own.
    public struct CustomFields: Codable, Hashable, Sendable {
        /// The exporter's own key for the fields.
        public var id: Data?
        /// Their name for people.
        public var label: String?
        /// The fields.
        public var fields: [ASImportableEditableField]

        /// Fields under a label.
        public init(
            id: Data? = nil,
            label: String? = nil,
            fields: [ASImportableEditableField]
        ) {
            self.id = id
            self.label = label
            self.fields = fields
        }
    }
}
