// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Is told how a controller's request ends, on the main actor. Exactly one of the two is called, once.
public protocol ASAccountAuthenticationModificationControllerDelegate: NSObjectProtocol {
    /// The account signs in as the app has asked: the password manager has its new password, or it has none any more.
    ///
    /// - Parameter userInfo: What the extension gave along.
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
        userInfo: [AnyHashable: Any]?
    )

    /// Nothing was changed as far as the system knows; an `ASExtensionError` says why, as far as the app may know.
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: any Error
    )
}

extension ASAccountAuthenticationModificationControllerDelegate {
    /// Does nothing.
    public func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest,
        userInfo: [AnyHashable: Any]?
    ) {}

    /// Does nothing.
    public func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest,
        error: any Error
    ) {}
}

/// Names the window over which the system asks. Here the system asks in a place of its own, so nobody is asked for one.
@preconcurrency @MainActor
public protocol ASAccountAuthenticationModificationControllerPresentationContextProviding: NSObjectProtocol {
    /// The window over which the system asks.
    func presentationAnchor(for controller: ASAccountAuthenticationModificationController) -> ASPresentationAnchor
}
