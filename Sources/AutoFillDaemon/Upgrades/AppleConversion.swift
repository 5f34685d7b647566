// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The way of one account to Sign in with Apple, as decisions: what has happened goes in, what is to be done next comes out.
///
/// The password stays where it is, wherever it ends, until three things are true: the extension was given a credential in this
/// very conversion, it has said that the service took it, and the daemon has written that down.
struct AppleConversion: Equatable, Sendable {
    /// What is to be done next.
    enum Step: Equatable, Sendable {
        /// The extension is to be started, and the password released for it.
        case prepare
        /// The extension is to convert the account at the service.
        case convert(withInterface: Bool)
        /// How the account signs in now is to be written down.
        case record
        /// The provider is to remove the password.
        case remove
        /// It is over.
        case end(Ending)
    }

    /// How it ends.
    enum Ending: Equatable, Sendable {
        /// The account signs in with Apple.
        case converted(PasswordFate)
        /// The service was not asked: everything is as it was.
        case untouched(Reason)
        /// It failed as far as the extension knows. The password stays.
        case failed(String?)
        /// The user cancelled. The password stays.
        case canceled
        /// Nobody knows whether the service has converted the account. The password stays.
        case unknown(AccountChangeLoss)
        /// The service has converted it, and that could not be written down. The password stays.
        case notRecorded
    }

    /// Why the extension was not asked, or did not begin.
    enum Reason: Equatable, Sendable {
        case notPrepared
        /// It needs the user, and there is nowhere to ask.
        case nowhereToAsk
        /// Whoever asked took it back.
        case canceled
        /// Something came that cannot come here.
        case malfunction
    }

    /// What has happened.
    enum Event: Equatable, Sendable {
        case prepared(Bool)
        /// The extension says that the account is converted; whether it was given a credential for that.
        case converted(isAuthorized: Bool)
        /// The extension has to ask the user first; whether that can be done.
        case needsUser(canAsk: Bool)
        case failed(String?)
        case canceled
        case lost(AccountChangeLoss)
        case recorded(Bool)
        case removed(PasswordFate)
    }

    private enum State: Equatable {
        case preparing
        case converting(withInterface: Bool)
        case recording, removing, ended
    }

    private var state = State.preparing

    /// What is to be done first.
    var first: Step { .prepare }

    /// Whether the service may have been told.
    var mayHaveChanged: Bool {
        switch state {
        case .preparing, .ended: false
        case .converting, .recording, .removing: true
        }
    }

    /// Takes what has happened, and decides what is to be done.
    mutating func take(_ event: Event) -> Step {
        let step = decide(event)
        state =
            switch step {
            case .prepare: .preparing
            case .convert(let withInterface): .converting(withInterface: withInterface)
            case .record: .recording
            case .remove: .removing
            case .end: .ended
            }
        return step
    }

    private func decide(_ event: Event) -> Step {
        switch (state, event) {
        case (.preparing, .prepared(true)): .convert(withInterface: false)
        case (.preparing, .prepared(false)): .end(.untouched(.notPrepared))
        case (.preparing, .canceled): .end(.untouched(.canceled))
        case (.converting, .converted(isAuthorized: true)): .record
        // An account that signs in with nobody's credential would be lost with its password.
        case (.converting, .converted(isAuthorized: false)): .end(.unknown(.malfunction))
        case (.converting(withInterface: false), .needsUser(canAsk: true)): .convert(withInterface: true)
        case (.converting(withInterface: false), .needsUser(canAsk: false)): .end(.untouched(.nowhereToAsk))
        // Its interface is there: it cannot ask for another one.
        case (.converting, .needsUser): .end(.failed(nil))
        case (.converting, .failed(let sentence)): .end(.failed(sentence))
        case (.converting, .canceled): .end(.canceled)
        case (.converting, .lost(let loss)): .end(.unknown(loss))
        case (.recording, .recorded(true)): .remove
        case (.recording, .recorded(false)): .end(.notRecorded)
        case (.removing, .removed(let fate)): .end(.converted(fate))
        // It is written down: what is missing is made up for at the next unlock.
        case (.removing, _): .end(.converted(.pending))
        case (.ended, _): .end(.untouched(.malfunction))
        default: .end(mayHaveChanged ? .unknown(.malfunction) : .untouched(.malfunction))
        }
    }
}

extension AppleConversion.Ending {
}
