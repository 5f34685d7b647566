// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

extension ASCredentialIdentityStore {
    /// Types of identities; none of them stands for all.
    public struct IdentityTypes: OptionSet, Sendable {
        /// The types' bits, which are Apple's.
        public let rawValue: UInt

        /// Types by their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Passwords.
        public static var password: ASCredentialIdentityStore.IdentityTypes { .init(rawValue: 1 << 0) }
        /// Passkeys.
        public static var passkey: ASCredentialIdentityStore.IdentityTypes { .init(rawValue: 1 << 1) }
        /// Sources of one-time codes.
        public static var oneTimeCode: ASCredentialIdentityStore.IdentityTypes { .init(rawValue: 1 << 2) }
    }
}
