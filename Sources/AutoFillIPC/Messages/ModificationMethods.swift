// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Changing how an account signs in, by an extension of its app (sections 6, 7 and 9).
public enum Modification {
    /// The kind of change that has a password in the end.
    public static let strongPassword = "strong-password"
    /// The kind of change that has none.
    public static let signInWithApple = "sign-in-with-apple"

    // MARK: Between the daemon and an extension

    /// Changes a password at its service, without user interaction.
    public enum ChangePassword: WireMethod {
        public static let name = "provider.changePassword"
        public typealias Answer = Changed

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var service: ServiceStatement
            public var user: String
            /// The one that the account has; absent where an app asked.
            public var password: WireSecret?
            public var newPassword: WireSecret
            /// What the app gave along: base64 of a property list; absent where it did not ask.
            public var userInfo: WireSecret?

            public init(
                request: Int,
                service: ServiceStatement,
                user: String,
                password: WireSecret? = nil,
                newPassword: WireSecret,
                userInfo: WireSecret? = nil
            ) {
                self.request = request
                self.service = service
                self.user = user
                self.password = password
                self.newPassword = newPassword
                self.userInfo = userInfo
            }
        }
    }

    /// Changes a password at its service, with the extension's interface.
    public enum PrepareChangePassword: WireMethod {
        public static let name = "provider.prepareChangePassword"
        public typealias Params = ChangePassword.Params
        public typealias Answer = Changed
    }

    /// How the account signs in from now on.
    public struct Changed: Codable, Sendable, Equatable {
        public var user: String
        /// It may be another one than was proposed.
        public var password: WireSecret
        /// For the app that asked: base64 of a property list.
        public var userInfo: WireSecret?

        public init(user: String, password: WireSecret, userInfo: WireSecret? = nil) {
            self.user = user
            self.password = password
            self.userInfo = userInfo
        }
    }

    // MARK: Between an app and the daemon

    /// An app asks for a change of one of its accounts.
    public enum Request: WireMethod {
        public static let name = "modification.request"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var user: String
            public var service: ServiceStatement
            /// `strong-password` or `sign-in-with-apple`.
            public var kind: String
            /// For the extension: base64 of a property list.
            public var userInfo: WireSecret?
            /// `window`, `terminal`: where the system may ask, the preferred one first.
            public var surfaces: [String]

            public init(
                user: String,
                service: ServiceStatement,
                kind: String,
                userInfo: WireSecret? = nil,
                surfaces: [String] = []
            ) {
                self.user = user
                self.service = service
                self.kind = kind
                self.userInfo = userInfo
                self.surfaces = surfaces
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// What the extension gave along.
            public var userInfo: WireSecret?

            public init(userInfo: WireSecret? = nil) {
                self.userInfo = userInfo
            }
        }
    }
}

/// Changing how saved accounts sign in, for settings (section 6).
public enum Upgrades {
    /// The accounts that can be changed, and those that cannot with the reason.
    public enum List: WireMethod {
        public static let name = "upgrades.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL; every account that an extension is there for where it is absent.
            public var service: String?
            /// Whether what there is to recommend about the accounts is to be said, and puts them in order.
            public var ranked: Bool?

            public init(service: String? = nil, ranked: Bool? = nil) {
                self.service = service
                self.ranked = ranked
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var accounts: [UpgradeStatement]
            public var unsettled: [UnsettledStatement]
            /// Those that sign in with Apple now; the newest first.
            public var converted: [ConvertedStatement]?

            public init(
                accounts: [UpgradeStatement],
                unsettled: [UnsettledStatement],
                converted: [ConvertedStatement]? = nil
            ) {
                self.accounts = accounts
                self.unsettled = unsettled
                self.converted = converted
            }
        }
    }

    /// Changes how one account signs in; answered when that has ended, one way or the other.
    public enum Run: WireMethod {
        public static let name = "upgrades.run"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL.
            public var service: String
            /// May be absent where there is one account only.
            public var user: String?
            /// `strong-password` or `sign-in-with-apple`.
            public var kind: String

            public init(service: String, user: String? = nil, kind: String = Modification.strongPassword) {
                self.service = service
                self.user = user
                self.kind = kind
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            public var service: String
            public var user: String
            /// Who keeps the new password, or kept the old one.
            public var provider: String
            /// Whose extension has changed it.
            public var `extension`: String
            /// What has become of the password of an account that signs in with Apple now, as `ConvertedStatement` has it.
            public var password: String?

            public init(service: String, user: String, provider: String, extension: String, password: String? = nil) {
                self.service = service
                self.user = user
                self.provider = provider
                self.extension = `extension`
                self.password = password
            }
        }
    }

    /// Notification to who runs an upgrade: it has come to another step.
    public enum Progress {
        public static let name = "upgrades.progress"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// `making`, `keeping`, `changing`, `asking`, `signing-in`, `saving` or `removing`.
            public var step: String
            /// Of one that was begun from a recommendation: its handle.
            public var handle: String?
            /// The account, of every other one.
            public var service: String?
            public var user: String?

            public init(step: String, handle: String? = nil, service: String? = nil, user: String? = nil) {
                self.step = step
                self.handle = handle
                self.service = service
                self.user = user
            }
        }
    }

    /// Ends the uncertainty over an account: says which of its two passwords the service takes.
    public enum Settle: WireMethod {
        public static let name = "upgrades.settle"
        public typealias Answer = Empty

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var id: String
            /// Whether the new password is the one that works.
            public var isNew: Bool

            public init(id: String, isNew: Bool) {
                self.id = id
                self.isNew = isNew
            }
        }
    }
}

/// An account, and whether its password can be changed by one act.
public struct UpgradeStatement: Codable, Sendable, Equatable {
    public var service: String
    public var user: String
    /// Who keeps it.
    public var provider: String
    /// Whose extension would change it, by name.
    public var `extension`: String?
    /// Why it cannot be changed; absent where it can.
    public var refusal: String?
    /// Whose extension would convert it to Sign in with Apple, by name; absent where nobody would.
    public var signInWithApple: String?
    /// Why its password had better be changed; a sentence, absent where nobody says so.
    public var reason: String?

    public init(
        service: String,
        user: String,
        provider: String,
        extension: String?,
        refusal: String? = nil,
        signInWithApple: String? = nil,
        reason: String? = nil
    ) {
        self.service = service
        self.user = user
        self.provider = provider
        self.extension = `extension`
        self.refusal = refusal
        self.signInWithApple = signInWithApple
        self.reason = reason
    }
}

/// A change of which it is not known whether the service has made it.
public struct UnsettledStatement: Codable, Sendable, Equatable {
    public var id: String
    public var service: String
    public var user: String
    /// Who keeps both passwords.
    public var provider: String
    /// In seconds since 1970.
    public var date: Int64

    public init(id: String, service: String, user: String, provider: String, date: Int64) {
        self.id = id
        self.service = service
        self.user = user
        self.provider = provider
        self.date = date
    }
}
