// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A request in the terms of OpenID. Nobody here answers one: it ends with `ASAuthorizationError.notHandled`.
///
/// Sendable unchecked: Apple's is an open class; it is set up before it is performed, and only read afterwards.
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest, @unchecked Sendable {
    /// What of the person's data is asked for.
    open var requestedScopes: [ASAuthorization.Scope]?
    /// What comes back with the answer as it went.
    open var state: String?
    /// What ties the answer's token to the request.
    open var nonce: String?
    /// What kind of sign-in it is.
    open var requestedOperation = ASAuthorization.OpenIDOperation.operationImplicit

    override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationAppleIDProvider())
        requestedScopes = coder.plain([String].self, "requestedScopes")?.map { ASAuthorization.Scope($0) }
        state = coder.text("state")
        nonce = coder.text("nonce")
        if let operation = coder.text("requestedOperation") {
            requestedOperation = ASAuthorization.OpenIDOperation(operation)
        }
    }

    /// Writes all that was asked for.
    open override func encode(with coder: NSCoder) {
        coder.write(plain: requestedScopes?.map(\.rawValue), "requestedScopes")
        coder.write(state, "state")
        coder.write(nonce, "nonce")
        coder.write(requestedOperation.rawValue, "requestedOperation")
    }

    /// A request like this one.
    open override func copy(with zone: NSZone? = nil) -> Any {
        copied(into: ASAuthorizationOpenIDRequest(provider: provider))
    }

    func copied<Request: ASAuthorizationOpenIDRequest>(into request: Request) -> Request {
        request.requestedScopes = requestedScopes
        request.state = state
        request.nonce = nonce
        request.requestedOperation = requestedOperation
        return request
    }
}
