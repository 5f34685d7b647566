// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Methods for the role login (section 11): the PAM module unlocks when the user logs in.
public enum Login {
    /// States how the key is derived from the login password, which the daemon never gets.
    public enum Terms: WireMethod {
        public static let name = "login.terms"
        public typealias Params = Empty

        /// Argon2id's salt, as 32 hexadecimal digits, and its cost.
        public struct Answer: Codable, Sendable, Equatable {
            public var salt: String
            public var memoryKiB: UInt32
            public var iterations: UInt32
            public var parallelism: UInt32
            /// How often Latchkey was locked since the daemon started, for `login.unlock`.
            public var locks: Int

            public init(salt: String, memoryKiB: UInt32, iterations: UInt32, parallelism: UInt32, locks: Int) {
                self.locks = locks
                self.salt = salt
                self.memoryKiB = memoryKiB
                self.iterations = iterations
                self.parallelism = parallelism
            }
        }
    }

    /// Unlocks with the key that was derived from the login password.
    public enum Unlock: WireMethod {
        public static let name = "login.unlock"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// 64 hexadecimal digits.
            public var key: WireSecret
            /// As `login.terms` stated it: what was locked since then stays locked.
            public var locks: Int

            public init(key: WireSecret, locks: Int) {
                self.key = key
                self.locks = locks
            }
        }
    }

    /// Goes on with a new login password after the user has changed it. The cost stays.
    public enum Rewrap: WireMethod {
        public static let name = "login.rewrap"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Derived from the old password; 64 hexadecimal digits.
            public var key: WireSecret
            /// Derived from the new password with the new salt; 64 hexadecimal digits.
            public var newKey: WireSecret
            /// 32 hexadecimal digits.
            public var newSalt: String

            public init(key: WireSecret, newKey: WireSecret, newSalt: String) {
                self.key = key
                self.newKey = newKey
                self.newSalt = newSalt
            }
        }
    }
}
