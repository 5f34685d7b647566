// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Makes requests to sign in with Apple, so that sources which offer that beside passwords compile. There is no Apple Account on
/// Linux: such a request ends with `ASAuthorizationError.notHandled` where nothing else is asked for beside it.
///
/// Sendable unchecked: Apple's is an open class; nothing of this one changes once it is made.
open class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    /// Whether an app may take a person for signed in; the raw values are Apple's.
    @nonexhaustive(warn)
    public enum CredentialState: Int, Sendable {
        /// The person has taken it back.
        case revoked = 0
        /// The person is signed in.
        case authorized = 1
        /// There is no such person here.
        case notFound = 2
        /// The app has another owner now.
        case transferred = 3
    }

    /// A provider; all of them are the same.
    public override init() {
        super.init()
    }

    /// A request to sign in with Apple.
    open func createRequest() -> ASAuthorizationAppleIDRequest {
        ASAuthorizationAppleIDRequest(provider: self)
    }

    /// Tells at once that there is no such person here.
    open func getCredentialState(
        forUserID userID: String,
        completion: @escaping (ASAuthorizationAppleIDProvider.CredentialState, (any Error)?) -> Void
    ) {
        completion(.notFound, nil)
    }

    /// There is no such person here.
    open func credentialState(
        forUserID userID: String
    ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
        .notFound
    }

    /// Posted when a person takes it back; never here.
    open class var credentialRevokedNotification: NSNotification.Name {
        NSNotification.Name("ASAuthorizationAppleIDCredentialRevokedNotification")
    }
}

/// A request to sign in with Apple.
///
/// Sendable unchecked: Apple's is an open class; it is set up before it is performed, and only read afterwards.
open class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest, @unchecked Sendable {
    /// Who has signed in before.
    open var user: String?

    override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        user = coder.text("user")
    }

    /// Writes all that was asked for.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.write(user, "user")
    }

    /// A request like this one.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let request = copied(into: ASAuthorizationAppleIDRequest(provider: provider))
        request.user = user
        return request
    }
}
