// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import AutoFillIPC

/// The state machine of an account's conversion to Sign in with Apple: it takes events and returns the next step.
///
/// The password is not removed, whatever the ending, until three conditions hold: the extension was given a credential in this conversion,
/// it has reported that the service accepted it, and the daemon has recorded that.
struct AppleConversion: Equatable, Sendable {
    /// A step of the conversion.
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
        /// It is unknown whether the service has converted the account. The password stays.
        case unknown(AccountChangeLoss)
        /// The service has converted it, and that could not be written down. The password stays.
        case notRecorded
    }

    /// Why the extension was not asked, or did not begin.
    enum Reason: Equatable, Sendable {
        case notPrepared
        /// It needs the user, and there is nowhere to ask.
        case nowhereToAsk
        /// The requester cancelled.
        case canceled
        /// An event occurred that is not possible in this state.
        case malfunction
    }

    /// An event of the conversion.
    enum Event: Equatable, Sendable {
        case prepared(Bool)
        /// The extension reports that the account is converted; `isAuthorized` is whether it was given a credential for that.
        case converted(isAuthorized: Bool)
        /// The extension has to ask the user first; `canAsk` is whether that is possible.
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

    /// The first step.
    var first: Step { .prepare }

    /// Whether the service may have been told.
    var mayHaveChanged: Bool {
        switch state {
        case .preparing, .ended: false
        case .converting, .recording, .removing: true
        }
    }

    /// Takes an event, and returns the next step.
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
        // Without a credential the conversion is not believed: removing the password could lose the account.
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
        // The conversion is recorded, so the removal is completed at the next unlock.
        case (.removing, _): .end(.converted(.pending))
        case (.ended, _): .end(.untouched(.malfunction))
        default: .end(mayHaveChanged ? .unknown(.malfunction) : .untouched(.malfunction))
        }
    }
}

extension AppleConversion.Ending {
}
