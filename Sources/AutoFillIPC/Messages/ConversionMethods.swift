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
            /// The account's current password; absent if an app made the request.
            public var password: WireSecret?
            /// The app's information for the extension: base64 of a property list; absent if no app made the request.
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

    /// Has an extension convert an account, with its interface.
    public enum PrepareConvert: WireMethod {
        public static let name = "provider.prepareConvertToSignInWithApple"
        public typealias Params = Convert.Params
        public typealias Answer = Converted
    }

    /// The result: the account now signs in with Apple.
    public struct Converted: Codable, Sendable, Equatable {
        /// The extension's information for the requesting app: base64 of a property list.
        public var userInfo: WireSecret?

        public init(userInfo: WireSecret? = nil) {
            self.userInfo = userInfo
        }
    }

    /// An extension asks the system for a credential of Sign in with Apple, for a conversion in progress.
    public enum Authorize: WireMethod {
        public static let name = "modification.authorize"

        /// The parameters.
        public struct Params: Codable, Sendable, Equatable {
            /// The number of the conversion's request.
            public var request: Int
            /// Returned with the credential; absent if the extension states none.
            public var state: String?
            /// Included in the identity token; absent if the extension states none.
            public var nonce: String?

            public init(request: Int, state: String? = nil, nonce: String? = nil) {
                self.request = request
                self.state = state
                self.nonce = nonce
            }
        }

        /// The result.
        public struct Answer: Codable, Sendable, Equatable {
            /// The user identifier that Apple gives to the app's developer.
            public var user: String
            /// The `state` of the request.
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

/// An account that signs in with Apple since its conversion by an extension.
public struct ConvertedStatement: Codable, Sendable, Equatable {
    public var service: String
    public var user: String
    /// The name of the provider that kept its password.
    public var provider: String
    /// The identifier of the app whose extension converted it.
    public var app: String
    /// In seconds since 1970.
    public var date: Int64
    /// What happened to the password: `removed`, `detached`, `kept`, `none` or `pending`.
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
