// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A key for a programming interface.
    public struct APIKey: Codable, Hashable, Sendable {
        /// The secret.
        public var key: ASImportableEditableField?
        /// Whom the key belongs to.
        public var userName: ASImportableEditableField?
        /// What kind of key it is.
        public var keyType: ASImportableEditableField?
        /// Where the key is good.
        public var url: ASImportableEditableField?
        /// From when it is good.
        public var validFrom: ASImportableEditableField?
        /// Until when it is good.
        public var expiryDate: ASImportableEditableField?

        private enum CodingKeys: String, CodingKey {
            case key
            case userName = "username"
            case keyType
            case url
            case validFrom
            case expiryDate
        }

        /// A key of what there is.
        public init(
            key: ASImportableEditableField?,
            userName: ASImportableEditableField?,
            keyType: ASImportableEditableField?,
            url: ASImportableEditableField?,
            validFrom: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?
        ) {
            self.key = key
            self.userName = userName
            self.keyType = keyType
            self.url = url
            self.validFrom = validFrom
            self.expiryDate = expiryDate
        }
    }
}
