// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillCredentials

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

        /// The types as they travel; none for all.
        var names: [String] {
            let all: [(IdentityTypes, CredentialType)] = [
                (.password, .password), (.passkey, .passkey), (.oneTimeCode, .oneTimeCode),
            ]
            return all.filter { contains($0.0) }.map(\.1.rawValue)
        }
    }
}
