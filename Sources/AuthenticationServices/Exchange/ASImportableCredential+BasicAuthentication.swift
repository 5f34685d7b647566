// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A user name and a password.
    public struct BasicAuthentication: Codable, Hashable, Sendable {
        /// Whom the password belongs to.
        public var userName: ASImportableEditableField?
        /// The secret.
        public var password: ASImportableEditableField?

        private enum CodingKeys: String, CodingKey {
            case userName = "username"
            case password
        }

        /// A user name, a password or both.
        public init(
            userName: ASImportableEditableField? = nil,
            password: ASImportableEditableField? = nil
        ) {
            self.userName = userName
            self.password = password
        }
    }
}
