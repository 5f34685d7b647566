// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASImportableCredential {
    /// A password that was made up and is not yet used. It prints as nothing.
    public struct GeneratedPassword: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        /// The secret.
        public var password: String

        /// A password.
        public init(
            password: String
        ) {
            self.password = password
        }

        /// Never what it holds.
        public var description: String { "ASImportableCredential.GeneratedPassword(redacted)" }

        /// A mirror without children, so that `dump` and test failures show nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
