// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

/// Converting an account to Sign in with Apple, between the daemon and an extension (section 7).
extension Modification {
    /// Has an extension convert an account, without user interaction.
    public enum Convert: WireMethod {
        public static let name = "provider.convertToSignInWithApple"
        public typealias Answer = Converted

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            public var request: Int
            public var service: ServiceStatement
            public var user: String
            /// The one that the account has; absent where an app asked.
            public var password: WireSecret?
            /// What the app gave along: base64 of a property list; absent where it did not ask.
            public var userInfo: WireSecret?

            public init(
                request: Int,
                service: ServiceStatement,
                user: String,
                password: WireSecret? = nil,
                userInfo: WireSecret? = nil
            ) {
                self.request = request
                self.service = service
                self.user = user
                self.password = password
                self.userInfo = userInfo
            }
        }
    }

    /// The same with the extension's interface.
    public enum PrepareConvert: WireMethod {
        public static let name = "provider.prepareConvertToSignInWithApple"
        public typealias Params = Convert.Params
        public typealias Answer = Converted
    }

    /// The account signs in with Apple from now on.
    public struct Converted: Codable, Sendable, Equatable {
        /// For the app that asked: base64 of a property list.
        public var userInfo: WireSecret?

        public init(userInfo: WireSecret? = nil) {
            self.userInfo = userInfo
        }
    }

    /// An extension asks the system for a credential of Sign in with Apple, for a conversion that runs.
    public enum Authorize: WireMethod {
        public static let name = "modification.authorize"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// Of the conversion.
            public var request: Int
            /// Comes back with the credential; absent where the extension wants none.
            public var state: String?
            /// Stands in the identity token; absent where the extension wants none.
            public var nonce: String?

            public init(request: Int, state: String? = nil, nonce: String? = nil) {
                self.request = request
                self.state = state
                self.nonce = nonce
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// Who signed in, as the app's maker knows them.
            public var user: String
            /// The extension's own.
            public var state: String?
            /// The authorization code, for the app's server.
            public var code: WireSecret
            /// The identity token, which has been verified.
            public var token: WireSecret
            public var email: String?
            public var givenName: String?
            public var familyName: String?

            public init(
                user: String,
                state: String? = nil,
                code: WireSecret,
                token: WireSecret,
                email: String? = nil,
                givenName: String? = nil,
                familyName: String? = nil
            ) {
                self.user = user
                self.state = state
                self.code = code
                self.token = token
                self.email = email
                self.givenName = givenName
                self.familyName = familyName
            }
        }
    }
}

/// An account that signs in with Apple since an extension has converted it.
public struct ConvertedStatement: Codable, Sendable, Equatable {
    public var service: String
    public var user: String
    /// Who kept its password, by name.
    public var provider: String
    /// Whose extension has converted it: the identifier of its app.
    public var app: String
    /// In seconds since 1970.
    public var date: Int64
    /// What has become of the password: `removed`, `detached`, `kept`, `none` or `pending`.
    public var password: String

    public init(service: String, user: String, provider: String, app: String, date: Int64, password: String) {
        self.service = service
        self.user = user
        self.provider = provider
        self.app = app
        self.date = date
        self.password = password
    }
}
