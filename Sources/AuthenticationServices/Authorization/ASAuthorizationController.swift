// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC
public import Foundation
internal import Synchronization

/// Asks the system for a credential: an app's way to the passwords that are saved for its associated domains.
///
/// The system draws what the user chooses from, in a window of the browser or, for a program in a terminal, on that terminal
/// by a program of its own; leave the terminal alone until the delegate is called. What is saved, and whether anything is, the
/// app does not learn: it is told one credential, or `ASAuthorizationError.canceled`.
///
/// Passwords are what can be asked for. Where requests of other kinds stand beside one for a password they are left out, and
/// alone they end with `ASAuthorizationError.notHandled`.
open class ASAuthorizationController: NSObject {
    /// How requests are carried out.
    public struct RequestOptions: OptionSet, Sendable {
        /// The options as bits.
        public var rawValue: UInt

        /// Options of bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Ask for nothing that is not at hand. It changes nothing here: if it did, an app would learn what is saved.
        public static var preferImmediatelyAvailableCredentials: ASAuthorizationController.RequestOptions {
            RequestOptions(rawValue: 1 << 0)
        }
    }

    /// What is asked for.
    open private(set) var authorizationRequests: [ASAuthorizationRequest]
    /// Is told how it ends, on the main actor.
    open weak var delegate: (any ASAuthorizationControllerDelegate)?
    /// Kept, and without meaning here: the system has a place of its own to ask.
    open weak var presentationContextProvider: (any ASAuthorizationControllerPresentationContextProviding)?

    private let connection: AuthorizationConnection
    private let running = Mutex<Task<Void, Never>?>(nil)

    /// A controller for requests of which one is to be answered.
    public convenience init(authorizationRequests: [ASAuthorizationRequest]) {
        self.init(authorizationRequests: authorizationRequests, connection: .shared)
    }

    init(authorizationRequests: [ASAuthorizationRequest], connection: AuthorizationConnection) {
        self.authorizationRequests = authorizationRequests
        self.connection = connection
        super.init()
    }

    /// Asks. The controller lives until its delegate has been told.
    open func performRequests() {
        perform { await $0.ask(isImmediate: false) }
    }

    /// Asks.
    ///
    /// - Parameter options: See `preferImmediatelyAvailableCredentials`.
    open func performRequests(options: ASAuthorizationController.RequestOptions = []) {
        perform { await $0.ask(isImmediate: options.contains(.preferImmediatelyAvailableCredentials)) }
    }

    /// On iOS, has passkeys offered above the keyboard. There is no such place here: it ends with
    /// `ASAuthorizationError.notHandled`.
    open func performAutoFillAssistedRequests() {
        perform { _ in .failure(ASAuthorizationError(.notHandled)) }
    }

    /// Takes the requests back; the delegate is told `ASAuthorizationError.canceled`.
    open func cancel() {
        running.withLock { $0 }?.cancel()
    }

    private typealias Outcome = Result<ASAuthorization, ASAuthorizationError>

    private func perform(_ body: @escaping @Sendable (isolated Asking) async -> Outcome) {
        let asking = Asking(
            request: authorizationRequests.first { $0 is ASAuthorizationPasswordRequest }, connection: connection)
        // The controller is not Sendable, as Apple's is not: it is only handed on to the main actor, where the delegate is.
        nonisolated(unsafe) let controller = self
        let isFirst = running.withLock { running in
            guard running == nil else { return false }
            running = Task {
                let outcome = await body(asking)
                controller.running.withLock { $0 = nil }
                await MainActor.run { controller.tell(outcome) }
            }
            return true
        }
        guard !isFirst else { return }
        Task { await MainActor.run { controller.tell(.failure(ASAuthorizationError(.failed))) } }
    }

    @MainActor private func tell(_ outcome: Outcome) {
        switch outcome {
        case .success(let authorization):
            delegate?.authorizationController(controller: self, didCompleteWithAuthorization: authorization)
        case .failure(let error):
            delegate?.authorizationController(controller: self, didCompleteWithError: error)
        }
    }

    /// What one performance asks, away from the main actor.
    private actor Asking {
        private let request: ASAuthorizationRequest?
        private let connection: AuthorizationConnection

        init(request: ASAuthorizationRequest?, connection: AuthorizationConnection) {
            self.request = request
            self.connection = connection
        }

        func ask(isImmediate: Bool) async -> Outcome {
            guard let request else { return .failure(ASAuthorizationError(.notHandled)) }
            do {
                let credential = try await connection.requestPassword(isImmediate: isImmediate)
                return .success(ASAuthorization(provider: request.provider, credential: credential))
            } catch {
                return .failure(ASAuthorizationError(asking: error))
            }
        }
    }
}

extension ASAuthorizationError {
    /// What an app may know of why it got nothing.
    init(asking error: any Error) {
        switch (error as? WireError)?.code {
        case .userCanceled: self.init(.canceled)
        case .invalidParams, .methodNotFound: self.init(.notHandled)
        case nil: self.init(error is CancellationError ? .canceled : .unknown)
        default: self.init(.failed)
        }
    }
}
