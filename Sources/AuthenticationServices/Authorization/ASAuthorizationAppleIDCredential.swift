// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
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

/// What a sign-in with Apple delivers: to an extension that converts an account, and to nobody else here.
///
/// Sendable unchecked: nothing in it changes.
open class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    /// Who signed in, as the app's maker knows them.
    open private(set) var user: String
    /// What went with the request.
    open private(set) var state: String?
    /// What of the person's data the app was given.
    open private(set) var authorizedScopes: [ASAuthorization.Scope] = []
    /// For the app's server, which exchanges it.
    open private(set) var authorizationCode: Data?
    /// For the app's server, which verifies it once more.
    open private(set) var identityToken: Data?
    /// The person's e-mail address, or one that leads there.
    open private(set) var email: String?
    /// The person's name; told the first time only, and signed by nobody.
    open private(set) var fullName: PersonNameComponents?
    /// Always `unsupported`: the web does not tell.
    open private(set) var realUserStatus = ASUserDetectionStatus.unsupported
    /// How old the person is.
    open private(set) var userAgeRange = ASUserAgeRange.unknown

    init(_ answer: Modification.Authorize.Answer) {
        user = answer.user
        state = answer.state
        // Apple's type holds Data, which cannot be wiped.
        authorizationCode = answer.code.bytes.withUnsafeBytes { Data($0) }
        identityToken = answer.token.bytes.withUnsafeBytes { Data($0) }
        email = answer.email
        if answer.givenName != nil || answer.familyName != nil {
            var name = PersonNameComponents()
            name.givenName = answer.givenName
            name.familyName = answer.familyName
            fullName = name
        }
        authorizedScopes = (fullName == nil ? [] : [.fullName]) + (email == nil ? [] : [.email])
        super.init()
    }

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
