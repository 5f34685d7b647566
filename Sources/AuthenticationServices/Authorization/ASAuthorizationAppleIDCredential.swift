// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Whether a person is likely to be one; the raw values are Apple's.
@nonexhaustive(warn)
public enum ASUserDetectionStatus: Int, Sendable {
    /// It cannot be told here.
    case unsupported = 0
    /// It could not be told.
    case unknown = 1
    /// A person, most likely.
    case likelyReal = 2
}

/// How old a person is; the raw values are Apple's.
@nonexhaustive(warn)
public enum ASUserAgeRange: Int, Sendable {
    /// It is not known.
    case unknown = 0
    /// A child.
    case child = 1
    /// No child.
    case notChild = 2
}

/// What a sign-in with Apple delivers. It is declared so that sources which ask for its type compile; none is ever made here.
///
/// Sendable unchecked: nothing in it changes.
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    /// Who signed in, as the app's maker knows them.
    open private(set) var user = ""
    /// What went with the request.
    open private(set) var state: String?
    /// What of the person's data the app was given.
    open private(set) var authorizedScopes: [ASAuthorization.Scope] = []
    /// For the app's server.
    open private(set) var authorizationCode: Data?
    /// For the app's server.
    open private(set) var identityToken: Data?
    /// The person's e-mail address.
    open private(set) var email: String?
    /// The person's name.
    open private(set) var fullName: PersonNameComponents?
    /// Whether the person is likely to be one.
    open private(set) var realUserStatus = ASUserDetectionStatus.unsupported
    /// How old the person is.
    open private(set) var userAgeRange = ASUserAgeRange.unknown

    /// Reads nothing: there is none that could have been written.
    public required init?(coder: NSCoder) {
        return nil
    }

    /// Writes nothing.
    open func encode(with coder: NSCoder) {}

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
