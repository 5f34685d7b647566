// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
internal import AutoFillSecrets
public import Foundation
internal import Synchronization

/// Asks the system to change how an account of this app signs in, by the app's own extension.
///
/// The system asks the user first, in a window of the browser or, for a program in a terminal, on that terminal by a program of
/// its own; leave the terminal alone until the delegate is called. Whether the account is saved, and where, the app does not learn.
open class ASAccountAuthenticationModificationController: NSObject {
    /// Is told how it ends, on the main actor.
    open weak var delegate: (any ASAccountAuthenticationModificationControllerDelegate)?
    /// Kept, and without meaning here: the system has a place of its own to ask.
    open weak var presentationContextProvider:
        (any ASAccountAuthenticationModificationControllerPresentationContextProviding)?

    private let connection: AuthorizationConnection
    private let isRunning = Mutex(false)

    /// A controller.
    public convenience override init() {
        self.init(connection: .shared)
    }

    init(connection: AuthorizationConnection) {
        self.connection = connection
        super.init()
    }

    /// Asks. The controller lives until its delegate has been told. One request runs at a time; another one fails.
    open func perform(_ request: ASAccountAuthenticationModificationRequest) {
        let isFirst = isRunning.withLock { isRunning in
            defer { isRunning = true }
            return !isRunning
        }
        let params = isFirst ? Self.params(of: request) : nil
        let connection = self.connection
        // Neither is Sendable, as Apple's are not: they are only handed on to the main actor, where the delegate is.
        nonisolated(unsafe) let (controller, request) = (self, request)
        Task {
            let outcome: Result<WireSecret?, ASExtensionError>
            if let params {
                do {
                    outcome = .success(try await connection.changePassword(params))
                } catch {
                    outcome = .failure(ASExtensionError(asking: error))
                }
            } else {
                outcome = .failure(ASExtensionError(.failed))
            }
            if isFirst { controller.isRunning.withLock { $0 = false } }
            await MainActor.run { controller.tell(outcome, of: request) }
        }
    }

    /// What travels of a request; nothing for one that is not carried out here.
    private static func params(of request: ASAccountAuthenticationModificationRequest) -> Modification.Request.Params? {
        switch request {
        case let request as ASAccountAuthenticationModificationUpgradePasswordToStrongPasswordRequest:
            params(Modification.strongPassword, request.user, request.serviceIdentifier, request.userInfo)
        case let request as ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest:
            params(Modification.signInWithApple, request.user, request.serviceIdentifier, request.userInfo)
        default: nil
        }
    }

    private static func params(
        _ kind: String, _ user: String, _ service: ASCredentialServiceIdentifier, _ userInfo: [AnyHashable: Any]?
    ) -> Modification.Request.Params? {
        let userInfo = userInfo.map { UserInfoList($0) }
        // What cannot travel must not get lost on the way: the extension may need it.
        if case .some(.none) = userInfo { return nil }
        return .init(
            user: user, service: ServiceStatement(type: service.type.rawValue, identifier: service.identifier),
            kind: kind, userInfo: userInfo.flatMap { $0 }.map { WireSecret($0.bytes) })
    }

    @MainActor private func tell(
        _ outcome: Result<WireSecret?, ASExtensionError>, of request: ASAccountAuthenticationModificationRequest
    ) {
        switch outcome {
        case .success(let userInfo):
            delegate?.accountAuthenticationModificationController(
                self, didSuccessfullyComplete: request,
                userInfo: userInfo.flatMap { UserInfoList.userInfo($0.bytes) })
        case .failure(let error):
            delegate?.accountAuthenticationModificationController(self, didFail: request, error: error)
        }
    }
}

extension ASExtensionError {
    /// What an app may know of why nothing was changed: the user's no, and what its own extension said.
    fileprivate init(asking error: any Error) {
        guard let error = error as? WireError else {
            self.init(.failed)
            return
        }
        switch error.code {
        case .userCanceled, .providerExtension(Code.userCanceled.rawValue): self.init(.userCanceled)
        case .providerExtension(Code.failed.rawValue):
            self.init(.failed, userInfo: error.reason.map { [ASExtensionLocalizedFailureReasonErrorKey: $0] } ?? [:])
        default: self.init(.failed)
        }
    }
}
