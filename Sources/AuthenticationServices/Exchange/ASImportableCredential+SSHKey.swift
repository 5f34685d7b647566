// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension ASImportableCredential {
    /// A key for SSH. It prints as nothing.
    public struct SSHKey: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// What kind of key it is, as SSH names it.
        public var keyType: String
        /// The private key, in PKCS #8.
        public var privateKey: Data
        /// The key's comment.
        public var keyComment: String?
        /// When it was made.
        public var creationDate: ASImportableEditableField?
        /// Until when it is good.
        public var expiryDate: ASImportableEditableField?
        /// Where it was made.
        public var keyGenerationSource: ASImportableEditableField?

        /// A key with all its members.
        public init(
            keyType: String,
            privateKey: Data,
            keyComment: String?,
            creationDate: ASImportableEditableField?,
            expiryDate: ASImportableEditableField?,
            keyGenerationSource: ASImportableEditableField?
        ) {
            self.keyType = keyType
            self.privateKey = privateKey
            self.keyComment = keyComment
            self.creationDate = creationDate
            self.expiryDate = expiryDate
            self.keyGenerationSource = keyGenerationSource
        }

        /// Never what it holds.
        public var description: String { "ASImportableCredential.SSHKey(redacted)" }

        /// A mirror without children, so that `dump` and test failures show nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
