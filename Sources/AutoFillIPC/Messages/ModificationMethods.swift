// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Changes how an account signs in, by an extension of its app (sections 6, 7 and 9).
public enum Modification {
    /// The kind of change that results in a new password.
    public static let strongPassword = "strong-password"
    /// The kind of change that results in an account without a password.
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
            /// The account's current password; absent if an app made the request.
            public var password: WireSecret?
            public var newPassword: WireSecret
            /// The app's information for the extension: base64 of a property list; absent if no app made the request.
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

    /// The new credential of the account.
    public struct Changed: Codable, Sendable, Equatable {
        public var user: String
        /// The new password, which may differ from the proposed one.
        public var password: WireSecret
        /// The extension's information for the requesting app: base64 of a property list.
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
            /// Information for the extension: base64 of a property list.
            public var userInfo: WireSecret?
            /// Where the system may ask, in order of preference: `window`, `terminal`.
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
            /// The extension's information for the app.
            public var userInfo: WireSecret?

            public init(userInfo: WireSecret? = nil) {
                self.userInfo = userInfo
            }
        }
    }
}

/// Changes how saved accounts sign in, for settings (section 6).
public enum Upgrades {
    /// The accounts that can be changed, and those that cannot, each with the reason.
    public enum List: WireMethod {
        public static let name = "upgrades.list"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL; absent for all accounts that have an extension.
            public var service: String?
            /// Whether to include recommendations about the accounts, and to sort by them.
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
            /// The accounts that sign in with Apple now, newest first.
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

    /// Changes how one account signs in. Answered when the change has ended, successful or not.
    public enum Run: WireMethod {
        public static let name = "upgrades.run"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// A host or URL.
            public var service: String
            /// May be absent if there is only one account.
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
            /// The name of the provider that saved the new password, or kept the old one.
            public var provider: String
            /// The name of the extension that made the change.
            public var `extension`: String
            /// For an account that now signs in with Apple: what happened to its password, as in `ConvertedStatement`.
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

    /// A notification to the client that runs an upgrade: the upgrade has reached another step.
    public enum Progress {
        public static let name = "upgrades.progress"

        /// What is done in a step, for people; `nil` for a step that has no sentence.
        package static func sentence(of step: String) -> String? {
            switch step {
            case "making": "Making a password…"
            case "keeping": "Keeping it…"
            case "changing": "Changing it at the service…"
            case "asking": "The service's app asks you something first…"
            case "saving": "Saving it…"
            case "signing-in": "Sign in with Apple in the window of your browser…"
            case "removing": "Removing the password…"
            default: nil
            }
        }

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// `making`, `keeping`, `changing`, `asking`, `signing-in`, `saving` or `removing`.
            public var step: String
            /// For an upgrade begun from a recommendation: its handle.
            public var handle: String?
            /// For any other upgrade: the account's service.
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

    /// Resolves an uncertain change: states which of the account's two passwords the service accepts.
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

/// An account, and whether its password can be changed in one step.
public struct UpgradeStatement: Codable, Sendable, Equatable {
    public var service: String
    public var user: String
    /// The name of the provider that keeps it.
    public var provider: String
    /// The name of the extension that would change it.
    public var `extension`: String?
    /// Why it cannot be changed; absent if it can.
    public var refusal: String?
    /// The name of the extension that would convert it to Sign in with Apple; absent if there is none.
    public var signInWithApple: String?
    /// Why its password should be changed, in a sentence; absent if there is no such recommendation.
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

/// A change whose outcome at the service is unknown.
public struct UnsettledStatement: Codable, Sendable, Equatable {
    public var id: String
    public var service: String
    public var user: String
    /// The name of the provider that keeps both passwords.
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
