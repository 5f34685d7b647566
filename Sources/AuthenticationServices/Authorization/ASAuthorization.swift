// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a request has led to: a credential.
///
/// Sendable unchecked: nothing in it changes.
open class ASAuthorization: NSObject, @unchecked Sendable {
    /// What made the request that was answered.
    open private(set) var provider: any ASAuthorizationProvider
    /// What the user chose; an `ASPasswordCredential` for a password.
    open private(set) var credential: any ASAuthorizationCredential

    init(provider: any ASAuthorizationProvider, credential: any ASAuthorizationCredential) {
        self.provider = provider
        self.credential = credential
        super.init()
    }
}

extension ASAuthorization {
    /// What of a person's data an app asks for.
    public struct Scope: RawRepresentable, Hashable, Sendable {
        /// The scope's name.
        public let rawValue: String

        /// A scope of a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// A scope of a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person's name.
        public static let fullName = Scope("full_name")
        /// The person's e-mail address.
        public static let email = Scope("email")
    }

    /// What kind of sign-in an app asks for.
    public struct OpenIDOperation: RawRepresentable, Hashable, Sendable {
        /// The operation's name.
        public let rawValue: String

        /// An operation of a name.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// An operation of a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whichever fits.
        public static let operationImplicit = OpenIDOperation("implicit")
        /// A sign-in.
        public static let operationLogin = OpenIDOperation("login")
        /// A look at whether the sign-in still holds.
        public static let operationRefresh = OpenIDOperation("refresh")
        /// A sign-out.
        public static let operationLogout = OpenIDOperation("logout")
    }
}
